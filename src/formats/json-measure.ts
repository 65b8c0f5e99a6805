export interface JsonBounds {
  readonly depth: number;
  /** Values in lists and objects altogether, the first of each not counted. */
  readonly values: number;
  /** Lists, objects, and members of objects altogether, each of which costs far more than a number in a list. */
  readonly parts: number;
  /** Members of one object. */
  readonly members: number;
}

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openList, openObject, closeList, closeObject] = [0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Counts what JSON is made of while its bytes pass by, without making anything of them: a megabyte of small values takes
 * its reader a hundred times as long as a megabyte of text, and all who check it after that as well. What is not JSON has
 * some measure too.
 */
export class JsonMeasure {
  readonly #bounds: JsonBounds;
  readonly #members: Uint32Array;
  #excess: keyof JsonBounds | undefined;
  #depth = 0;
  #values = 0;
  #parts = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
    this.#members = new Uint32Array(bounds.depth + 1);
  }

  /** The first bound that was passed. */
  get excess(): keyof JsonBounds | undefined {
    return this.#excess;
  }

  read(bytes: Uint8Array): this {
    for (let at = 0; at < bytes.length && this.#excess === undefined; ) {
      at = this.#isInString ? this.#skipString(bytes, at) : this.#readOutside(bytes, at);
    }
    return this;
  }

  /** Up to the beginning of a text, or a bound. */
  #readOutside(bytes: Uint8Array, start: number): number {
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === quote) {
        this.#isInString = true;
        return at + 1;
      }
      if (byte === comma) this.#values++;
      else if (byte === colon) this.#countMember();
      else if (byte === openList || byte === openObject) this.#open();
      else if (byte === closeList || byte === closeObject) this.#depth = Math.max(0, this.#depth - 1);
      else continue;
      if (this.#values > this.#bounds.values) this.#excess ??= 'values';
      if (this.#parts > this.#bounds.parts) this.#excess ??= 'parts';
      if (this.#excess) break;
    }
    return bytes.length;
  }

  #open(): void {
    this.#parts++;
    if (++this.#depth > this.#bounds.depth) this.#excess ??= 'depth';
    else this.#members[this.#depth] = 0;
  }

  #countMember(): void {
    this.#parts++;
    const members = (this.#members[this.#depth] ?? 0) + 1;
    this.#members[this.#depth] = members;
    if (members > this.#bounds.members) this.#excess ??= 'members';
  }

  #skipString(bytes: Uint8Array, start: number): number {
    let at = start;
    for (let isEscaped = this.#isEscaped; at < bytes.length; at++) {
      const byte = bytes[at];
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) {
        this.#isInString = false;
        this.#isEscaped = false;
        return at + 1;
      }
      this.#isEscaped = isEscaped;
    }
    return at;
  }
}
