import type { Pause } from '../elf/pause.ts';
import { occurrences } from './search.ts';

const tokenCount = 256;
const maxTokenBytes = 32;
/** Digits stand for themselves in every kernel. */
const digits = Buffer.from(Array.from({ length: 10 }, (_, n) => `${n}\0`).join(''), 'latin1');
const firstDigit = 0x30;

/** The pieces that packed names of symbols are made of, each with a number from 0 to 255. */
export class TokenTable {
  readonly at: number;
  /** After the index that follows it. */
  readonly end: number;
  readonly #image: Uint8Array;
  readonly #tokens: readonly string[];

  private constructor(image: Uint8Array, at: number, end: number, tokens: readonly string[]) {
    this.#image = image;
    this.at = at;
    this.end = end;
    this.#tokens = tokens;
  }

  /** All places in a copy of memory that look like one. */
  static async *all(image: Uint8Array, pause: Pause): AsyncGenerator<TokenTable> {
    for await (const at of occurrences(image, digits, pause)) {
      const table = TokenTable.#around(image, at);
      if (table) yield table;
    }
  }

  /** An index of where each token begins follows the tokens, and has to agree with them. */
  static #around(image: Uint8Array, zero: number): TokenTable | undefined {
    let at = zero;
    for (let n = firstDigit; n < tokenCount; n++) {
      const length = lengthAt(image, at);
      if (length < 0) return undefined;
      at += length + 1;
    }
    for (const index of new Set([(at + 7) & ~7, (at + 3) & ~3])) {
      if (index + 2 * tokenCount > image.length) continue;
      const offsets = new DataView(image.buffer, image.byteOffset + index, 2 * tokenCount);
      const start = zero - offsets.getUint16(2 * firstDigit, true);
      const tokens = tokensOf(image, start, offsets);
      if (tokens) return new TokenTable(image, start, index + 2 * tokenCount, tokens);
    }
    return undefined;
  }

  /** A name with its type in front. */
  expand(start: number, length: number): string {
    let text = '';
    for (let at = start; at < start + length; at++) text += this.#tokens[this.#image[at] ?? 0] ?? '';
    return text;
  }
}

function tokensOf(image: Uint8Array, start: number, offsets: DataView): string[] | undefined {
  const tokens: string[] = [];
  let at = start;
  for (let n = 0; n < tokenCount; n++) {
    if (at < 0 || offsets.getUint16(2 * n, true) !== at - start) return undefined;
    const length = lengthAt(image, at);
    if (length < 0) return undefined;
    tokens.push(Buffer.from(image.buffer, image.byteOffset + at, length).toString('latin1'));
    at += length + 1;
  }
  return tokens;
}

/** Up to the zero that ends it; -1 where none comes. */
function lengthAt(image: Uint8Array, at: number): number {
  return image.subarray(at, at + maxTokenBytes + 1).indexOf(0);
}
