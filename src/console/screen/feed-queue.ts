import type { Batch } from './screen-messages.ts';

const blockBytes = 64 * 1024;
const maxWaitingBytes = 4 * 1024 * 1024;
const keptBytes = 256 * 1024;

interface Block {
  readonly bytes: Uint8Array;
  length: number;
}

/**
 * Output on its way to a screen: copied, packed into blocks, and bounded. When the screen falls behind too far, only
 * the newest bytes are kept: what they push away could not be seen any more.
 */
export class FeedQueue {
  #blocks: Block[] = [];
  #spare: Block | undefined;
  #bytes = 0;
  #end: number;
  #reset = true;
  #skipped = 0;

  /** `from`: the offset of the first byte that will come. */
  constructor(from: number) {
    this.#end = from;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Offset after the newest byte. */
  get end(): number {
    return this.#end;
  }

  /** Offset of the oldest byte that waits. */
  get start(): number {
    return this.#end - this.#bytes;
  }

  /** Bytes that were never drawn because there were too many. */
  get skippedBytes(): number {
    return this.#skipped;
  }

  push(offset: number, bytes: Uint8Array): void {
    const known = this.#end - offset;
    if (known >= bytes.length) return;
    if (known < 0) this.#dropAll(-known);
    this.#copy(known > 0 ? bytes.subarray(known) : bytes);
    this.#end = offset + bytes.length;
    if (this.#bytes > maxWaitingBytes) this.#dropOldest();
  }

  /** The oldest bytes, at most one block; they belong to the caller. */
  take(): Batch | undefined {
    const from = this.start;
    const block = this.#blocks.shift();
    if (!block) return undefined;
    this.#bytes -= block.length;
    const bytes = this.#handOver(block);
    const cut = this.#reset && from > 0;
    const batch = { bytes: cut ? bytes.subarray(resumePoint(bytes)) : bytes, offset: this.start, reset: this.#reset };
    this.#reset = false;
    return batch;
  }

  /** Bytes with a buffer of just their size, fit to be given to another thread. A block hardly used is kept. */
  #handOver(block: Block): Uint8Array {
    if (block.length === blockBytes) return block.bytes;
    const bytes = block.bytes.slice(0, block.length);
    block.length = 0;
    this.#spare = block;
    return bytes;
  }

  #copy(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      let last = this.#blocks.at(-1);
      if (!last || last.length === blockBytes) {
        last = this.#spare ?? { bytes: new Uint8Array(blockBytes), length: 0 };
        this.#spare = undefined;
        this.#blocks.push(last);
      }
      const count = Math.min(blockBytes - last.length, bytes.length - at);
      last.bytes.set(bytes.subarray(at, at + count), last.length);
      last.length += count;
      at += count;
    }
    this.#bytes += bytes.length;
  }

  #dropOldest(): void {
    while (this.#bytes > keptBytes) {
      const block = this.#blocks.shift();
      if (!block) break;
      this.#bytes -= block.length;
      this.#skipped += block.length;
    }
    this.#reset = true;
  }

  #dropAll(missing: number): void {
    this.#skipped += this.#bytes + missing;
    this.#blocks = [];
    this.#bytes = 0;
    this.#reset = true;
  }
}

/** Where drawing can begin in output that was cut anywhere: a new line, else a control sequence. */
function resumePoint(bytes: Uint8Array): number {
  const head = bytes.subarray(0, 4096);
  const newline = head.indexOf(0x0a);
  if (newline >= 0) return newline + 1;
  return Math.max(head.indexOf(0x1b), 0);
}
