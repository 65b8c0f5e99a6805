import { fields, interruptRow, type Mos6510State } from '../../../chips/mos6510/registers.ts';
import { type BoardState, boardFields } from './c64-state.ts';
import type { ExpansionPort } from './expansion-port.ts';

const nmiVector = 0xfffa;
/** The cycles that fetch the low half of a vector: of an interrupt, and of a BRK that an NMI has taken over. */
const vectorSteps: readonly number[] = [(interruptRow << 3) + 4, 5];

/** The button of a freezer: it pulls NMI, and when the processor has put its registers on the stack the cartridge takes over. */
export class FreezeButton {
  readonly #board: BoardState;
  readonly #cpu: Mos6510State;
  readonly #expansion: ExpansionPort;

  constructor(board: BoardState, cpu: Mos6510State, expansion: ExpansionPort) {
    this.#board = board;
    this.#cpu = cpu;
    this.#expansion = expansion;
  }

  /** False if the cartridge has none, or one that does nothing at the moment. */
  press(): boolean {
    if (!this.#expansion.canFreeze) return false;
    if (!this.#expansion.press()) return true;
    this.#board[boardFields.freezing] = 1;
    this.#cpu[fields.nmiLatch] = 1;
    return true;
  }

  quietCycles(): number {
    return this.#board[boardFields.freezing] === 0 ? 0x7fff_ffff : 0;
  }

  tick(): void {
    if (this.#board[boardFields.freezing] === 0 || this.#cpu[fields.rdy] === 0) return;
    if (!vectorSteps.includes(this.#cpu[fields.step]) || this.#cpu[fields.vector] !== nmiVector) return;
    this.#board[boardFields.freezing] = 0;
    this.#expansion.freeze();
  }
}
