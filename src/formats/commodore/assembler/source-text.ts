import { encodeText, type TextEncoding } from './text-encoding.ts';

const capitalsWarning =
  'capitals are shifted letters, which the power-on character set shows as graphics: ' +
  'write small letters, or .encoding "petscii_upper" ("petscii_mixed" if this is meant)';

/** The strings of one pass: the encoding in force, and a warning, once, where the default may not be what was meant. */
export class SourceText {
  #encoding: TextEncoding;
  /** Somebody chose the encoding, or was told. */
  #isSettled: boolean;

  constructor(encoding: TextEncoding | undefined) {
    this.#encoding = encoding ?? 'petscii';
    this.#isSettled = encoding !== undefined;
  }

  get encoding(): TextEncoding {
    return this.#encoding;
  }

  choose(encoding: TextEncoding): void {
    this.#encoding = encoding;
    this.#isSettled = true;
  }

  encode(text: string, encoding: TextEncoding): { bytes: number[]; error?: string; warning?: string } {
    try {
      const bytes = encodeText(text, encoding);
      if (this.#isSettled || encoding === 'ascii' || !/[A-Z]/.test(text.replace(/\{[^}]*\}/g, ''))) return { bytes };
      this.#isSettled = true;
      return { bytes, warning: capitalsWarning };
    } catch (problem) {
      if (!(problem instanceof RangeError)) throw problem;
      return { bytes: [0], error: problem.message };
    }
  }
}
