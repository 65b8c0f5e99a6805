const newline = 0x0a;

/** Cuts a byte stream into lines of limited length; looks at each byte once. */
export class LineSplitter {
  readonly #maxLineBytes: number;
  #parts: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** The lines that are complete now, without their ends. Throws when a line grows beyond the limit. */
  *push(chunk: Uint8Array): Generator<string> {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(newline, from);
      const part = chunk.subarray(from, end < 0 ? chunk.length : end);
      if (this.#heldBytes + part.length > this.#maxLineBytes) {
        throw new RangeError(`a line is longer than ${this.#maxLineBytes} bytes`);
      }
      this.#parts.push(part);
      this.#heldBytes += part.length;
      if (end < 0) return;
      const line = Buffer.concat(this.#parts, this.#heldBytes).toString('utf8');
      this.#parts = [];
      this.#heldBytes = 0;
      from = end + 1;
      yield line;
    }
  }
}
