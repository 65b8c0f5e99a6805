import type { Crew } from './crew.ts';
import { EnvironmentPool } from './environment-pool.ts';
import type { Beginning, SavedEpisode } from './pool-messages.ts';
import { PoolThread, ThreadLost } from './pool-thread.ts';
import { flags, type StepBuffers } from './step-buffers.ts';
import type { VectorSpec } from './vector-spec.ts';

/** How often a thread that was lost is replaced. */
const mostReplacements = 3;

/** In threads, each with its share. One that dies takes its environments with it, which then begin anew in another. */
export class ThreadCrew implements Crew {
  readonly #spec: VectorSpec;
  readonly #buffers: StepBuffers;
  readonly #template: Uint8Array | undefined;
  readonly #threads: PoolThread[] = [];
  readonly #began: ((thread: PoolThread) => void) | undefined;
  /** Environments that have begun anew in another thread, and why; nobody has been told yet. */
  readonly #lost = new Map<number, string>();
  #replacements = 0;

  private constructor(
    spec: VectorSpec,
    buffers: StepBuffers,
    template: Uint8Array | undefined,
    began: ((thread: PoolThread) => void) | undefined,
  ) {
    this.#began = began;
    this.#spec = spec;
    this.#buffers = buffers;
    this.#template = template;
  }

  static async open(
    spec: VectorSpec,
    buffers: StepBuffers,
    threads: number,
    began: ((thread: PoolThread) => void) | undefined,
    signal?: AbortSignal,
  ): Promise<ThreadCrew> {
    const crew = new ThreadCrew(spec, buffers, await EnvironmentPool.template(spec, signal), began);
    const border = (index: number) => Math.floor((index * spec.count) / threads);
    try {
      for (let index = 0; index < threads; index += 1) {
        signal?.throwIfAborted();
        crew.#threads.push(await crew.#start(border(index), border(index + 1) - border(index), signal));
      }
      return crew;
    } catch (error) {
      await crew.close();
      throw error;
    }
  }

  async step(
    indexes: readonly number[],
    each: boolean,
    ready: (index: number, trouble?: string) => void,
  ): Promise<void> {
    await this.#shared(
      indexes,
      (index) => index,
      async (thread, own) => {
        const left = new Set(own.filter((index) => !this.#lost.has(index)));
        for (const index of own.filter((one) => !left.has(one))) await this.#tellLost(index, ready);
        if (left.size === 0) return;
        try {
          await thread.order({ type: 'step', indexes: [...left], each }, (index) => {
            left.delete(index);
            ready(index);
          });
          for (const index of left) ready(index);
        } catch (error) {
          if (!(error instanceof ThreadLost)) throw error;
          await this.#replace(thread, error.message);
          for (const index of left) await this.#tellLost(index, ready);
        }
      },
    );
  }

  async reset(which: readonly Beginning[]): Promise<void> {
    await this.#shared(
      which,
      ([index]) => index,
      async (thread, own) => {
        await this.#orderAnyway(thread, { type: 'reset', which: own });
        for (const [index] of own) this.#lost.delete(index);
      },
    );
  }

  async save(index: number): Promise<SavedEpisode> {
    const thread = this.#threadOf(index);
    const why = this.#lost.get(index);
    if (why !== undefined) throw new ThreadLost(why);
    try {
      const saved = await thread.order({ type: 'save', index });
      if (!saved) throw new Error('nothing was saved');
      return saved;
    } catch (error) {
      if (error instanceof ThreadLost) await this.#replace(thread, error.message);
      throw error;
    }
  }

  async restore(index: number, saved: SavedEpisode): Promise<void> {
    await this.#orderAnyway(this.#threadOf(index), { type: 'restore', index, saved });
    this.#lost.delete(index);
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  async #shared<T>(
    all: readonly T[],
    indexOf: (each: T) => number,
    task: (thread: PoolThread, own: readonly T[]) => Promise<void>,
  ): Promise<void> {
    const done = await Promise.allSettled(
      [...this.#threads].map(async (thread) => {
        const own = all.filter((each) => {
          const place = indexOf(each) - thread.first;
          return place >= 0 && place < thread.count;
        });
        if (own.length > 0) await task(thread, own);
      }),
    );
    // Not before all are done: nothing is under way when it is told.
    for (const one of done) if (one.status === 'rejected') throw one.reason;
  }

  /** An order that needs nothing of what the thread had: one that has been lost is replaced first. */
  async #orderAnyway(thread: PoolThread, order: Parameters<PoolThread['order']>[0]): Promise<void> {
    try {
      await thread.order(order);
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
      await (await this.#replace(thread, error.message)).order(order);
    }
  }

  /** Its episode is over. */
  async #tellLost(index: number, ready: (index: number, trouble?: string) => void): Promise<void> {
    const why = this.#lost.get(index);
    this.#lost.delete(index);
    if (this.#spec.autoreset === 'same_step') {
      this.#buffers.finalObservation(index).set(this.#buffers.observation(index));
      await this.#threadOf(index).order({ type: 'reset', which: [[index, undefined]] });
    }
    this.#buffers.setStep(index, [], flags.truncated | flags.lost);
    ready(index, why);
  }

  #threadOf(index: number): PoolThread {
    const found = this.#threads.find(({ first, count }) => index >= first && index < first + count);
    if (!found) throw new RangeError(`no environment ${index}`);
    return found;
  }

  async #start(first: number, count: number, signal?: AbortSignal): Promise<PoolThread> {
    const start = { spec: this.#spec, shared: this.#buffers.shared, first, count, template: this.#template };
    const thread = await PoolThread.start(start, signal);
    this.#began?.(thread);
    return thread;
  }

  /** All of its environments are lost, whatever they were doing: who steps one of them next is told. */
  async #replace(lost: PoolThread, why: string): Promise<PoolThread> {
    this.#replacements += 1;
    if (this.#replacements > mostReplacements) throw new ThreadLost(`${mostReplacements} threads were lost already`);
    const fresh = await this.#start(lost.first, lost.count);
    this.#threads.splice(this.#threads.indexOf(lost), 1, fresh);
    for (let index = lost.first; index < lost.first + lost.count; index += 1) this.#lost.set(index, why);
    return fresh;
  }
}
