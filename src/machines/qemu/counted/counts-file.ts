import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { endianness } from 'node:os';
import { dirname } from 'node:path';
import { explainedDisk } from '../launch/disk-trouble.ts';

/** So many bytes take about half a million blocks, several times what a Linux boot runs; pages that nothing is in take no room. */
const fileBytes = 64 * 1024 * 1024;
/** There before QEMU is: a disk that has no room for so much is told then. */
const firstBytes = 64 * 1024;
const headBytes = 24;
const blockBytes = 24;
const pieceBytes = 1 << 20;
const isLittle = endianness() === 'LE';

/** A block of code, as QEMU translates it. */
export interface CountedBlock {
  readonly address: bigint;
  readonly runs: number;
  /** Of each of its instructions, which lie one after the other. */
  readonly sizes: Uint8Array;
}

/** What the plugin has counted since the machine was switched on. It writes while this is read. */
export class CountsFile {
  readonly path: string;
  #file: number | undefined;
  readonly #number = new DataView(new ArrayBuffer(8));

  constructor(path: string) {
    this.path = path;
  }

  /** An empty one, for another process; who reads the old one has read it. */
  async renew(): Promise<void> {
    this.close();
    await rm(this.path, { force: true });
    const made = await open(this.path, 'wx', 0o600);
    try {
      await made.writeFile(new Uint8Array(firstBytes));
      await made.truncate(fileBytes);
    } catch (error) {
      throw explainedDisk(error, dirname(this.path), 'leave "count" out');
    } finally {
      await made.close();
    }
    this.#file = openSync(this.path, constants.O_RDONLY | constants.O_NOFOLLOW);
  }

  /** All instructions that have run. */
  get instructions(): number {
    return this.#word(8);
  }

  /** Some blocks found no room. */
  get isCut(): boolean {
    return this.#word(16) > 0;
  }

  /** In the order in which they ran first, which does not change. */
  *blocks(): Generator<CountedBlock> {
    // QEMU's word, and with it perhaps that of a guest that has broken into it.
    const used = Math.min(this.#word(0), fileBytes);
    for (let at = headBytes; at < used; ) {
      const piece = Buffer.alloc(Math.min(pieceBytes, used - at));
      this.#read(piece, at);
      const view = new DataView(piece.buffer, piece.byteOffset, piece.length);
      let next = 0;
      while (next + blockBytes <= piece.length) {
        const count = view.getUint32(next + 16, isLittle);
        const end = next + blockBytes + count;
        if (count === 0) return;
        if (end > piece.length) break;
        const sizes = piece.subarray(next + blockBytes, end);
        yield { runs: numberAt(view, next), address: view.getBigUint64(next + 8, isLittle), sizes };
        next = (end + 7) & ~7;
      }
      if (next === 0) return;
      at += next;
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #word(at: number): number {
    this.#read(new Uint8Array(this.#number.buffer), at);
    return numberAt(this.#number, 0);
  }

  /** It is a page that two processes have in common: nothing is waited for. */
  #read(into: Uint8Array, at: number): void {
    into.fill(0);
    if (this.#file !== undefined && fstatSync(this.#file).size >= at + into.length)
      readSync(this.#file, into, 0, into.length, at);
  }
}

function numberAt(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, isLittle));
}
