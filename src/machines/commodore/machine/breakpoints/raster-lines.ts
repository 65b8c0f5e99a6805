import type { CommodoreBoard } from '../../board/commodore-board.ts';

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

  /** By line: 1 for those that are marked. */
  get marks(): Uint8Array {
    return this.#isMarked;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
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
