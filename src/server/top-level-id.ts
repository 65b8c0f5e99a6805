const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);
const longest = 200;

/**
 * Finds the `id` of a message that is too long to be kept, while it passes by: the one thing its sender needs of the
 * answer. Knows just enough JSON to tell a member of the outermost object from everything inside.
 */
export class TopLevelId {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The bytes of the member of the outermost object that is being read, up to a limit. */
  #member: number[] = [];
  #key = '';
  #found: string | number | undefined;

  get value(): string | number | undefined {
    return this.#found;
  }

  read(bytes: Uint8Array): void {
    for (const byte of bytes) this.#readByte(byte);
  }

  #readByte(byte: number): void {
    if (this.#isInString) {
      if (this.#depth === 1) this.#keep(byte);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isInString = false;
      return;
    }
    if (closing.has(byte) && --this.#depth === 0) this.#endMember();
    if (this.#depth === 1) {
      if (byte === colon) this.#startValue();
      else if (byte === comma) this.#endMember();
      else this.#keep(byte);
    }
    if (byte === quote) this.#isInString = true;
    if (opening.has(byte)) this.#depth++;
  }

  #keep(byte: number): void {
    if (this.#member.length < longest) this.#member.push(byte);
  }

  #startValue(): void {
    this.#key = Buffer.from(this.#member).toString().trim();
    this.#member = [];
  }

  #endMember(): void {
    const text = Buffer.from(this.#member).toString().trim();
    this.#member = [];
    if (this.#key !== '"id"') return;
    this.#key = '';
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) this.#found = value;
    } catch {
      // Longer than any id, or no JSON: then it is not known.
    }
  }
}
