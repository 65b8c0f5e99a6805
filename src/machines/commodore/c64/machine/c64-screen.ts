import { type Vic2State, fields as vic } from '../../../../chips/vic2/fields.ts';
import { peptoPal } from '../../../../chips/vic2/palette.ts';
import { type CharacterSet, screenCodeToUnicode } from '../../../../formats/commodore/basic/petscii.ts';
import type { Picture, PictureWindow, ScreenCapability, TextScreen } from '../../../../machine/screen.ts';
import type { VisibleFrame } from '../../board/commodore-board.ts';
import { paletteBytes } from '../../palette-bytes.ts';
import type { C64Board } from '../c64-board.ts';
import { c64Model } from '../c64-model.ts';
import { textWindow } from '../visible-frame.ts';
import { boardWords } from './board-words.ts';

const { columns, rows } = c64Model.screen;
const bitmapMode = 0x20;

export const palette = paletteBytes(peptoPal);

/** What a monitor on the C64 shows. */
export class C64Screen implements ScreenCapability {
  readonly #board: C64Board;
  readonly #wholeFrame: () => Promise<VisibleFrame>;
  readonly #vic: Vic2State;

  constructor(board: C64Board, wholeFrame: () => Promise<VisibleFrame>) {
    this.#board = board;
    this.#wholeFrame = wholeFrame;
    this.#vic = boardWords(board, 'vic');
  }

  async picture(): Promise<Picture> {
    return { ...(await this.#wholeFrame()), palette };
  }

  window(): PictureWindow {
    const { x, y } = this.#board.visible;
    return { ...textWindow, x: textWindow.x - x, y: textWindow.y - y };
  }

  /** The characters wherever the VIC-II looks for them; undefined while it shows a bitmap. */
  async text(): Promise<TextScreen | undefined> {
    if (this.#vic[vic.d011] & bitmapMode) return undefined;
    const matrix = (this.#vic[vic.d018] & 0xf0) << 6;
    const set = this.#characterSet();
    const lines = Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_each, column) => {
        const code = this.#board.memory.fetchPhi2(matrix + row * columns + column);
        return screenCodeToUnicode(code & 0x7f, set).replace('\u00a0', ' ') || ' ';
      }).join(''),
    );
    const colours = Uint8Array.from(this.#board.color.subarray(0, columns * rows), (colour) => colour & 15);
    return { columns, rows, lines, colours, cursor: this.#cursor() };
  }

  /** The second half of the character ROM has the small letters. */
  #characterSet(): CharacterSet {
    return this.#vic[vic.d018] & 2 ? 'lower' : 'upper';
  }

  /** As the KERNAL keeps it. */
  #cursor(): { readonly column: number; readonly row: number } {
    return { column: this.#board.peek('ram', 0xd3) % columns, row: this.#board.peek('ram', 0xd6) };
  }
}
