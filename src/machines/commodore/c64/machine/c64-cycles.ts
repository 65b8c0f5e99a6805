import type { CyclesCapability, InterruptLog } from '../../../../machine/cycles.ts';
import type { Engine } from './engine.ts';

export class C64Cycles implements CyclesCapability {
  readonly #engine: Engine;
  #marked: number | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get now(): number {
    return this.#engine.board.cycles;
  }

  mark(): void {
    this.#marked = this.now;
  }

  get sinceMark(): number | undefined {
    return this.#marked === undefined || this.#marked > this.now ? undefined : this.now - this.#marked;
  }

  get interrupts(): InterruptLog {
    return this.#engine.interrupts;
  }
}
