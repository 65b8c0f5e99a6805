/** Bytes that wait, in words of a chip's state: read position, length, then the bytes. */
export class ByteQueue {
  readonly #s: Int32Array;
  readonly #capacity: number;

  /** Takes `capacity + 2` words. */
  constructor(words: Int32Array, capacity: number) {
    this.#s = words;
    this.#capacity = capacity;
  }

  get length(): number {
    return this.#s[1];
  }

  /** False, and nothing changes, where they do not all fit. */
  push(...bytes: number[]): boolean {
    if (this.length + bytes.length > this.#capacity) return false;
    for (const byte of bytes) {
      const at = (this.#s[0] + this.length) % this.#capacity;
      this.#s[2 + at] = byte;
      this.#s[1] = this.length + 1;
    }
    return true;
  }

  /** The oldest byte; the queue must not be empty. */
  shift(): number {
    const at = this.#s[0];
    this.#s[0] = (at + 1) % this.#capacity;
    this.#s[1] = this.length - 1;
    return this.#s[2 + at];
  }

  clear(): void {
    this.#s[0] = 0;
    this.#s[1] = 0;
  }
}
