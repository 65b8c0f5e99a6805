/** How far a UTF-8 character has come: which bytes from 80 to BF are its middle, and not control characters. */
export class Utf8Progress {
  #left = 0;
  #low = 0x80;
  #high = 0xbf;

  /** Bytes that must still follow. */
  get left(): number {
    return this.#left;
  }

  reset(): void {
    this.#left = 0;
  }

  /** C2 counts as none: what follows it are U+0080 to U+009F, which are control characters too, and letters. */
  start(byte: number): void {
    this.#left = byte >= 0xf5 || byte < 0xc3 ? 0 : byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
    this.#low = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    this.#high = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  }

  /** Whether the byte continues the character; one that does not ends it. */
  continues(byte: number): boolean {
    if (this.#left === 0 || byte < this.#low || byte > this.#high) {
      this.#left = 0;
      return false;
    }
    this.#left--;
    this.#low = 0x80;
    this.#high = 0xbf;
    return true;
  }
}
