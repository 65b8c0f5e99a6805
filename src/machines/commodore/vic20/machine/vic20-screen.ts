import { pixelsPerCycle } from '../../../../chips/mos6560/models.ts';
import { vicPalette } from '../../../../chips/mos6560/palette.ts';
import { screenCodeToUnicode } from '../../../../formats/commodore/basic/petscii.ts';
import type { Picture, PictureWindow, ScreenCapability, TextScreen } from '../../../../machine/screen.ts';
import type { VisibleFrame } from '../../board/commodore-board.ts';
import { paletteBytes } from '../../palette-bytes.ts';
import type { Vic20Board } from '../vic20-board.ts';
import { vic20Model } from '../vic20-model.ts';

export const palette = paletteBytes(vicPalette);
const { pixelWidth } = vic20Model.screen;
const tallCharacters = 1;

/** What a monitor on the VIC-20 shows. Its pixels are wide: each is two of the picture. */
export class Vic20Screen implements ScreenCapability {
  readonly #board: Vic20Board;
  readonly #wholeFrame: () => Promise<VisibleFrame>;

  constructor(board: Vic20Board, wholeFrame: () => Promise<VisibleFrame>) {
    this.#board = board;
    this.#wholeFrame = wholeFrame;
  }

  async picture(): Promise<Picture> {
    const { width, height, pixels } = await this.#wholeFrame();
    const wide = new Uint8Array(pixels.length * pixelWidth);
    for (const [index, pixel] of pixels.entries()) wide.fill(pixel, index * pixelWidth, (index + 1) * pixelWidth);
    return { width: width * pixelWidth, height, pixels: wide, palette };
  }

  /** Cut off where it leaves the picture. */
  window(): PictureWindow {
    const { vic } = this.#board;
    const { visible, mostColumns } = vic.timing;
    const left = Math.max(0, (vic.peek(0) & 0x7f) * pixelsPerCycle - visible.x);
    const top = Math.max(0, vic.peek(1) * 2 - visible.y);
    const columns = Math.min(vic.peek(2) & 0x7f, mostColumns);
    const height = ((vic.peek(3) >> 1) & 0x3f) * (vic.peek(3) & tallCharacters ? 16 : 8);
    return {
      x: left * pixelWidth,
      y: top,
      width: Math.max(0, Math.min(columns * 8, visible.width - left)) * pixelWidth,
      height: Math.max(0, Math.min(height, visible.height - top)),
    };
  }

  /** The characters wherever the VIC looks for them; undefined while they are 16 lines high, which is how bitmaps are made. */
  async text(): Promise<TextScreen | undefined> {
    const { vic } = this.#board;
    const [size, lines, places] = [vic.peek(2), vic.peek(3), vic.peek(5)];
    const columns = Math.min(size & 0x7f, vic.timing.mostColumns);
    const rows = (lines >> 1) & 0x3f;
    if (lines & tallCharacters || columns === 0 || rows === 0) return undefined;
    const matrix = ((places & 0xf0) << 6) | ((size & 0x80) << 2);
    // The second half of the character ROM has the small letters.
    const set = (places & 0xa) === 2 ? 'lower' : 'upper';
    const place = (row: number, column: number) => (matrix + row * columns + column) & 0x3fff;
    const character = (at: number) =>
      screenCodeToUnicode(this.#board.peek('vic', at) & 0x7f, set).replace('\u00a0', ' ') || ' ';
    return {
      columns,
      rows,
      lines: Array.from({ length: rows }, (_, row) =>
        Array.from({ length: columns }, (_each, column) => character(place(row, column))).join(''),
      ),
      // Bit 3 makes a character multicoloured.
      colours: Uint8Array.from({ length: rows * columns }, (_, index) => this.#board.peek('color', matrix + index) & 7),
      cursor: { column: this.#board.peek('ram', 0xd3) % columns, row: this.#board.peek('ram', 0xd6) },
    };
  }
}
