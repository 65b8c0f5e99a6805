import { fields, type Vic2State } from '../../../chips/vic2/fields.ts';
import type { Vic2Timing } from '../../../chips/vic2/models.ts';
import { type Beam, BeamPen } from '../board/beam-pen.ts';
import { type BoardState, boardFields } from './c64-state.ts';

/** Sprite X of the leftmost pixel that a monitor shows: the text begins at 24, 32 pixels further to the right. */
const firstVisibleX = -8;
/** What the VIC-II adds to half the X of the cycle in which it sees the line fall. */
const latency = { nmos: 4, hmos: 2 };

/** A light pen in control port 1. */
export class LightPen extends BeamPen<(typeof boardFields)['penLine' | 'penCycle' | 'penLow']> {
  readonly #board: BoardState;
  readonly #vic: Vic2State;
  readonly #timing: () => Vic2Timing;

  /** `pulled` is told that `penLow` has changed. */
  constructor(board: BoardState, vic: Vic2State, timing: () => Vic2Timing, pulled: () => void) {
    super(board, boardFields, pulled);
    this.#board = board;
    this.#vic = vic;
    this.#timing = timing;
  }

  protected override get beam(): Beam {
    const { lines, cyclesPerLine } = this.#timing();
    return { line: this.#vic[fields.rasterLine], cycle: this.#vic[fields.cycle], lines, cyclesPerLine };
  }

  /** It latches once in a frame. */
  protected override get isSeen(): boolean {
    return this.#vic[fields.lightPenTriggered] === 0;
  }

  /** The chip latches in steps of four; where in the cycle the beam was is ours to tell. */
  protected override seen(): void {
    if (this.#vic[fields.lightPenTriggered] !== 0) this.#vic[fields.lightPenX] += this.#board[boardFields.penOffset];
  }

  /** Pixels of what a monitor shows. */
  aim(x: number, y: number): void {
    const { lines, visible, cyclesPerLine, nmos, x: starts } = this.#timing();
    const width = cyclesPerLine * 8;
    const wanted = x + firstVisibleX - (nmos ? latency.nmos : latency.hmos);
    const index = starts.findIndex((start) => (wanted - start + width) % width < 8);
    const line = (visible.y + y) % lines;
    // The VIC-II sees in each cycle what the line was in the one before.
    if (index === 0) this.put((line + lines - 1) % lines, cyclesPerLine);
    else this.put(line, index);
    this.#board[boardFields.penOffset] = ((wanted - (starts[index] ?? 0) + width) % width) >> 1;
  }
}
