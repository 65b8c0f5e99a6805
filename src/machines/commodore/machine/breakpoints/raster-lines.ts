import type { CommodoreBoard, LinesToTell } from '../../board/commodore-board.ts';
import type { Trigger } from './trigger.ts';

/** More than any video chip has. */
const mostLines = 1024;

/** The lines of the raster at whose beginning something has to be looked at, so that a run can end exactly there. */
export class RasterLines {
  readonly #board: CommodoreBoard;
  readonly #isMarked = new Uint8Array(mostLines);
  #count = 0;

  constructor(board: CommodoreBoard) {
    this.#board = board;
  }

  clear(): void {
    this.#isMarked.fill(0);
    this.#count = 0;
  }

  mark(line: number): void {
    this.#isMarked[line] = 1;
    this.#count++;
  }

  /** Those at which a trigger may happen; in a composite those where it begins and no longer is the case. */
  markFor({ first, last, each }: Pick<Trigger, 'first' | 'last' | 'each'>, isPart: boolean): void {
    for (let line = first; line <= (each && !isPart ? last : first); line++) this.mark(line);
    if (isPart) this.mark((last + 1) % this.#board.rasterLines);
  }

  /** For a run of a board that can tell of them itself; undefined where it cannot, or none is marked. */
  toTell(began: () => boolean): LinesToTell | undefined {
    return this.#board.tellsLines && this.#count > 0 ? { isMarked: this.#isMarked, began } : undefined;
  }

  /** Cycles until the next of them begins. */
  get cyclesToNext(): number {
    if (this.#count === 0) return Number.POSITIVE_INFINITY;
    const { rasterLine, rasterLines } = this.#board;
    let line = this.#isMarked.indexOf(1, rasterLine + 1);
    if (line < 0 || line >= rasterLines) line = this.#isMarked.indexOf(1);
    // A line that only an interlaced picture has: it is looked for again in the next frame.
    if (line >= rasterLines) line = 0;
    return this.#board.cyclesToLine(line);
  }

  /** Whether the line that the beam is in is one of them. */
  get isHere(): boolean {
    return this.#isMarked[this.#board.rasterLine] !== 0;
  }
}
