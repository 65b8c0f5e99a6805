import { tedPalette } from '../../../../chips/ted/palette.ts';
import { screenCodeToUnicode } from '../../../../formats/commodore/basic/petscii.ts';
import type { Picture, PictureWindow, ScreenCapability, TextScreen } from '../../../../machine/screen.ts';
import type { VisibleFrame } from '../../board/commodore-board.ts';
import { paletteBytes } from '../../palette-bytes.ts';
import type { Plus4Board } from '../plus4-board.ts';
import { plus4Model } from '../plus4-model.ts';

const { columns, rows } = plus4Model.screen;
const bitmapMode = 0x20;
const charactersAfterAttributes = 0x400;
const smallLetters = 4;

/** The raster line at which 25 rows begin. */
const firstTextLine = 4;

export const palette = paletteBytes(tedPalette);

/** What a monitor on the Plus/4 shows. */
export class Plus4Screen implements ScreenCapability {
  readonly #board: Plus4Board;
  readonly #wholeFrame: () => Promise<VisibleFrame>;

  constructor(board: Plus4Board, wholeFrame: () => Promise<VisibleFrame>) {
    this.#board = board;
    this.#wholeFrame = wholeFrame;
  }

  async picture(): Promise<Picture> {
    return { ...(await this.#wholeFrame()), palette };
  }

  /** The 40 by 25 characters. */
  window(): PictureWindow {
    const { lines, syncLine, visible } = this.#board.ted.timing;
    const y = firstTextLine + lines - syncLine - visible.y;
    return { x: plus4Model.screen.textAt[0], y, width: columns * 8, height: rows * 8 };
  }

  /** The characters wherever the TED looks for them; undefined while it shows a bitmap. */
  async text(): Promise<TextScreen | undefined> {
    const { ted } = this.#board;
    if (ted.peek(6) & bitmapMode) return undefined;
    const attributes = (ted.peek(0x14) & 0xf8) << 8;
    const set = ted.peek(0x13) & smallLetters ? 'lower' : 'upper';
    const at = (place: number) => this.#board.peek('ram', (attributes + place) & 0xffff);
    const character = (place: number) =>
      screenCodeToUnicode(at(charactersAfterAttributes + place) & 0x7f, set).replace('\u00a0', ' ') || ' ';
    const { column, row } = plus4Model.cells;
    return {
      columns,
      rows,
      lines: Array.from({ length: rows }, (_, line) =>
        Array.from({ length: columns }, (_each, place) => character(line * columns + place)).join(''),
      ),
      colours: Uint8Array.from({ length: rows * columns }, (_, place) => at(place) & 0x7f),
      cursor: { column: at0(this.#board, column) % columns, row: at0(this.#board, row) },
    };
  }
}

function at0(board: Plus4Board, cell: number): number {
  return board.peek('ram', cell);
}
