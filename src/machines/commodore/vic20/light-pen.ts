import { fields, type Mos6560State } from '../../../chips/mos6560/fields.ts';
import { type Mos6560Timing, pixelsPerCycle } from '../../../chips/mos6560/models.ts';
import { type Beam, BeamPen } from '../board/beam-pen.ts';
import { type BoardState, boardFields } from './vic20-state.ts';

/** A pixel leaves the chip so many cycles after the counter has passed its place; the pen's line is seen a cycle later. */
const latency = 5;

/** A light pen in the control port. */
export class LightPen extends BeamPen<(typeof boardFields)['penLine' | 'penCycle' | 'penLow']> {
  readonly #vic: Mos6560State;
  readonly #timing: () => Mos6560Timing;

  /** `pulled` is told that `penLow` has changed. */
  constructor(board: BoardState, vic: Mos6560State, timing: () => Mos6560Timing, pulled: () => void) {
    super(board, boardFields, pulled);
    this.#vic = vic;
    this.#timing = timing;
  }

  protected override get beam(): Beam {
    const vic = this.#vic;
    const { cyclesPerLine } = this.#timing();
    return { line: vic[fields.line], cycle: vic[fields.cycle], lines: vic[fields.lines], cyclesPerLine };
  }

  /** It latches each time. */
  protected override get isSeen(): boolean {
    return true;
  }

  protected override seen(): void {}

  /** Pixels of what a monitor shows. */
  aim(x: number, y: number): void {
    const { visible } = this.#timing();
    this.put(visible.y + y, Math.floor((visible.x + x) / pixelsPerCycle) + latency);
  }
}
