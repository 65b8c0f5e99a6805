import { hex, hexEscape } from '../../formats/hex.ts';
import { EscapeTokenizer, readerRules } from '../../formats/terminal/escape-tokenizer.ts';
import { cellWidth, isInvisible } from './character.ts';
import { OffsetMap } from './offset-map.ts';
import { Utf8Decoder } from './utf8-decoder.ts';

/**
 * Stands in stripped text where the rest of the line was erased (`ESC [ K` left of its end). Never a byte of the
 * console's: a real DEL is shown as `\x7f`.
 */
export const eraseMark = '\x7f';

const eraseInLine = 0x4b;
const cursorToColumn = 0x47;
const cursorBack = 0x44;

/** An escape sequence that began at most this far back is read again by whoever goes on. */
const maxHeldBytes = 4096;

/**
 * Console bytes in, plain text out, cut into chunks anywhere.
 *
 * Escape sequences (7-bit and 8-bit, and the charset shifts SO and SI) vanish. `\r\n` and `\r\r\n` become `\n`; a `\r`
 * or `\b` that moves something is kept for folding, as is TAB. Every other control character, byte that is not UTF-8
 * and invisible character is shown: `\x07`, `\xff`, `\u{200B}`, repeated ones as `\x00{×512}`. A backslash stays one
 * backslash, so a console that prints `\x07` in letters looks the same; the raw and hex views tell them apart.
 */
export class StripStream {
  readonly #map: OffsetMap;
  readonly #escape = new EscapeTokenizer(readerRules);
  readonly #utf8 = new Utf8Decoder();
  readonly #latin1 = new TextDecoder('latin1');
  /** What shows even in the middle of an escape sequence that a program left open, and ends it. */
  readonly #landmark: string | undefined;
  /** The last bytes of the sequence, as many as the landmark has. */
  #swallowed = '';
  #text = '';
  #offset: number;
  #escapeStart = 0;
  /** A carriage return waits for what follows; these are the offsets before and after it, and any more of them. */
  #return: { readonly start: number; end: number } | undefined;
  #run = { label: '', count: 0, end: 0 };
  #column = 0;
  #lineLength = 0;

  constructor(offset = 0, landmark?: string) {
    this.#offset = offset;
    this.#landmark = landmark;
    this.#map = new OffsetMap(offset);
  }

  /** Ring offset after the last byte taken. */
  get offset(): number {
    return this.#offset;
  }

  /** How many UTF-16 units of text came out so far. */
  get units(): number {
    return this.#map.units;
  }

  /** Ring offset just after the bytes that made the first `units` units of text. */
  offsetAt(units: number): number {
    return this.#map.at(units);
  }

  /** Frees what is only needed to place text before `unit`. */
  forget(unit: number): void {
    this.#map.forget(unit);
  }

  push(bytes: Uint8Array): string {
    const characters = this.#latin1.decode(bytes);
    const base = this.#offset;
    let at = 0;
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0;
      this.#offset = base + at + 1;
      if (this.#escape.active) {
        if (this.#feedEscape(byte)) at++;
        if (this.#landmark !== undefined) this.#watchFor(this.#landmark, byte);
      } else if (this.#utf8.active) {
        if (this.#feedUtf8(byte)) at++;
      } else if (byte >= 0x20 && byte < 0x7f) {
        const begin = at;
        while (++at < bytes.length && isPrintable(bytes[at] ?? 0)) {}
        this.#emit(characters.slice(begin, at), base + begin + 1, 1, at - begin);
      } else {
        this.#feedSpecial(byte);
        at++;
      }
    }
    this.#offset = base + bytes.length;
    return this.#take();
  }

  /**
   * Ends the stream: what text is still owed, and the offset from which another stream goes on without a seam. With
   * `complete` nothing is left for that other stream: half a character is shown as bytes.
   */
  end(complete: boolean): { readonly text: string; readonly offset: number } {
    this.#settleRun();
    if (complete) {
      this.#settleReturn();
      this.#showBroken();
      this.#settleRun();
      this.#escape.abort();
      return { text: this.#take(), offset: this.#offset };
    }
    const held = [this.#offset];
    if (this.#return) held.push(this.#return.start);
    if (this.#utf8.active) held.push(this.#offset - this.#utf8.pending.length);
    if (this.#escape.active && this.#offset - this.#escapeStart <= maxHeldBytes) held.push(this.#escapeStart);
    return { text: this.#take(), offset: Math.min(...held) };
  }

  /** True when the byte was used up. */
  #feedEscape(byte: number): boolean {
    if (byte === 0x1b) this.#escapeStart = this.#offset - 1;
    const verdict = this.#escape.feed(byte);
    if (verdict === 'control') this.#feedSpecial(byte);
    if (verdict === 'last') this.#obey();
    return verdict !== 'after';
  }

  #watchFor(landmark: string, byte: number): void {
    const last = this.#escape.active ? this.#swallowed + String.fromCharCode(byte) : '';
    this.#swallowed = last.slice(-landmark.length);
    if (this.#swallowed !== landmark) return;
    this.#escape.abort();
    this.#swallowed = '';
    this.#emit(landmark, this.#offset - landmark.length + 1, 1, landmark.length);
  }

  #feedUtf8(byte: number): boolean {
    const codePoint = this.#utf8.feed(byte);
    if (codePoint === 'broken') {
      this.#offset--;
      this.#showBroken();
      this.#offset++;
      // A stray continuation byte belongs to the broken character, even where alone it would begin a sequence.
      const continuation = byte >= 0x80 && byte < 0xc0;
      if (continuation) this.#show(hexEscape(byte), this.#offset);
      return continuation;
    }
    if (codePoint !== undefined) this.#character(codePoint);
    return true;
  }

  #feedSpecial(byte: number): void {
    if (byte === 0x0a) this.#lineFeed();
    else if (byte === 0x0d) this.#carriageReturn(this.#offset - 1);
    else if (byte === 0x08) this.#backspace(1);
    else if (byte === 0x09) this.#emit('\t', this.#offset, 0, 8 - (this.#column % 8));
    else if (byte === 0x0e || byte === 0x0f || byte === 0x9c) return;
    else if (this.#escape.start(byte)) this.#escapeStart = this.#offset - 1;
    else if (!this.#utf8.start(byte)) this.#show(hexEscape(byte), this.#offset);
  }

  #character(codePoint: number): void {
    if (isInvisible(codePoint)) this.#show(`\\u{${hex(codePoint)}}`, this.#offset);
    else this.#emit(String.fromCodePoint(codePoint), this.#offset, 0, cellWidth(codePoint));
  }

  #showBroken(): void {
    const bytes = this.#utf8.discard();
    const start = this.#offset - bytes.length;
    bytes.forEach((byte, index) => {
      this.#show(hexEscape(byte), start + index + 1);
    });
  }

  /** The few control sequences that change what stays on the line. */
  #obey(): void {
    const { final } = this.#escape;
    if (final !== eraseInLine && final !== cursorToColumn && final !== cursorBack) return;
    const { parameters } = this.#escape;
    if (!/^\d*$/.test(parameters)) return;
    const value = Number(parameters);
    if (final === eraseInLine && (value === 0 || value === 2)) this.#erase(value === 2);
    if (final === cursorToColumn && value <= 1) this.#carriageReturn(this.#escapeStart);
    if (final === cursorBack) this.#backspace(Math.max(1, value));
  }

  #erase(wholeLine: boolean): void {
    this.#settleRun();
    this.#settleReturn();
    if (wholeLine && this.#column > 0) this.#return = { start: this.#escapeStart, end: this.#offset };
    this.#settleReturn();
    if (this.#column >= this.#lineLength) return;
    this.#emit(eraseMark, this.#offset, 0, 0);
    this.#lineLength = this.#column;
  }

  #lineFeed(): void {
    this.#return = undefined;
    this.#emit('\n', this.#offset, 1, 0);
    this.#column = 0;
    this.#lineLength = 0;
  }

  #carriageReturn(start: number): void {
    this.#settleRun();
    if (this.#return) this.#return.end = this.#offset;
    else this.#return = { start, end: this.#offset };
  }

  #backspace(count: number): void {
    this.#settleReturn();
    this.#settleRun();
    const steps = Math.min(count, this.#column);
    if (steps > 0) this.#emit('\b'.repeat(steps), this.#offset, 0, -steps);
  }

  /** Shows what has no look of its own. A repetition is counted and written when it is over. */
  #show(label: string, end: number): void {
    if (this.#run.label === label && !this.#return) {
      this.#run.count++;
      this.#run.end = end;
      return;
    }
    this.#emit(label, end, 0, label.length);
    this.#run = { label, count: 1, end };
  }

  #settleRun(): void {
    const { count, end } = this.#run;
    this.#run = { label: '', count: 0, end: 0 };
    if (count > 1) this.#append(`{×${count}}`, end, 0, `${count}`.length + 3);
  }

  /** A carriage return at the start of the line moves nothing and is dropped. */
  #settleReturn(): void {
    if (!this.#return) return;
    const { end } = this.#return;
    this.#return = undefined;
    if (this.#column === 0) return;
    this.#append('\r', end, 0, 0);
    this.#column = 0;
  }

  #emit(text: string, firstOffset: number, step: 0 | 1, cells: number): void {
    if (this.#run.count > 0) this.#settleRun();
    if (this.#return) this.#settleReturn();
    this.#append(text, firstOffset, step, cells);
  }

  #append(text: string, firstOffset: number, step: 0 | 1, cells: number): void {
    this.#text += text;
    this.#map.add(text.length, firstOffset, step);
    this.#column += cells;
    if (this.#column > this.#lineLength) this.#lineLength = this.#column;
  }

  #take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

function isPrintable(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f;
}
