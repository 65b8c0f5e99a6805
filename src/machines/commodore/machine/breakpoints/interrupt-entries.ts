import { fields as cpu } from '../../../../chips/mos6510/registers.ts';
import type { StopInterrupt } from '../../../../machine/state.ts';
import type { CommodoreBoard } from '../../board/commodore-board.ts';

const brkFlag = 0x10;

/** Sees, before an instruction, whether it is the first of an interrupt's handler. */
export class InterruptEntries {
  readonly #board: CommodoreBoard;
  readonly #sourceOf: (line: 'irq' | 'nmi') => string;
  #irqs = 0;
  #nmis = 0;

  /** `sourceOf`: what pulls a line now, in words. */
  constructor(board: CommodoreBoard, sourceOf: (line: 'irq' | 'nmi') => string) {
    this.#board = board;
    this.#sourceOf = sourceOf;
  }

  /** The machine was put elsewhere: what the processor has counted since says nothing. */
  forget(): void {
    const { state } = this.#board.cpu;
    this.#irqs = state[cpu.irqCount];
    this.#nmis = state[cpu.nmiCount];
  }

  /** The interrupt that was taken since the last call, if one was. */
  take(): (StopInterrupt & { readonly line: 'irq' | 'nmi' | 'brk' }) | undefined {
    const { state } = this.#board.cpu;
    const isNmi = state[cpu.nmiCount] !== this.#nmis;
    if (!isNmi && state[cpu.irqCount] === this.#irqs) return undefined;
    this.forget();
    const pushed = (offset: number) => this.#board.ram[0x100 + ((state[cpu.s] + offset) & 255)] as number;
    const line = isNmi ? 'nmi' : (pushed(1) & brkFlag) !== 0 ? 'brk' : 'irq';
    const source = line === 'brk' ? 'BRK' : this.#sourceOf(line);
    return { line, ...(source && { source }), interrupted: BigInt(pushed(2) | (pushed(3) << 8)) };
  }
}
