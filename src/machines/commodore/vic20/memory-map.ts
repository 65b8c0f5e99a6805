import { hideWatched, type WatchedPages } from '../board/watched-pages.ts';
import { type RamBlock, spanOf } from './memory-expansion.ts';
import type { CartridgeRom } from './vic20-cartridge.ts';

/** The images the processor and the VIC see beside RAM. */
export interface Vic20Roms {
  readonly basic: Uint8Array;
  readonly kernal: Uint8Array;
  readonly chargen: Uint8Array;
}

const places = { chargen: 0x8000, basic: 0xc000, kernal: 0xe000 } as const;
const sizes = { chargen: 0x1000, basic: 0x2000, kernal: 0x2000 } as const;
/** ROMs of the machine, and a whole address space for those of a cartridge. */
const cartridgeAt = 0x5000;
export const romBytes = cartridgeAt + 0x10000;

/** No plain memory: chips, color RAM, or nothing at all. */
const nothing = -1;

/** Where the processor and the VIC find their bytes in one memory: RAM at its start, images after the state. */
export class MemoryMap {
  /** State and ROMs; the first 64 KiB are RAM where there is some. */
  readonly bytes: Uint8Array;
  /** By address bits 15-8, what to add to an address for its place in `bytes`, or -1. */
  readonly reads = new Int32Array(256).fill(nothing);
  readonly writes = new Int32Array(256).fill(nothing);
  /** `writes`, and -1 also where the VIC looks. */
  readonly unseenWrites = new Int32Array(256).fill(nothing);
  /** `reads` and `unseenWrites`, and -1 also where somebody watches; up to date while somebody does. */
  readonly watchedReads = new Int32Array(256).fill(nothing);
  readonly watchedWrites = new Int32Array(256).fill(nothing);
  /** Whether the VIC looks at the zero page or the stack. */
  isLowSeen = false;
  /** 1 for pages on the half of the bus that the VIC shares: $0000-$1FFF and $8000-$9FFF. */
  readonly video = new Uint8Array(256);
  /** What the VIC sees of it, by bits 13-8 of its addresses: where in `bytes` a page begins, or -1. */
  readonly vicPages = new Int32Array(64).fill(nothing);
  readonly #romsAt: number;
  #ram: readonly RamBlock[];
  #plugged: readonly CartridgeRom[] = [];
  #seen: readonly number[] = [];
  #watched: WatchedPages | undefined;

  /** `colorAt`: where color RAM lies in `bytes`; `romBytes` from `romsAt` on belong to this map. */
  constructor(bytes: Uint8Array, colorAt: number, romsAt: number, roms: Vic20Roms, ram: readonly RamBlock[]) {
    this.bytes = bytes;
    this.#romsAt = romsAt;
    this.#ram = ram;
    let at = romsAt;
    for (const part of ['chargen', 'basic', 'kernal'] as const) {
      bytes.set(roms[part].subarray(0, sizes[part]), at);
      this.#show(this.reads, places[part], places[part] + sizes[part], at - places[part]);
      at += sizes[part];
    }
    for (let page = 0; page < 256; page += 1) this.video[page] = (page & 0x60) === 0 ? 1 : 0;
    this.#showRam(0, 0x400);
    this.#showRam(0x1000, 0x2000);
    this.plug([]);
    this.#showVic(0x0000, 0x1000, romsAt);
    this.#showVic(0x1400, 0x1800, colorAt);
    this.#showVic(0x2000, 0x2400, 0);
    this.#showVic(0x3000, 0x4000, 0x1000);
  }

  ramEnd(address: number): number {
    let end = address;
    while (end < 0x10000 && this.writes[end >> 8] === 0) end = (end & 0xff00) + 0x100;
    return end;
  }

  /** Whether BASIC or the KERNAL lies at this address. */
  isSystemRom(address: number): boolean {
    return address >= places.basic;
  }

  /** Other RAM in the expansion port, beside the cartridge that is in. */
  expand(ram: readonly RamBlock[]): void {
    this.#ram = ram;
    this.plug(this.#plugged);
  }

  isCartridge(address: number): boolean {
    return this.reads[address >> 8] === this.#romsAt + cartridgeAt;
  }

  /** Puts the ROMs of a cartridge in; they hide RAM. */
  plug(roms: readonly CartridgeRom[]): void {
    this.#plugged = roms;
    for (const block of Object.keys(spanOf) as RamBlock[]) {
      const { start, end } = spanOf[block];
      const base = this.#ram.includes(block) ? 0 : nothing;
      this.#show(this.reads, start, end, base);
      this.#show(this.writes, start, end, base);
    }
    this.bytes.fill(0xff, this.#romsAt + cartridgeAt, this.#romsAt + romBytes);
    for (const { address, bytes } of roms) {
      this.bytes.set(bytes, this.#romsAt + cartridgeAt + address);
      const end = address + bytes.length;
      this.#show(this.reads, address, end, this.#romsAt + cartridgeAt);
      this.#show(this.writes, address, end, nothing);
    }
    this.seenByVic(this.#seen);
  }

  /** These pages of the VIC's addresses are those that it looks at. */
  seenByVic(pages: readonly number[]): void {
    this.#seen = pages;
    this.unseenWrites.set(this.writes);
    this.isLowSeen = false;
    for (const page of pages) {
      const place = (this.vicPages[page] as number) >> 8;
      if (place < 0 || place >= this.unseenWrites.length) continue;
      this.unseenWrites[place] = nothing;
      if (place < 2) this.isLowSeen = true;
    }
    this.#hideWatched();
  }

  /** From now on accesses to these pages are to be seen. */
  watch(pages: WatchedPages | undefined): void {
    this.#watched = pages;
    this.#hideWatched();
  }

  #hideWatched(): void {
    if (this.#watched !== undefined) hideWatched(this, this.#watched);
  }

  #showRam(start: number, end: number): void {
    this.#show(this.reads, start, end, 0);
    this.#show(this.writes, start, end, 0);
  }

  #show(table: Int32Array, start: number, end: number, base: number): void {
    table.fill(base, start >> 8, (end + 255) >> 8);
  }

  #showVic(start: number, end: number, place: number): void {
    for (let at = start; at < end; at += 256) this.vicPages[at >> 8] = place + at - start;
  }
}
