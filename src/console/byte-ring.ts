import type { OutputRing } from '../machine/console.ts';
import { LineIndex } from './line-index.ts';

const maxBlockBytes = 256 * 1024;

interface Block {
  number: number;
  readonly bytes: Buffer;
  loans: number;
}

/** Bytes of the ring that stay as they are until they are given back, however far the ring runs ahead. */
export interface Loan {
  readonly bytes: Uint8Array;
  giveBack(): void;
}

/**
 * The newest bytes of a line, under absolute offsets. Memory is taken in blocks as bytes arrive. A block that left
 * the ring is used again for the newest bytes unless part of it is on loan; then a fresh one takes its place. So
 * bytes on their way to a socket need no copy and are never overwritten.
 */
export class ByteRing implements OutputRing {
  readonly capacity: number;
  readonly blockBytes: number;
  readonly #slots: (Block | undefined)[];
  readonly #lines: LineIndex;
  #end = 0;
  /** Nothing before it is kept, room or not. */
  #floor = 0;

  constructor(capacity: number) {
    if (!Number.isSafeInteger(capacity) || capacity < 1) throw new RangeError(`ring capacity ${capacity}`);
    this.capacity = capacity;
    this.blockBytes = Math.min(maxBlockBytes, capacity);
    // One more than the capacity needs: the oldest and the newest block are usually both in part outside.
    this.#slots = new Array(Math.ceil(capacity / this.blockBytes) + 1).fill(undefined);
    this.#lines = new LineIndex(this);
  }

  get start(): number {
    return Math.max(this.#floor, this.#end - this.capacity);
  }

  get end(): number {
    return this.#end;
  }

  get lines(): number {
    return this.#lines.count;
  }

  /** Forgets everything; offsets go on. */
  clear(): void {
    this.#floor = this.#end;
  }

  append(bytes: Uint8Array): void {
    let done = Math.max(0, bytes.length - this.capacity);
    this.#end += done;
    while (done < bytes.length) {
      const at = this.#end % this.blockBytes;
      const count = Math.min(this.blockBytes - at, bytes.length - done);
      this.#blockForWriting(this.#end).bytes.set(bytes.subarray(done, done + count), at);
      done += count;
      this.#end += count;
    }
  }

  read(from: number, maxBytes: number): { readonly bytes: Uint8Array; readonly from: number; readonly lost: number } {
    const first = Math.min(Math.max(from, this.start), this.#end);
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(maxBytes, this.#end - first)));
    for (let done = 0; done < bytes.length; ) {
      const piece = this.slice(first + done, bytes.length - done);
      bytes.set(piece, done);
      done += piece.length;
    }
    return { bytes, from: first, lost: Math.max(0, first - from) };
  }

  lastLines(count: number): number {
    return this.#lines.lastLines(count);
  }

  /** At most `maxBytes` from `from` on, as far as they lie in one piece. No copy: only valid until the next `append`. */
  slice(from: number, maxBytes: number): Buffer {
    const count = this.#contiguousBytes(from, maxBytes);
    if (count === 0) return Buffer.alloc(0);
    const at = from % this.blockBytes;
    return this.#blockAt(from).bytes.subarray(at, at + count);
  }

  /** The same, valid until given back. There must be a byte at `from`. */
  lend(from: number, maxBytes: number): Loan {
    const bytes = this.slice(from, maxBytes);
    const block = this.#blockAt(from);
    block.loans++;
    return { bytes, giveBack: () => block.loans-- };
  }

  #contiguousBytes(from: number, maxBytes: number): number {
    if (from < this.start || from > this.#end) {
      throw new RangeError(`offset ${from} is outside the ring: ${this.start} to ${this.#end}`);
    }
    return Math.max(0, Math.min(maxBytes, this.#end - from, this.blockBytes - (from % this.blockBytes)));
  }

  #blockAt(offset: number): Block {
    const block = this.#slots[Math.floor(offset / this.blockBytes) % this.#slots.length];
    if (!block) throw new RangeError(`no byte at offset ${offset}`);
    return block;
  }

  #blockForWriting(offset: number): Block {
    const number = Math.floor(offset / this.blockBytes);
    const slot = number % this.#slots.length;
    const old = this.#slots[slot];
    if (old?.number === number) return old;
    if (old && old.loans === 0) {
      old.number = number;
      return old;
    }
    const fresh = { number, bytes: Buffer.allocUnsafeSlow(this.blockBytes), loans: 0 };
    this.#slots[slot] = fresh;
    return fresh;
  }
}
