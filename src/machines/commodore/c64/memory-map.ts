import { type MemoryPart, partRead, partWritten, plaLines } from '../../../chips/pla.ts';
import type { CartridgeMapping } from '../cartridges/cartridge.ts';

/** The images the processor and the VIC see beside RAM. */
export interface RomImages {
  readonly basic: Uint8Array;
  readonly kernal: Uint8Array;
  readonly chargen: Uint8Array;
}

/** Room for the images and for what a cartridge shows. */
const roomFor = {
  basic: 0x2000,
  kernal: 0x2000,
  chargen: 0x1000,
  roml: 0x2000,
  romh: 0x2000,
  otherKernal: 0x2000,
} as const;
export const romBytes = Object.values<number>(roomFor).reduce((sum, bytes) => sum + bytes);

/** No plain memory: I/O, or nothing at all. */
const nothing = -1;

/**
 * Where the processor and the VIC find their bytes in one memory: RAM at its start, images after the state. The tables of all
 * 32 states of the PLA's lines are caches of the wiring, not state.
 */
export class MemoryMap {
  readonly #memory: Uint8Array;
  readonly #at: Readonly<Record<keyof typeof roomFor, number>>;
  #roml: Uint8Array | undefined;
  #romh: Uint8Array | undefined;
  #romlAt = nothing;
  #romhAt = nothing;
  #kernal: Uint8Array | undefined;
  #kernalAt = nothing;
  #writesLow = false;
  #writesHigh = false;
  #listens = false;
  #isHidden = false;
  #reads: (Int32Array | undefined)[] = [];
  #writes: (Int32Array | undefined)[] = [];
  #vic: (Int32Array | undefined)[] = [];

  /** `memory` begins with the 64 KiB of RAM; `romBytes` from `romsAt` on belong to this map. */
  constructor(memory: Uint8Array, romsAt: number, roms: RomImages) {
    this.#memory = memory;
    const basic = romsAt;
    const kernal = basic + roomFor.basic;
    const chargen = kernal + roomFor.kernal;
    const roml = chargen + roomFor.chargen;
    const romh = roml + roomFor.roml;
    this.#at = { basic, kernal, chargen, roml, romh, otherKernal: romh + roomFor.romh };
    for (const part of ['basic', 'kernal', 'chargen'] as const) {
      memory.set(roms[part].subarray(0, roomFor[part]), this.#at[part]);
    }
  }

  /** Puts the 8 KiB images of a cartridge in, and takes away the writes that it wants to see. */
  plug({ roml, romh, kernal, ...wishes }: CartridgeMapping): void {
    const { seesLow = false, seesHigh = false, listens = false, hidesFromVic = false } = wishes;
    const before = this.#places;
    if (roml !== this.#roml) this.#romlAt = this.#place(roml, this.#at.roml);
    if (romh !== this.#romh) this.#romhAt = this.#place(romh, this.#at.romh);
    if (kernal !== this.#kernal) this.#kernalAt = this.#place(kernal, this.#at.otherKernal);
    this.#roml = roml;
    this.#romh = romh;
    this.#kernal = kernal;
    this.#writesLow = seesLow;
    this.#writesHigh = seesHigh;
    this.#listens = listens;
    this.#isHidden = hidesFromVic;
    if (this.#places === before) return;
    this.#reads = [];
    this.#writes = [];
    this.#vic = [];
  }

  get #places(): string {
    const wishes = [this.#writesLow, this.#writesHigh, this.#listens, this.#isHidden];
    return [this.#romlAt, this.#romhAt, this.#kernalAt, ...wishes].join();
  }

  /** RAM of a cartridge is part of the state and stays where it is; ROM is copied. */
  #place(image: Uint8Array | undefined, at: number): number {
    if (image === undefined) return nothing;
    if (image.buffer === this.#memory.buffer) return image.byteOffset - this.#memory.byteOffset;
    this.#memory.set(image.subarray(0, roomFor.roml), at);
    return at;
  }

  /** What the processor reads from: by address bits 15-8 what to add to the address, or -1. The zero page is -1 always. */
  reads(configuration: number): Int32Array {
    const lines = plaLines(configuration);
    this.#reads[configuration] ??= pages((page) => this.#base(partRead(lines, page), page));
    return this.#reads[configuration];
  }

  /** What it writes to. */
  writes(configuration: number): Int32Array {
    const lines = plaLines(configuration);
    this.#writes[configuration] ??= pages((page) => {
      if (this.#isSeen(partRead(lines, page), page)) return nothing;
      return partWritten(lines, page) === 'ram' ? 0 : nothing;
    });
    return this.#writes[configuration];
  }

  /** The cartridge wants to know of writes here. */
  #isSeen(part: MemoryPart, page: number): boolean {
    if (this.#writesLow && (part === 'roml' || (this.#listens && page >> 1 === 4))) return true;
    return this.#writesHigh && (part === 'romh' || (this.#listens && page >> 1 === 5));
  }

  /** Where each 4 KiB of the VIC's bank begin: the character ROM shows in banks 0 and 2, a cartridge in Ultimax mode. */
  vic(bank: number, configuration: number, half: 'phi1' | 'phi2'): Int32Array {
    const { game, exrom } = plaLines(configuration);
    const isUltimax = game === 0 && exrom === 1 && !(half === 'phi1' && this.#isHidden);
    const key = bank | (isUltimax ? 4 : 0);
    this.#vic[key] ??= Int32Array.from([0, 1, 2, 3], (page) => {
      if (isUltimax && page === 3 && this.#romhAt !== nothing) return this.#romhAt + 0x1000;
      if (!isUltimax && page === 1 && (bank & 1) === 0) return this.#at.chargen;
      return (bank * 4 + page) << 12;
    });
    return this.#vic[key];
  }

  /** Whether BASIC or the KERNAL lies at this place. */
  isSystemRom(place: number): boolean {
    return place >= this.#at.basic && place < this.#at.chargen;
  }

  /** Whether what lies here is the cartridge's: its ROM after ours, or its RAM in the state. */
  isCartridge(place: number): boolean {
    return (place > 0xffff && place < this.#at.basic) || place >= this.#at.roml;
  }

  isCharacterRom(place: number): boolean {
    return place === this.#at.chargen;
  }

  #base(part: MemoryPart, page: number): number {
    const image = (at: number) => (at === nothing ? nothing : at - ((page << 12) & 0xe000));
    switch (part) {
      case 'ram':
        return 0;
      case 'kernal':
        return image(this.#kernalAt === nothing ? this.#at.kernal : this.#kernalAt);
      case 'romh':
        return image(this.#romhAt);
      case 'roml':
        return image(this.#romlAt);
      case 'basic':
        return image(this.#at.basic);
      case 'chargen':
        return this.#at.chargen - (page << 12);
      default:
        return nothing;
    }
  }
}

function pages(baseOf: (page4K: number) => number): Int32Array {
  return Int32Array.from({ length: 256 }, (_, page) => (page === 0 ? nothing : baseOf(page >> 4)));
}
