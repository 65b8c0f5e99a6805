import { fields, type Mos6560State } from '../../../chips/mos6560/fields.ts';
import { type Mos6560Timing, pixelsPerCycle } from '../../../chips/mos6560/models.ts';
import { type BoardState, boardFields } from './vic20-state.ts';

const LINE = boardFields.penLine;
const CYCLE = boardFields.penCycle;
const LOW = boardFields.penLow;

const never = 0x3fff_ffff;
/** A pixel leaves the chip so many cycles after the counter has passed its place; the pen's line is seen a cycle later. */
const latency = 5;

/**
 * A light pen in the control port: it pulls the line low for one cycle each time the beam passes under it.
 * Not emulated: that a real one sees nothing where the picture is black.
 */
export class LightPen {
  readonly #board: BoardState;
  readonly #vic: Mos6560State;
  readonly #timingNow: () => Mos6560Timing;
  readonly #pulled: () => void;

  /** `pulled` is told that `penLow` has changed. */
  constructor(board: BoardState, vic: Mos6560State, timing: () => Mos6560Timing, pulled: () => void) {
    this.#board = board;
    this.#vic = vic;
    this.#timingNow = timing;
    this.#pulled = pulled;
  }

  get #timing(): Mos6560Timing {
    return this.#timingNow();
  }

  /** Pixels of what a monitor shows. */
  aim(x: number, y: number): void {
    const { visible } = this.#timing;
    this.#board[LINE] = visible.y + y;
    this.#board[CYCLE] = Math.floor((visible.x + x) / pixelsPerCycle) + latency;
  }

  lift(): void {
    this.#board[CYCLE] = 0;
  }

  /** How many cycles after this one it can be left alone. */
  quietCycles(): number {
    const board = this.#board;
    if (board[LOW] !== 0) return 0;
    if (board[CYCLE] === 0) return never;
    const { cyclesPerLine } = this.#timing;
    const frame = cyclesPerLine * this.#vic[fields.lines];
    const now = this.#vic[fields.line] * cyclesPerLine + this.#vic[fields.cycle];
    const away = (board[LINE] * cyclesPerLine + board[CYCLE] - now + 2 * frame) % frame;
    return away === 0 ? frame - 1 : away - 1;
  }

  tick(): void {
    const board = this.#board;
    if (board[LOW] !== 0) {
      board[LOW] = 0;
      this.#pulled();
      return;
    }
    if (board[CYCLE] === 0) return;
    if (this.#vic[fields.cycle] !== board[CYCLE] || this.#vic[fields.line] !== board[LINE]) return;
    board[LOW] = 1;
    this.#pulled();
  }
}
