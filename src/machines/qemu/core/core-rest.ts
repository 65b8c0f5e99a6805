import { type Rest, threadNamed } from '../debug/rest.ts';
import type { Target } from '../debug/target.ts';
import { Turns } from '../debug/turns.ts';

/** A target that never moves. */
export class CoreRest implements Rest {
  readonly threads: readonly string[];
  readonly #target: Target;
  readonly #turns = new Turns();
  #pc = 0n;

  constructor(target: Target, threads: readonly string[]) {
    this.#target = target;
    this.threads = threads;
  }

  get pc(): bigint {
    return this.#pc;
  }

  atRest<T>(action: () => Promise<T>): Promise<T> {
    return this.#turns.take(action);
  }

  async refresh(): Promise<void> {
    this.#pc = await this.#target.pc();
  }

  replaced(): Promise<void> {
    return this.refresh();
  }

  threadNamed(name: string): string {
    return threadNamed(this.threads, name);
  }
}
