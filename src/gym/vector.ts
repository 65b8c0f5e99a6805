import { EnvironmentPool } from './environment-pool.ts';
import type { SavedEpisode } from './pool-messages.ts';
import { PoolThread, ThreadLost } from './pool-thread.ts';
import { flags, StepBuffers } from './step-buffers.ts';
import {
  type ObservationPart,
  observationParts,
  type VectorOptions,
  type VectorSpec,
  vectorSpec,
} from './vector-spec.ts';

/** How often a thread that was lost is replaced. */
const mostReplacements = 3;

/** What a step of all environments led to. The arrays are the same each time, with new contents. */
export interface VectorStep {
  /** All parts of all environments; `parts` of the vector says what lies where. */
  readonly observations: Uint8Array;
  /** For each environment and player. */
  readonly rewards: Float32Array;
  /** For each environment: 1 terminated, 2 truncated, 4 lost with its thread. */
  readonly flags: Uint8Array;
  /** Where the next episode has begun in the same step: the last observation of the one before. */
  readonly finals: Uint8Array;
  /** Why environments were lost, if any were. */
  readonly trouble: ReadonlyMap<number, string>;
}

/** Many environments that are stepped together. */
export interface Vector {
  readonly spec: VectorSpec;
  /** How the observation of one environment is laid out. */
  readonly parts: readonly ObservationPart[];
  readonly observationBytes: number;
  /** All, or those with a number in `which`; with a seed, chances begin anew. */
  reset(seed?: number, which?: readonly number[]): Promise<VectorStep>;
  /** A number for each environment and player. */
  step(actions: ArrayLike<number>): Promise<VectorStep>;
  /** Steps those, one number for each player of each, without waiting. */
  send(indexes: readonly number[], actions: ArrayLike<number>): void;
  /** Waits until so many of those that were sent are ready, and gives their numbers. */
  receive(count: number): Promise<readonly number[]>;
  /** What was last heard of all environments. */
  readonly last: VectorStep;
  save(index: number): Promise<SavedEpisode>;
  restore(index: number, saved: SavedEpisode): Promise<void>;
  /** Environment `to` becomes what `from` is. */
  fork(from: number, to: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens environments: throws what is wrong with the options, the program or the expressions. `began` is told of each thread. */
export async function openVector(options: VectorOptions, began?: (thread: PoolThread) => void): Promise<Vector> {
  const spec = vectorSpec.parse(options);
  const buffers = new StepBuffers(spec);
  const threads = Math.min(spec.threads, spec.count);
  const crew =
    threads === 0 ? await LocalCrew.open(spec, buffers) : await ThreadCrew.open(spec, buffers, threads, began);
  return new EnvironmentVector(spec, buffers, crew);
}

/** Those who carry orders out. */
interface Crew {
  step(indexes: readonly number[], ready: (index: number, trouble?: string) => void): Promise<void>;
  reset(which: readonly (readonly [number, number | undefined])[]): Promise<void>;
  save(index: number): Promise<SavedEpisode>;
  restore(index: number, saved: SavedEpisode): Promise<void>;
  close(): Promise<void>;
}

class EnvironmentVector implements Vector {
  readonly spec: VectorSpec;
  readonly parts: readonly ObservationPart[];
  readonly #buffers: StepBuffers;
  readonly #crew: Crew;
  readonly #trouble = new Map<number, string>();
  readonly #ready: number[] = [];
  #underWay = 0;
  #failure: unknown;
  #wake: () => void = () => {};

  constructor(spec: VectorSpec, buffers: StepBuffers, crew: Crew) {
    this.spec = spec;
    this.parts = observationParts(spec);
    this.#buffers = buffers;
    this.#crew = crew;
  }

  get observationBytes(): number {
    return this.#buffers.observationBytes;
  }

  get last(): VectorStep {
    const { allObservations, allRewards, allFlags, allFinals } = this.#buffers;
    const trouble = new Map(this.#trouble);
    return { observations: allObservations, rewards: allRewards, flags: allFlags, finals: allFinals, trouble };
  }

  async reset(seed?: number, which?: readonly number[]): Promise<VectorStep> {
    this.#requireRest();
    this.#trouble.clear();
    await this.#crew.reset((which ?? this.#all).map((index) => [index, seed] as const));
    return this.last;
  }

  async step(actions: ArrayLike<number>): Promise<VectorStep> {
    this.send(this.#all, actions);
    await this.receive(this.spec.count);
    return this.last;
  }

  send(indexes: readonly number[], actions: ArrayLike<number>): void {
    const { action: players } = this.spec;
    if (actions.length !== indexes.length * players.length) {
      const wanted = `${indexes.length} environments with ${players.length} player${players.length === 1 ? '' : 's'}`;
      throw new RangeError(`${actions.length} actions for ${wanted}`);
    }
    indexes.forEach((index, place) => {
      const own = this.#buffers.actions(index);
      players.forEach((choices, player) => {
        const action = actions[place * players.length + player] ?? 0;
        if (!Number.isInteger(action) || action < 0 || action >= choices.length) {
          throw new RangeError(`action ${action} of environment ${index}: it is one of 0 to ${choices.length - 1}`);
        }
        own[player] = action;
      });
      this.#trouble.delete(index);
    });
    this.#underWay += indexes.length;
    const ready = (index: number, trouble?: string) => {
      if (trouble !== undefined) this.#trouble.set(index, trouble);
      this.#underWay -= 1;
      this.#ready.push(index);
      this.#wake();
    };
    this.#crew.step(indexes, ready).catch((error: unknown) => {
      this.#failure = error;
      this.#wake();
    });
  }

  async receive(count: number): Promise<readonly number[]> {
    if (count > this.#ready.length + this.#underWay) {
      throw new RangeError(`${this.#ready.length + this.#underWay} environments are under way, not ${count}`);
    }
    while (this.#ready.length < count && this.#failure === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#failure !== undefined) throw this.#failure;
    return this.#ready.splice(0, count);
  }

  save(index: number): Promise<SavedEpisode> {
    this.#requireRest();
    return this.#crew.save(this.#known(index));
  }

  restore(index: number, saved: SavedEpisode): Promise<void> {
    this.#requireRest();
    return this.#crew.restore(this.#known(index), saved);
  }

  async fork(from: number, to: number): Promise<void> {
    await this.restore(to, await this.save(from));
  }

  close(): Promise<void> {
    return this.#crew.close();
  }

  get #all(): number[] {
    return Array.from({ length: this.spec.count }, (_, index) => index);
  }

  #known(index: number): number {
    if (Number.isInteger(index) && index >= 0 && index < this.spec.count) return index;
    throw new RangeError(`no environment ${index}: there are ${this.spec.count}, from 0 on`);
  }

  #requireRest(): void {
    if (this.#underWay > 0) throw new Error(`${this.#underWay} environments are under way; receive them first`);
  }
}

/** In the thread of the caller. */
class LocalCrew implements Crew {
  readonly #pool: EnvironmentPool;

  private constructor(pool: EnvironmentPool) {
    this.#pool = pool;
  }

  static async open(spec: VectorSpec, buffers: StepBuffers): Promise<LocalCrew> {
    return new LocalCrew(await EnvironmentPool.open(spec, buffers, 0, spec.count));
  }

  async step(indexes: readonly number[], ready: (index: number) => void): Promise<void> {
    for (const index of indexes) {
      await this.#pool.step(index);
      ready(index);
    }
  }

  async reset(which: readonly (readonly [number, number | undefined])[]): Promise<void> {
    for (const [index, seed] of which) await this.#pool.reset(index, seed);
  }

  save(index: number): Promise<SavedEpisode> {
    return this.#pool.save(index);
  }

  restore(index: number, saved: SavedEpisode): Promise<void> {
    return this.#pool.restore(index, saved);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** In threads, each with its share. One that dies takes its environments with it, which then begin anew in another. */
class ThreadCrew implements Crew {
  readonly #spec: VectorSpec;
  readonly #buffers: StepBuffers;
  readonly #template: Uint8Array | undefined;
  readonly #threads: PoolThread[] = [];
  readonly #began: ((thread: PoolThread) => void) | undefined;
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
  ): Promise<ThreadCrew> {
    const crew = new ThreadCrew(spec, buffers, await EnvironmentPool.template(spec), began);
    const border = (index: number) => Math.floor((index * spec.count) / threads);
    try {
      for (let index = 0; index < threads; index += 1) {
        crew.#threads.push(await crew.#start(border(index), border(index + 1) - border(index)));
      }
      return crew;
    } catch (error) {
      await crew.close();
      throw error;
    }
  }

  async step(indexes: readonly number[], ready: (index: number, trouble?: string) => void): Promise<void> {
    await this.#shared(
      indexes,
      (index) => index,
      async (thread, own) => {
        const left = new Set(own);
        try {
          await thread.order({ type: 'step', indexes: own, each: true }, (index) => {
            left.delete(index);
            ready(index);
          });
        } catch (error) {
          if (!(error instanceof ThreadLost)) throw error;
          await this.#replace(thread);
          for (const index of left) {
            this.#buffers.setStep(index, [], flags.truncated | flags.lost);
            ready(index, error.message);
          }
        }
      },
    );
  }

  async reset(which: readonly (readonly [number, number | undefined])[]): Promise<void> {
    await this.#shared(
      which,
      ([index]) => index,
      async (thread, own) => {
        await thread.order({ type: 'reset', which: own });
      },
    );
  }

  async save(index: number): Promise<SavedEpisode> {
    const saved = await this.#threadOf(index).order({ type: 'save', index });
    if (!saved) throw new Error('nothing was saved');
    return saved;
  }

  async restore(index: number, saved: SavedEpisode): Promise<void> {
    await this.#threadOf(index).order({ type: 'restore', index, saved });
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  async #shared<T>(
    all: readonly T[],
    indexOf: (each: T) => number,
    task: (thread: PoolThread, own: readonly T[]) => Promise<void>,
  ): Promise<void> {
    await Promise.all(
      [...this.#threads].map(async (thread) => {
        const own = all.filter((each) => {
          const place = indexOf(each) - thread.first;
          return place >= 0 && place < thread.count;
        });
        if (own.length > 0) await task(thread, own);
      }),
    );
  }

  #threadOf(index: number): PoolThread {
    const found = this.#threads.find(({ first, count }) => index >= first && index < first + count);
    if (!found) throw new RangeError(`no environment ${index}`);
    return found;
  }

  async #start(first: number, count: number): Promise<PoolThread> {
    const thread = await PoolThread.start({
      spec: this.#spec,
      shared: this.#buffers.shared,
      first,
      count,
      template: this.#template,
    });
    this.#began?.(thread);
    return thread;
  }

  async #replace(lost: PoolThread): Promise<void> {
    this.#replacements += 1;
    if (this.#replacements > mostReplacements) throw new ThreadLost(`${mostReplacements} threads were lost already`);
    const fresh = await this.#start(lost.first, lost.count);
    this.#threads.splice(this.#threads.indexOf(lost), 1, fresh);
  }
}
