import { TextDecoder } from 'node:util';
import xterm, { type IBufferCell, type IBufferLine, type Terminal } from '@xterm/headless';
import type { ScreenText, StyledScreen } from '../../machine/console.ts';
import { characterWidth } from './character-width.ts';
import { ControlGuard, countLimit } from './control-guard.ts';
import { LineFeeds } from './line-feeds.ts';
import { Scrollback, scrollbackLines } from './scrollback.ts';
import { cellText, styledLine } from './styled-line.ts';

/** The terminal looks at the clock between pieces only, so a piece bounds how long it can hold the thread. */
const pieceChars = 1024;
const maxTitleChars = 200;
/** A terminal without a window: fed with a guest's bytes, it says what would be seen. Sends nothing back. */
export class HeadlessScreen {
  readonly #terminal: Terminal;
  readonly #guard = new ControlGuard();
  readonly #lineFeeds = new LineFeeds();
  readonly #scrollback: Scrollback;
  #decoder = newDecoder();
  #title = '';
  #cursorVisible = true;
  #offset = 0;

  constructor(columns: number, rows: number) {
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: scrollbackLines,
      allowProposedApi: true,
      logLevel: 'off',
    });
    this.#scrollback = new Scrollback(this.#terminal);
    this.#terminal.unicode.register(characterWidth);
    this.#terminal.unicode.activeVersion = characterWidth.version;
    this.#terminal.onTitleChange((title) => {
      this.#title = cleanTitle(title);
    });
    this.#watchCursor();
    this.#refuseHugeCounts();
  }

  /** Draws `bytes`, after which the picture is that of the output up to `offset`. */
  async feed(bytes: Uint8Array, offset: number): Promise<void> {
    const text = this.#lineFeeds.pass(this.#guard.pass(this.#decoder.decode(bytes, { stream: true }), this.#size));
    if (text.length > 0) await this.#draw(text);
    this.#offset = offset;
  }

  /** Forgets everything but the size: the bytes that follow do not continue what came before. */
  async reset(): Promise<void> {
    // The terminal's own reset does not end a sequence or string that is open; CAN does.
    await this.#draw('\x18');
    this.#terminal.reset();
    this.#scrollback.forget();
    this.#guard.reset();
    this.#lineFeeds.reset();
    this.#decoder = newDecoder();
    this.#title = '';
    this.#cursorVisible = true;
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#scrollback.forget();
  }

  text(): ScreenText {
    const buffer = this.#terminal.buffer.active;
    const cell = buffer.getNullCell();
    const lines = Array.from({ length: this.#terminal.rows }, (_, row) => {
      const line = buffer.getLine(buffer.baseY + row);
      return line ? lineText(line, cell) : '';
    });
    return {
      ...this.#size,
      lines,
      // After the last column the cursor waits for the next character to wrap.
      cursor: {
        column: Math.min(buffer.cursorX, this.#terminal.cols - 1),
        row: buffer.cursorY,
        visible: this.#cursorVisible,
      },
      title: this.#title,
      offset: this.#offset,
    };
  }

  styled(scrolledFrom = Number.POSITIVE_INFINITY): StyledScreen {
    const buffer = this.#terminal.buffer.active;
    const { applicationCursorKeysMode, bracketedPasteMode } = this.#terminal.modes;
    return {
      ...this.text(),
      styled: Array.from({ length: this.#terminal.rows }, (_, row) => {
        const line = buffer.getLine(buffer.baseY + row);
        return line ? styledLine(line, buffer.getNullCell()) : [];
      }),
      applicationCursorKeys: applicationCursorKeysMode,
      bracketedPaste: bracketedPasteMode,
      scrolled: this.#scrollback.read(scrolledFrom),
    };
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  get #size(): { columns: number; rows: number } {
    return { columns: this.#terminal.cols, rows: this.#terminal.rows };
  }

  #draw(text: string): Promise<void> {
    return new Promise((resolve) => {
      let at = 0;
      for (; at + pieceChars < text.length; at += pieceChars) this.#terminal.write(text.slice(at, at + pieceChars));
      this.#terminal.write(text.slice(at), resolve);
    });
  }

  /** The public interface does not tell whether the cursor is shown, so we follow DECTCEM and the resets. */
  #watchCursor(): void {
    const { parser } = this.#terminal;
    const set = (visible: boolean) => (params: (number | number[])[]) => {
      if (params.includes(25)) this.#cursorVisible = visible;
      return false;
    };
    const shown = () => {
      this.#cursorVisible = true;
      return false;
    };
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, set(true));
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, set(false));
    parser.registerCsiHandler({ intermediates: '!', final: 'p' }, shown);
    parser.registerEscHandler({ final: 'c' }, shown);
  }

  /** A second net below `ControlGuard`, inside the parser itself, so that no trick with its states gets past. */
  #refuseHugeCounts(): void {
    for (const final of ['L', 'M', 'S', 'T', 'I', 'Z', 'b']) {
      this.#terminal.parser.registerCsiHandler({ final }, ([count]) => {
        const limit = countLimit(final, this.#size);
        return typeof count === 'number' && limit !== undefined && count > limit;
      });
    }
  }
}

function newDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}

function cleanTitle(title: string): string {
  const clean = title.replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '');
  return [...clean].slice(0, maxTitleChars).join('');
}

function lineText(line: IBufferLine, cell: IBufferCell): string {
  let text = '';
  for (let column = 0; column < line.length; column += 1) {
    const chars = line.getCell(column, cell)?.getChars() ?? '';
    // The second half of a wide character has no width and no characters of its own.
    if (cell.getWidth() === 0) continue;
    text += cellText(chars);
  }
  return text.trimEnd();
}
