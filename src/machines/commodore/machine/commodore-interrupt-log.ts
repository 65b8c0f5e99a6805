import { fields as cpu } from '../../../chips/mos6510/registers.ts';
import type { InterruptEntry, InterruptLog } from '../../../machine/cycles.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';

const keptEntries = 1000;
const brkFlag = 0x10;

/** Which interrupts were taken, when and why. Asked after each instruction, and only while it is on. */
export class CommodoreInterruptLog implements InterruptLog {
  readonly #board: CommodoreBoard;
  readonly #sourceOf: (line: 'irq' | 'nmi') => string;
  #entries: InterruptEntry[] = [];
  #isOn = false;
  #total = 0;
  #irqs = 0;
  #nmis = 0;

  /** `sourceOf`: what pulls a line now, in words. */
  constructor(board: CommodoreBoard, sourceOf: (line: 'irq' | 'nmi') => string) {
    this.#board = board;
    this.#sourceOf = sourceOf;
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
    const { state } = this.#board.cpu;
    this.#irqs = state[cpu.irqCount];
    this.#nmis = state[cpu.nmiCount];
  }

  look(): void {
    const { state } = this.#board.cpu;
    if (state[cpu.nmiCount] !== this.#nmis) this.#add('nmi');
    else if (state[cpu.irqCount] !== this.#irqs) this.#add('irq');
    else return;
    this.forget();
  }

  /** The handler's first instruction comes next: the stack holds what was interrupted. */
  #add(line: 'irq' | 'nmi'): void {
    const board = this.#board;
    const { state } = board.cpu;
    const pushed = (offset: number) => board.ram[0x100 + ((state[cpu.s] + offset) & 255)] as number;
    const isBrk = line === 'irq' && (pushed(1) & brkFlag) !== 0;
    if (this.#entries.length >= 2 * keptEntries) this.#entries = this.#entries.slice(-keptEntries);
    this.#total += 1;
    this.#entries.push({
      cycle: board.cycles,
      type: isBrk ? 'brk' : line,
      place: `line ${board.rasterLine}, cycle ${board.rasterCycle}`,
      source: isBrk ? 'BRK' : this.#sourceOf(line) || 'gone by now',
      interrupted: BigInt(pushed(2) | (pushed(3) << 8)),
      handler: BigInt(state[cpu.pc]),
    });
  }
}
