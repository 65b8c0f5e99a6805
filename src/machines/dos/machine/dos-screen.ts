import { glyphs437 } from '../../../formats/code-page-437.ts';
import type { Picture, ScreenCapability, TextScreen } from '../../../machine/screen.ts';
import type { PcBoard } from '../board/pc-board.ts';

/** What the VGA shows. */
export class DosScreen implements ScreenCapability {
  readonly #board: PcBoard;

  constructor(board: PcBoard) {
    this.#board = board;
  }

  async picture(): Promise<Picture> {
    return this.#board.vga.picture();
  }

  async text(): Promise<TextScreen | undefined> {
    const screen = this.#board.vga.text();
    if (!screen) return undefined;
    const { columns, rows, codes, attributes, cursor } = screen;
    const lines = Array.from({ length: rows }, (_, row) =>
      Array.from(codes.subarray(row * columns, (row + 1) * columns), (code) => glyphs437[code] ?? ' ').join(''),
    );
    return { columns, rows, lines, ...(cursor && { cursor }), colours: attributes };
  }
}
