import { fields, type Vic2State } from '../../../chips/vic2/fields.ts';
import type { Vic2Timing } from '../../../chips/vic2/models.ts';
import { type BoardState, boardFields } from './c64-state.ts';

const LINE = boardFields.penLine;
const CYCLE = boardFields.penCycle;
const OFFSET = boardFields.penOffset;
const LOW = boardFields.penLow;

const never = 0x3fff_ffff;
/** Sprite X of the leftmost pixel that a monitor shows: the text begins at 24, 32 pixels further to the right. */
const firstVisibleX = -8;
/** What the VIC-II adds to half the X of the cycle in which it sees the line fall. */
const latency = { nmos: 4, hmos: 2 };

/**
 * A light pen in control port 1: it pulls the line low for one cycle each time the beam passes under it.
 * Not emulated: that a real one sees nothing where the picture is black.
 */
export class LightPen {
  readonly #board: BoardState;
  readonly #vic: Vic2State;
  readonly #timingNow: () => Vic2Timing;
  readonly #pulled: () => void;

  /** `pulled` is told that `penLow` has changed. */
  constructor(board: BoardState, vic: Vic2State, timing: () => Vic2Timing, pulled: () => void) {
    this.#board = board;
    this.#vic = vic;
    this.#timingNow = timing;
    this.#pulled = pulled;
  }

  get #timing(): Vic2Timing {
    return this.#timingNow();
  }

  /** Pixels of what a monitor shows. */
  aim(x: number, y: number): void {
    const { lines, visible, cyclesPerLine, nmos } = this.#timing;
    const width = cyclesPerLine * 8;
    const wanted = x + firstVisibleX - (nmos ? latency.nmos : latency.hmos);
    const index = this.#timing.x.findIndex((start) => (wanted - start + width) % width < 8);
    // The VIC-II sees in each cycle what the line was in the one before.
    const cycle = index === 0 ? cyclesPerLine : index;
    const line = (visible.y + y) % lines;
    this.#board[CYCLE] = cycle;
    this.#board[LINE] = index === 0 ? (line + lines - 1) % lines : line;
    this.#board[OFFSET] = ((wanted - (this.#timing.x[index] ?? 0) + width) % width) >> 1;
  }

  lift(): void {
    this.#board[CYCLE] = 0;
  }

  /** How many cycles after this one it can be left alone. */
  quietCycles(): number {
    const board = this.#board;
    if (board[LOW] !== 0) return 0;
    if (board[CYCLE] === 0) return never;
    const { cyclesPerLine, lines } = this.#timing;
    const frame = cyclesPerLine * lines;
    const now = this.#vic[fields.rasterLine] * cyclesPerLine + this.#vic[fields.cycle];
    const away = (board[LINE] * cyclesPerLine + board[CYCLE] - now + frame) % frame;
    return away === 0 ? frame - 1 : away - 1;
  }

  tick(): void {
    const board = this.#board;
    if (board[LOW] !== 0) {
      board[LOW] = 0;
      // The chip latches in steps of four; where in the cycle the beam was is ours to tell.
      if (this.#vic[fields.lightPenTriggered] !== 0) this.#vic[fields.lightPenX] += board[OFFSET];
      this.#pulled();
      return;
    }
    if (board[CYCLE] === 0) return;
    if (this.#vic[fields.cycle] !== board[CYCLE] || this.#vic[fields.rasterLine] !== board[LINE]) return;
    if (this.#vic[fields.lightPenTriggered] !== 0) return;
    board[LOW] = 1;
    this.#pulled();
  }
}
