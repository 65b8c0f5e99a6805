import { hideWatched, type WatchedPages } from '../board/watched-pages.ts';
/** What the processor and the TED see beside RAM: 16 KiB each, empty where nothing is plugged in. */
export interface Plus4Roms {
  readonly basic: Uint8Array;
  readonly kernal: Uint8Array;
  /** Built into a Plus/4: the programs that came with it. */
  readonly functionLow?: Uint8Array | undefined;
  readonly functionHigh?: Uint8Array | undefined;
}

/** The images of a cartridge: low ones answer from $8000 on, high ones from $C000 on. Number 1 and 2. */
export interface CartridgeImages {
  readonly low: readonly [Uint8Array | undefined, Uint8Array | undefined];
  readonly high: readonly [Uint8Array | undefined, Uint8Array | undefined];
}

const imageBytes = 0x4000;
const bankCount = 4;
export const romBytes = 2 * bankCount * imageBytes;

/** No plain memory: chips, or nothing at all. */
const nothing = -1;
const ioPages = [0xfd, 0xfe] as const;
const tedPage = 0xff;
const kernalPage = 0xfc;
const romStart = 0x80;
const highStart = 0xc0;

/** Where the processor and the TED find their bytes in one memory: RAM at its start, images after the state. */
export class MemoryMap {
  /** State and ROMs; the first 64 KiB are RAM where there is some. */
  readonly bytes: Uint8Array;
  /** By address bits 15-8, what to add to an address for its place in `bytes`, or -1. Page 0 is -1: it has the processor's port. */
  readonly reads = new Int32Array(256).fill(nothing);
  readonly writes = new Int32Array(256).fill(nothing);
  /** `writes`, and -1 also where the TED looks. */
  readonly unseenWrites = new Int32Array(256).fill(nothing);
  /** `reads` and `unseenWrites`, and -1 also where somebody watches; up to date while somebody does. */
  readonly watchedReads = new Int32Array(256).fill(nothing);
  readonly watchedWrites = new Int32Array(256).fill(nothing);
  /** Whether the TED looks at the zero page or the stack. */
  isLowSeen = false;
  /** The same for the TED: RAM, and what ROM shows. Bases of mirrors are negative; -1 alone means that nothing answers. */
  readonly tedRam = new Int32Array(256).fill(nothing);
  readonly tedRom = new Int32Array(256).fill(nothing);
  /** Which bits of an address RAM has. */
  readonly ramMask: number;
  readonly #romsAt: number;
  readonly #present = new Uint8Array(2 * bankCount);
  readonly #seen = new Uint8Array(256);
  #watched: WatchedPages | undefined;
  #isRom = true;
  #bank = 0;

  /** `romBytes` from `romsAt` on belong to this map. `ramBytes`: 16, 32 or 64 KiB. */
  constructor(bytes: Uint8Array, romsAt: number, roms: Plus4Roms, ramBytes: number) {
    this.bytes = bytes;
    this.#romsAt = romsAt;
    this.ramMask = ramBytes - 1;
    this.#put(0, roms.basic);
    this.#put(1, roms.functionLow);
    this.#put(bankCount, roms.kernal);
    this.#put(bankCount + 1, roms.functionHigh);
    for (let page = 0; page < 256; page += 1) {
      const address = page << 8;
      this.tedRam[page] = this.#isIo(page) ? nothing : (address & this.ramMask) - address;
      const isPlain = page !== 0 && page !== tedPage && !this.#isIo(page) && address <= this.ramMask;
      this.writes[page] = isPlain ? 0 : nothing;
    }
    this.bank(true, 0);
  }

  /** It is mirrored; what goes over its end arrives at its beginning. */
  ramEnd(address: number): number {
    return (address | this.ramMask) + 1;
  }

  /** Puts a cartridge in, or takes it out. */
  plug(cartridge: CartridgeImages | undefined): void {
    for (const number of [0, 1] as const) {
      this.#put(2 + number, cartridge?.low[number]);
      this.#put(bankCount + 2 + number, cartridge?.high[number]);
    }
    this.bank(this.#isRom, this.#bank);
  }

  #put(slot: number, image: Uint8Array | undefined): void {
    const at = this.#romsAt + slot * imageBytes;
    this.#present[slot] = image ? 1 : 0;
    this.bytes.fill(0xff, at, at + imageBytes);
    // Smaller images answer several times.
    for (let offset = 0; image && image.length > 0 && offset < imageBytes; offset += image.length) {
      this.bytes.set(image.subarray(0, imageBytes - offset), at + offset);
    }
  }

  /** `isRom`: what $FF3E and $FF3F say; `bank`: what $FDD0 to $FDDF do. */
  bank(isRom: boolean, bank: number): void {
    this.#isRom = isRom;
    this.#bank = bank;
    for (let page = 0; page < 256; page += 1) {
      const rom = this.#romBase(page, bank);
      this.tedRom[page] = page < romStart ? (this.tedRam[page] as number) : rom;
      const seen = isRom && page >= romStart ? rom : (this.tedRam[page] as number);
      this.reads[page] = page === 0 || page === tedPage ? nothing : Math.max(seen, nothing);
    }
    this.#hide();
  }

  /** The TED looks at these pages, by its addresses. */
  seenByTed(pages: Uint8Array): void {
    this.#seen.fill(0);
    for (let page = 0; page < 256; page += 1) {
      if (pages[page] !== 0) this.#seen[page & (this.ramMask >> 8)] = 1;
    }
    this.isLowSeen = this.#seen[0] !== 0 || this.#seen[1] !== 0;
    this.#hide();
  }

  /** From now on accesses to these pages are to be seen. */
  watch(pages: WatchedPages | undefined): void {
    this.#watched = pages;
    this.#hide();
  }

  #hide(): void {
    for (let page = 0; page < 256; page += 1) {
      this.unseenWrites[page] = this.#seen[page] === 0 ? (this.writes[page] as number) : nothing;
    }
    if (this.#watched !== undefined) hideWatched(this, this.#watched);
  }

  #romBase(page: number, bank: number): number {
    if (page < romStart || this.#isIo(page)) return nothing;
    const isHigh = page >= highStart;
    const slot = !isHigh ? bank & 3 : page === kernalPage ? bankCount : bankCount + ((bank >> 2) & 3);
    const start = (isHigh ? highStart : romStart) << 8;
    return this.#present[slot] === 0 ? nothing : this.#romsAt + slot * imageBytes - start;
  }

  #isIo(page: number): boolean {
    return page === ioPages[0] || page === ioPages[1];
  }

  /** The byte of ROM that is selected at an address, or undefined where none answers. */
  rom(address: number): number | undefined {
    const base = this.#romBase(address >> 8, this.#bank);
    return base === nothing ? undefined : this.bytes[base + address];
  }

  /** Whether the processor sees ROM there; what is in RAM shows at the places where it is mirrored, too. */
  isCartridge(address: number): boolean {
    if (!this.isRom(address)) return false;
    const slot = address >= highStart << 8 ? this.#bank >> 2 : this.#bank & 3;
    return slot >= 2 && address >> 8 !== kernalPage;
  }

  isRom(address: number): boolean {
    return this.#isRom && address >= romStart << 8;
  }

  isSystemRom(address: number): boolean {
    if (!this.isRom(address)) return false;
    return address >= highStart << 8 ? (this.#bank & 12) === 0 || address >> 8 === kernalPage : (this.#bank & 3) === 0;
  }
}
