/** Decodes one multi-byte UTF-8 character at a time and hands back the bytes of those that are broken. */
export class Utf8Decoder {
  #bytes: number[] = [];
  #length = 0;

  get active(): boolean {
    return this.#bytes.length > 0;
  }

  get pending(): readonly number[] {
    return this.#bytes;
  }

  /** Takes a lead byte; false when no character begins with it. */
  start(byte: number): boolean {
    if (byte < 0xc2 || byte > 0xf4) return false;
    this.#length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    this.#bytes = [byte];
    return true;
  }

  /** The character once it is whole. `broken`: this byte does not continue it; call `discard`. */
  feed(byte: number): number | 'broken' | undefined {
    if (!this.#continues(byte)) return 'broken';
    this.#bytes.push(byte);
    if (this.#bytes.length < this.#length) return undefined;
    const [lead = 0, ...rest] = this.discard();
    return rest.reduce((value, next) => (value << 6) | (next & 0x3f), lead & (0x7f >> this.#length));
  }

  /** Forgets the character in progress and returns its bytes. */
  discard(): number[] {
    const bytes = this.#bytes;
    this.#bytes = [];
    return bytes;
  }

  /** Refuses overlong forms, surrogates and what lies above U+10FFFF at the second byte, where they show. */
  #continues(byte: number): boolean {
    let low = 0x80;
    let high = 0xbf;
    if (this.#bytes.length === 1) {
      const lead = this.#bytes[0];
      if (lead === 0xe0) low = 0xa0;
      if (lead === 0xed) high = 0x9f;
      if (lead === 0xf0) low = 0x90;
      if (lead === 0xf4) high = 0x8f;
    }
    return byte >= low && byte <= high;
  }
}
