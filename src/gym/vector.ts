import { type Crew, LocalCrew } from './crew.ts';
import type { Beginning, SavedEpisode } from './pool-messages.ts';
import type { PoolThread } from './pool-thread.ts';
import { RandomNumbers } from './random.ts';
import { savedBytes, savedFrom } from './saved-bytes.ts';
import { flags, StepBuffers } from './step-buffers.ts';
import { ThreadCrew } from './thread-crew.ts';
import {
  type ObservationPart,
  observationParts,
  type VectorOptions,
  type VectorSpec,
  vectorSpecOf,
} from './vector-spec.ts';

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
  /**
   * All, or those with a number in `which`; with a seed, chances begin anew. With a list of seeds, one for each of them,
   * each lives as the only environment of a vector with its seed does.
   */
  reset(seed?: number | readonly (number | undefined)[], which?: readonly number[]): Promise<VectorStep>;
  /** A number for each environment and player. */
  step(actions: ArrayLike<number>): Promise<VectorStep>;
  /** Steps those, one number for each player of each, without waiting. */
  send(indexes: readonly number[], actions: ArrayLike<number>): void;
  /** Waits until so many of those that were sent are ready, and gives their numbers. */
  receive(count: number): Promise<readonly number[]>;
  /** What was last heard of all environments. */
  readonly last: VectorStep;
  save(index: number): Promise<Uint8Array>;
  restore(index: number, saved: Uint8Array): Promise<void>;
  /** Environment `to` becomes what `from` is. */
  fork(from: number, to: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens environments: throws what is wrong with the options, the program or the expressions. `began` is told of each thread.
 * Once the signal says so, nobody wants them any more.
 */
export async function openVector(
  options: VectorOptions,
  began?: (thread: PoolThread) => void,
  signal?: AbortSignal,
): Promise<Vector> {
  const spec = vectorSpecOf(options);
  const buffers = new StepBuffers(spec);
  const threads = Math.min(spec.threads, spec.count);
  const crew =
    threads === 0
      ? await LocalCrew.open(spec, buffers, signal)
      : await ThreadCrew.open(spec, buffers, threads, began, signal);
  return new EnvironmentVector(spec, buffers, crew);
}

class EnvironmentVector implements Vector {
  readonly spec: VectorSpec;
  readonly parts: readonly ObservationPart[];
  readonly #buffers: StepBuffers;
  readonly #crew: Crew;
  readonly #trouble = new Map<number, string>();
  readonly #ready: number[] = [];
  /** Sent and not ready. */
  readonly #underWay = new Set<number>();
  /** Those whose episode has ended, or has not begun. */
  readonly #ended = new Set<number>();
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};
  /** Resets, saves and restores that were asked for and are not done; it never rejects. */
  #turn: Promise<void> | undefined;
  #isClosed = false;

  constructor(spec: VectorSpec, buffers: StepBuffers, crew: Crew) {
    this.spec = spec;
    this.parts = observationParts(spec);
    this.#buffers = buffers;
    this.#crew = crew;
    for (const index of this.#all) this.#ended.add(index);
  }

  get observationBytes(): number {
    return this.#buffers.observationBytes;
  }

  get last(): VectorStep {
    const { allObservations, allRewards, allFlags, allFinals } = this.#buffers;
    const trouble = new Map(this.#trouble);
    return { observations: allObservations, rewards: allRewards, flags: allFlags, finals: allFinals, trouble };
  }

  async reset(seed?: number | readonly (number | undefined)[], which = this.#all): Promise<VectorStep> {
    this.#requireRest();
    const known = which.map((index) => this.#known(index));
    const chances = chancesOf(seed, known);
    const wanted = known.map((index, place): Beginning => [index, chances[place]]);
    this.#trouble.clear();
    await this.#inTurn(() => this.#crew.reset(wanted));
    for (const [index] of wanted) this.#ended.delete(index);
    return this.last;
  }

  async step(actions: ArrayLike<number>): Promise<VectorStep> {
    this.#send(this.#all, actions, false);
    await this.receive(this.spec.count);
    return this.last;
  }

  send(indexes: readonly number[], actions: ArrayLike<number>): void {
    this.#send(indexes, actions, true);
  }

  #send(indexes: readonly number[], actions: ArrayLike<number>, each: boolean): void {
    const { action: players } = this.spec;
    if (actions.length !== indexes.length * players.length) {
      const wanted = `${indexes.length} environments with ${players.length} player${players.length === 1 ? '' : 's'}`;
      throw new RangeError(`${actions.length} actions for ${wanted}`);
    }
    this.#requireFree(indexes);
    indexes.forEach((index, place) => {
      const own = this.#buffers.actions(index);
      players.forEach((choices, player) => {
        const action = actions[place * players.length + player];
        if (action === undefined || !Number.isInteger(action) || action < 0 || action >= choices.length) {
          throw new RangeError(`action ${action} of environment ${index}: it is one of 0 to ${choices.length - 1}`);
        }
        own[player] = action;
      });
      this.#trouble.delete(index);
    });
    for (const index of indexes) this.#underWay.add(index);
    const ready = (index: number, trouble?: string) => {
      if (trouble !== undefined) this.#trouble.set(index, trouble);
      this.#underWay.delete(index);
      this.#ready.push(index);
      this.#wake();
    };
    const step = () => this.#crew.step(indexes, each, ready);
    (this.#turn ? this.#turn.then(step) : step()).catch((error: unknown) => {
      for (const index of indexes) this.#underWay.delete(index);
      this.#failure = { error };
      this.#wake();
    });
  }

  async receive(count: number): Promise<readonly number[]> {
    const sent = this.#ready.length + this.#underWay.size;
    if (!Number.isInteger(count) || count < 0) throw new RangeError(`${count} is not a number of environments`);
    if (count > sent && !this.#failure) throw new RangeError(`${sent} environments are under way, not ${count}`);
    while (this.#ready.length < count && !this.#failure) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const failure = this.#failure;
    if (failure) {
      // Told once: what can be stepped, reset or restored then still can.
      this.#failure = undefined;
      this.#ready.length = 0;
      throw failure.error;
    }
    const received = this.#ready.splice(0, count);
    for (const index of received) {
      if ((this.#buffers.allFlags[index] ?? 0) & (flags.terminated | flags.truncated)) this.#ended.add(index);
      else this.#ended.delete(index);
    }
    return received;
  }

  async save(index: number): Promise<Uint8Array> {
    return savedBytes(await this.#saved(index));
  }

  async restore(index: number, saved: Uint8Array): Promise<void> {
    await this.#restore(index, savedFrom(saved));
  }

  async #saved(index: number): Promise<SavedEpisode> {
    this.#requireRest();
    const known = this.#known(index);
    return this.#inTurn(() => this.#crew.save(known));
  }

  async #restore(index: number, saved: SavedEpisode): Promise<void> {
    this.#requireRest();
    const known = this.#known(index);
    await this.#inTurn(() => this.#crew.restore(known, saved));
    if (saved.facts.hasEnded) this.#ended.add(index);
    else this.#ended.delete(index);
  }

  async fork(from: number, to: number): Promise<void> {
    await this.#restore(to, await this.#saved(from));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#turn;
    await this.#crew.close();
  }

  /** What changes or copies machines waits for what was asked before. */
  async #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#turn ? this.#turn.then(task) : task();
    const turn: Promise<void> = done.then(
      () => {},
      () => {},
    );
    this.#turn = turn;
    try {
      return await done;
    } finally {
      if (this.#turn === turn) this.#turn = undefined;
    }
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new Error('these environments are closed: open others');
  }

  get #all(): number[] {
    return Array.from({ length: this.spec.count }, (_, index) => index);
  }

  #known(index: number): number {
    if (Number.isInteger(index) && index >= 0 && index < this.spec.count) return index;
    throw new RangeError(`no environment ${index}: there are ${this.spec.count}, from 0 on`);
  }

  #requireRest(): void {
    this.#requireOpen();
    const sent = this.#ready.length + this.#underWay.size;
    if (sent > 0) throw new Error(`${sent} environments are under way; receive them first`);
  }

  /** All of them or none: a step that cannot be made by all is made by nobody. */
  #requireFree(indexes: readonly number[]): void {
    this.#requireOpen();
    const seen = new Set(this.#ready);
    for (const index of indexes) {
      this.#known(index);
      if (seen.has(index) || this.#underWay.has(index)) {
        throw new Error(`environment ${index} is under way; receive it first`);
      }
      seen.add(index);
      if (this.spec.autoreset === 'disabled' && this.#ended.has(index)) {
        throw new Error(`The episode of environment ${index} has ended: reset it before the next step.`);
      }
    }
  }
}

/** Where chance begins for an environment. */
function chanceOf(seed: number, index: number): number {
  if (Number.isInteger(seed) && seed >= 0 && seed <= 0xffff_ffff) return new RandomNumbers(seed, index).state;
  throw new RangeError(`${seed} is not a seed: they are whole numbers from 0 to 2^32 - 1`);
}

function chancesOf(seed: number | readonly (number | undefined)[] | undefined, which: readonly number[]) {
  if (!Array.isArray(seed))
    return which.map((index) =>
      seed === undefined ? undefined : chanceOf(typeof seed === 'number' ? seed : Number.NaN, index),
    );
  if (seed.length !== which.length) throw new RangeError(`${seed.length} seeds for ${which.length} environments`);
  return seed.map((each) => (each === undefined ? undefined : chanceOf(each, 0)));
}
