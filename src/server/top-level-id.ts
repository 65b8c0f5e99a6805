const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const isOpening = (byte: number) => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number) => byte === 0x7d || byte === 0x5d;
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

  read(bytes: Uint8Array): this {
    let at = 0;
    while (at < bytes.length) at = this.#depth > 1 ? this.#skipInner(bytes, at) : this.#readByte(bytes, at);
    return this;
  }

  /** Most of a long message is in here. Gives the place after the end of the inner value, or of the bytes. */
  #skipInner(bytes: Uint8Array, start: number): number {
    let [at, depth, isInString, isEscaped] = [start, this.#depth, this.#isInString, this.#isEscaped];
    for (; at < bytes.length && depth > 1; at++) {
      const byte = bytes[at] ?? 0;
      if (isEscaped) isEscaped = false;
      else if (isInString && byte === backslash) isEscaped = true;
      else if (byte === quote) isInString = !isInString;
      else if (isInString) continue;
      else if (isOpening(byte)) depth++;
      else if (isClosing(byte)) depth--;
    }
    this.#depth = depth;
    this.#isInString = isInString;
    this.#isEscaped = isEscaped;
    return at;
  }

  #readByte(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] ?? 0;
    if (this.#isInString) {
      if (this.#depth === 1) this.#keep(byte);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isInString = false;
      return at + 1;
    }
    if (isClosing(byte) && --this.#depth === 0) this.#endMember();
    if (this.#depth === 1) {
      if (byte === colon) this.#startValue();
      else if (byte === comma) this.#endMember();
      else this.#keep(byte);
    }
    if (byte === quote) this.#isInString = true;
    if (isOpening(byte)) this.#depth++;
    return at + 1;
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
