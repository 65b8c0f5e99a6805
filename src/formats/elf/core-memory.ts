import type { CoreBytes, CoreSegment } from './core-file.ts';
import { type Pause, pauses } from './pause.ts';

const blockBytes = 16 * 1024;
/** 4 MiB: what page tables and stacks need again and again. */
const keptBlocks = 256;
/** Larger pieces are not worth keeping. */
const directBytes = 256 * 1024;

/** The physical memory in a core file. Nothing is read before it is asked for, and little is kept. */
export class CoreMemory {
  readonly #file: CoreBytes;
  readonly #segments: readonly CoreSegment[];
  readonly #blocks = new Map<number, Uint8Array>();
  readonly #pause: Pause = pauses();

  constructor(file: CoreBytes, segments: readonly CoreSegment[]) {
    this.#file = file;
    this.#segments = segments;
  }

  /** How much there is from this address on without a gap, at most `length`. */
  held(address: bigint, length: number): number {
    let count = 0;
    for (let n = this.#indexOf(address); n >= 0 && count < length; n++) {
      const segment = this.#segments[n];
      const at = address + BigInt(count);
      if (!segment || segment.physical > at || at >= segment.physical + segment.bytes) break;
      count += Number(segment.physical + segment.bytes - at);
    }
    return Math.min(count, length);
  }

  /** Undefined where a part of it is not in the file. */
  async read(address: bigint, length: number): Promise<Uint8Array | undefined> {
    if (this.held(address, length) < length) return undefined;
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      await this.#pause();
      const at = address + BigInt(done);
      const segment = this.#segments[this.#indexOf(at)];
      if (!segment) return undefined;
      const left = segment.physical + segment.bytes - at;
      const count = Number(left < BigInt(length - done) ? left : BigInt(length - done));
      const piece = await this.#fromFile(segment.at + Number(at - segment.physical), count);
      if (piece.length === 0) return undefined;
      bytes.set(piece, done);
      done += piece.length;
    }
    return bytes;
  }

  /** As much as lies in one block, or as much as is read at once. */
  async #fromFile(at: number, most: number): Promise<Uint8Array> {
    if (most >= directBytes) return this.#file.read(at, directBytes);
    const start = at - (at % blockBytes);
    const block = await this.#block(start);
    return block.subarray(at - start, Math.min(at - start + most, block.length));
  }

  async #block(start: number): Promise<Uint8Array> {
    const known = this.#blocks.get(start);
    if (known) {
      // The order of insertion is that of use.
      this.#blocks.delete(start);
      this.#blocks.set(start, known);
      return known;
    }
    const block = await this.#file.read(start, blockBytes);
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size >= keptBlocks && oldest !== undefined) this.#blocks.delete(oldest);
    this.#blocks.set(start, block);
    return block;
  }

  /** Of the last segment that does not begin after it. */
  #indexOf(address: bigint): number {
    let [low, high] = [0, this.#segments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#segments[middle]?.physical ?? 0n) <= address) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
