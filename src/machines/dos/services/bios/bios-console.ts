import { keyOf } from '../dos/con-device/key-word.ts';
import type { Console, ConsoleScreen, Key } from '../dos/wiring.ts';
import type { KeyBuffer } from './keyboard/key-buffer.ts';
import { putCharacter, scroll, teletype } from './video/text-output.ts';
import type { VideoBios } from './video/video-bios.ts';

const NORMAL = 0x07;

/** Screen and keyboard for the console driver of DOS, by the services of the BIOS. */
export class BiosConsole implements Console {
  readonly screen: ConsoleScreen;
  /** Of characters to come. */
  attribute = NORMAL;
  readonly #video: VideoBios;
  readonly #keys: KeyBuffer;

  constructor(video: VideoBios, keys: KeyBuffer) {
    this.#video = video;
    this.#keys = keys;
    const current = () => this.attribute;
    this.screen = {
      get attribute() {
        return current();
      },
      get rows() {
        return video.rows;
      },
      get columns() {
        return video.columns;
      },
      cursor: () => video.cursor(video.activePage),
      moveCursor: (row, column) => video.moveCursor(video.activePage, row, column),
      clear(fromRow, fromColumn, toRow, toColumn, attribute) {
        for (let row = fromRow; row <= toRow; row++) {
          const left = row === fromRow ? fromColumn : 0;
          const right = (row === toRow ? toColumn : video.columns) - 1;
          const window = { top: row, left, bottom: row, right };
          if (right >= left) scroll(video, video.activePage, window, 0, true, attribute);
        }
      },
      setAttribute: (attribute) => {
        this.attribute = attribute;
      },
    };
  }

  write(byte: number): void {
    const video = this.#video;
    const page = video.activePage;
    const isText = video.mode.layout === 'text';
    // An attribute of its own goes into the cell first; the teletype leaves it there.
    if (isText && this.attribute !== NORMAL && byte >= 0x20) {
      const { row, column } = video.cursor(page);
      if (row < video.rows) putCharacter(video, page, row, column, byte, this.attribute);
    }
    teletype(video, page, byte, isText ? undefined : this.attribute & 15);
  }

  peek(): Key | undefined {
    const word = this.#keys.peek();
    return word === undefined ? undefined : keyOf(word);
  }

  poll(): Key | undefined {
    const word = this.#keys.shift();
    return word === undefined ? undefined : keyOf(word);
  }
}
