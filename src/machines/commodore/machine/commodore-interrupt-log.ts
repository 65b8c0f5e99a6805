import { fields as cpu } from '../../../chips/mos6510/registers.ts';
import type { InterruptEntry, InterruptLog } from '../../../machine/cycles.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';
import { InterruptEntries } from './breakpoints/interrupt-entries.ts';

const keptEntries = 1000;

/** Which interrupts were taken, when and why. Asked after each instruction, and only while it is on. */
export class CommodoreInterruptLog implements InterruptLog {
  readonly #board: CommodoreBoard;
  readonly #taken: InterruptEntries;
  #entries: InterruptEntry[] = [];
  #isOn = false;
  #total = 0;

  /** `sourceOf`: what pulls a line now, in words. */
  constructor(board: CommodoreBoard, sourceOf: (line: 'irq' | 'nmi') => string) {
    this.#board = board;
    this.#taken = new InterruptEntries(board, sourceOf);
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  get entries(): readonly InterruptEntry[] {
    return this.#entries.slice(-keptEntries);
  }

  get total(): number {
    return this.#total;
  }

  switch(on: boolean): void {
    this.#isOn = on;
    if (!on) return;
    this.#entries = [];
    this.#total = 0;
    this.forget();
  }

  /** The machine was put elsewhere: what the processor has counted since says nothing. */
  forget(): void {
    this.#taken.forget();
  }

  /** The handler's first instruction comes next: the stack holds what was interrupted. */
  look(): void {
    const taken = this.#taken.take();
    if (!taken) return;
    const board = this.#board;
    if (this.#entries.length >= 2 * keptEntries) this.#entries = this.#entries.slice(-keptEntries);
    this.#total += 1;
    this.#entries.push({
      cycle: board.cycles,
      type: taken.line,
      place: `line ${board.rasterLine}, cycle ${board.rasterCycle}`,
      source: taken.source ?? 'gone by now',
      interrupted: taken.interrupted,
      handler: BigInt(board.cpu.state[cpu.pc]),
    });
  }
}
