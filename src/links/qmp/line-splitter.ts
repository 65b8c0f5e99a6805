import { GatheredBytes } from '../../formats/gathered-bytes.ts';

const newline = 0x0a;

/** Cuts a byte stream into lines of limited length; looks at each byte once. */
export class LineSplitter {
  readonly #maxLineBytes: number;
  readonly #held = new GatheredBytes();

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** The lines that are complete now, without their ends. Throws when a line grows beyond the limit. */
  *push(chunk: Uint8Array): Generator<string> {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(newline, from);
      const part = chunk.subarray(from, end < 0 ? chunk.length : end);
      if (this.#held.length + part.length > this.#maxLineBytes) {
        throw new RangeError(`a line is longer than ${this.#maxLineBytes} bytes`);
      }
      if (end < 0) return this.#held.add(part);
      from = end + 1;
      yield this.#textOf(part);
    }
  }

  #textOf(end: Uint8Array): string {
    if (this.#held.length === 0) return asText(end);
    this.#held.add(end);
    return asText(this.#held.take());
  }
}

function asText({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('utf8');
}
