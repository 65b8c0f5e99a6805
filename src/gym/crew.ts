import { Breaths } from './breaths.ts';
import { EnvironmentPool } from './environment-pool.ts';
import type { Beginning, SavedEpisode } from './pool-messages.ts';
import type { StepBuffers } from './step-buffers.ts';
import type { VectorSpec } from './vector-spec.ts';

/** Those who carry orders out. */
export interface Crew {
  /** `each`: of each it is said when it is ready, else of all that are in one thread together. */
  step(indexes: readonly number[], each: boolean, ready: (index: number, trouble?: string) => void): Promise<void>;
  reset(which: readonly Beginning[]): Promise<void>;
  save(index: number): Promise<SavedEpisode>;
  restore(index: number, saved: SavedEpisode): Promise<void>;
  close(): Promise<void>;
}

/** In the thread of the caller. */
export class LocalCrew implements Crew {
  readonly #pool: EnvironmentPool;
  readonly #signal: AbortSignal | undefined;

  private constructor(pool: EnvironmentPool, signal: AbortSignal | undefined) {
    this.#pool = pool;
    this.#signal = signal;
  }

  static async open(spec: VectorSpec, buffers: StepBuffers, signal?: AbortSignal): Promise<LocalCrew> {
    return new LocalCrew(await EnvironmentPool.open(spec, buffers, 0, spec.count, undefined, signal), signal);
  }

  async step(indexes: readonly number[], _each: boolean, ready: (index: number) => void): Promise<void> {
    const breaths = new Breaths(this.#signal);
    for (const index of indexes) {
      await breaths.take();
      await this.#pool.step(index);
      ready(index);
    }
  }

  async reset(which: readonly Beginning[]): Promise<void> {
    const breaths = new Breaths(this.#signal);
    for (const [index, random] of which) {
      await breaths.take();
      await this.#pool.reset(index, random);
    }
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
