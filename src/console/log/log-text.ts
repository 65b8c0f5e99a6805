import { EscapeFilter } from '../escape-filter.ts';

const lineFeed = 0x0a;

/**
 * Output as it goes into a log: lines begin with the time of their first byte, sequences that could harm whoever looks
 * at the file are left out, marks stand on lines of their own.
 */
export class LogText {
  readonly #timestamps: boolean;
  #filter = new EscapeFilter();
  #atLineStart: boolean;

  constructor(timestamps: boolean, atLineStart = true) {
    this.#timestamps = timestamps;
    this.#atLineStart = atLineStart;
  }

  output(bytes: Uint8Array, at: Date): Uint8Array {
    const plain = this.#filter.filter(bytes);
    if (plain.length === 0) return plain;
    if (!this.#timestamps) {
      this.#atLineStart = plain.at(-1) === lineFeed;
      return plain;
    }
    const stamp = Buffer.from(`${at.toISOString()} `);
    const pieces: Uint8Array[] = [];
    for (let from = 0; from < plain.length; ) {
      const end = plain.indexOf(lineFeed, from) + 1 || plain.length;
      if (this.#atLineStart) pieces.push(stamp);
      pieces.push(plain.subarray(from, end));
      this.#atLineStart = plain[end - 1] === lineFeed;
      from = end;
    }
    return Buffer.concat(pieces);
  }

  /** As conserver writes them: `[-- MARK -- 2026-11-15T12:00:00.000Z]`. */
  mark(text: string, at: Date): Uint8Array {
    // A sequence that is still open does not go on after the mark.
    this.#filter = new EscapeFilter();
    const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ');
    const line = `${this.#atLineStart ? '' : '\n'}[-- ${plain} -- ${at.toISOString()}]\n`;
    this.#atLineStart = true;
    return Buffer.from(line);
  }
}
