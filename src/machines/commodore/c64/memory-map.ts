import { type MemoryPart, type PlaLines, partRead, partWritten, plaLines } from '../../../chips/pla.ts';
import type { CartridgeMapping, MemoryWindow } from '../cartridges/cartridge.ts';

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
const romBytes = Object.values<number>(roomFor).reduce((sum, bytes) => sum + bytes);

/** Room for RAM that is plugged in or soldered on, where the processor finds it as plain memory. Its contents are no part of the state. */
const addedRoom = { dqbb: 0x40000, ramCart: 0x20000, isepic: 0x800, banks: 0x30000 } as const;
type AddedRam = keyof typeof addedRoom;
const addedBytes = Object.values<number>(addedRoom).reduce((sum, bytes) => sum + bytes);

/** Of everything that follows the state. */
export const mapBytes: number = romBytes + addedBytes;

/** RAM in place of the board's own, as numbers of banks; 0 is the board's. */
export interface RamSelection {
  /** From $1000 on, as the processor sees it. */
  readonly high: number;
  /** What lies at $0000-$0FFF. */
  readonly low: number;
  /** What the VIC-II looks at. */
  readonly vic: number;
}
const ownRam: RamSelection = { high: 0, low: 0, vic: 0 };

/** No plain memory: I/O, or nothing at all. */
const nothing = -1;
const vectorPage = 0xff;

/**
 * Where the processor and the VIC find their bytes in one memory: RAM at its start, images after the state. The tables of all
 * 32 states of the PLA's lines are caches of the wiring, not state.
 */
export class MemoryMap {
  readonly #memory: Uint8Array;
  readonly #at: Readonly<Record<keyof typeof roomFor, number>>;
  readonly #added: Readonly<Record<AddedRam, number>>;
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
  #windows: readonly MemoryWindow[] = [];
  #trapsVector = false;
  #ram = ownRam;
  /** What to add to an address from $1000 on for its place in each bank of RAM. */
  #bankBases: readonly number[] = [0];
  #reads: (Int32Array | undefined)[] = [];
  /** The same where nobody waits for the vector to be read. */
  #beneath: (Int32Array | undefined)[] = [];
  #writes: (Int32Array | undefined)[] = [];
  #vic: (Int32Array | undefined)[] = [];

  /** `memory` begins with the 64 KiB of RAM; `mapBytes` from `romsAt` on belong to this map. */
  constructor(memory: Uint8Array, romsAt: number, roms: RomImages) {
    this.#memory = memory;
    const basic = romsAt;
    const kernal = basic + roomFor.basic;
    const chargen = kernal + roomFor.kernal;
    const roml = chargen + roomFor.chargen;
    const romh = roml + roomFor.roml;
    this.#at = { basic, kernal, chargen, roml, romh, otherKernal: romh + roomFor.romh };
    const dqbb = romsAt + romBytes;
    const ramCart = dqbb + addedRoom.dqbb;
    const isepic = ramCart + addedRoom.ramCart;
    this.#added = { dqbb, ramCart, isepic, banks: isepic + addedRoom.isepic };
    for (const part of ['basic', 'kernal', 'chargen'] as const) {
      memory.set(roms[part].subarray(0, roomFor[part]), this.#at[part]);
    }
  }

  /** The room for RAM of this sort. */
  added(ram: AddedRam): Uint8Array {
    const at = this.#added[ram];
    return this.#memory.subarray(at, at + addedRoom[ram]);
  }

  /** How many banks of added RAM there are: of 64 KiB each, or one that begins at $1000. */
  layBanks(count: number, first: number): void {
    const at = this.#added.banks - first;
    this.#bankBases = [0, ...Array.from({ length: count }, (_, bank) => at + bank * 0x10000)];
    this.#forget();
  }

  selectRam(selection: RamSelection): void {
    this.#ram = selection;
  }

  /** The page of RAM, as the processor counts them, that lies at this place; -1 if it is none. */
  ramPage(place: number): number {
    if (place < 0x10000) return place >> 8;
    const inBanks = place - this.#added.banks;
    return inBanks < 0 ? -1 : (inBanks >> 8) & 255;
  }

  /** Where the byte of RAM lies that the processor would reach if nothing else was in front of it. */
  ramAt(address: number): number {
    return address + (address < 0x1000 ? 0 : (this.#bankBases[this.#ram.high] ?? 0));
  }

  /** Puts the 8 KiB images of a cartridge in, and takes away the writes that it wants to see. */
  plug({ roml, romh, kernal, windows = [], ...wishes }: CartridgeMapping): void {
    const { seesLow = false, seesHigh = false, listens = false, hidesFromVic = false, trapsVector = false } = wishes;
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
    this.#windows = windows;
    this.#trapsVector = trapsVector;
    if (this.#places !== before) this.#forget();
  }

  #forget(): void {
    this.#reads = [];
    this.#beneath = [];
    this.#writes = [];
    this.#vic = [];
  }

  get #places(): string {
    const wishes = [this.#writesLow, this.#writesHigh, this.#listens, this.#isHidden];
    const windows = this.#windows.flatMap(({ first, last, page }) => [first, last, page.byteOffset]);
    return [this.#romlAt, this.#romhAt, this.#kernalAt, ...wishes, this.#trapsVector, ...windows].join();
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
    const key = this.#key(configuration);
    this.#reads[key] ??= this.#trapsVector
      ? this.beneath(configuration).map((base, page) => (page === vectorPage ? nothing : base))
      : this.beneath(configuration);
    return this.#reads[key];
  }

  /** The same without regard to somebody who answers for the vectors. */
  beneath(configuration: number): Int32Array {
    const lines = plaLines(configuration);
    const key = this.#key(configuration);
    this.#beneath[key] ??= pages(
      (page) => this.#windowAt(lines, page) ?? this.#base(partRead(lines, page >> 4), page >> 4),
    );
    return this.#beneath[key];
  }

  /** What it writes to. */
  writes(configuration: number): Int32Array {
    const lines = plaLines(configuration);
    const key = this.#key(configuration);
    this.#writes[key] ??= pages((page) => {
      const page4K = page >> 4;
      if (this.#windows.some(({ first, last, isRam }) => isRam && page >= first && page <= last)) return nothing;
      if (this.#isSeen(partRead(lines, page4K), page4K)) return nothing;
      return partWritten(lines, page4K) === 'ram' ? this.#ramBase(page4K) : nothing;
    });
    return this.#writes[key];
  }

  #key(configuration: number): number {
    return configuration | (this.#ram.high << 5);
  }

  #windowAt({ loram, hiram }: PlaLines, page: number): number | undefined {
    const isRomShown = loram === 1 && hiram === 1;
    const window = this.#windows.find(
      ({ first, last, isRam }) => page >= first && page <= last && (isRam || isRomShown),
    );
    return window && window.page.byteOffset - this.#memory.byteOffset - (page << 8);
  }

  #ramBase(page4K: number): number {
    return page4K === 0 ? 0 : (this.#bankBases[this.#ram.high] ?? 0);
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
    const key = bank | (isUltimax ? 4 : 0) | (this.#ram.vic << 3) | (this.#ram.low << 5);
    this.#vic[key] ??= Int32Array.from([0, 1, 2, 3], (page) => {
      if (isUltimax && page === 3 && this.#romhAt !== nothing) return this.#romhAt + 0x1000;
      if (!isUltimax && page === 1 && (bank & 1) === 0) return this.#at.chargen;
      return this.#vicRam(bank * 4 + page);
    });
    return this.#vic[key];
  }

  /** The first 4 KiB of the bank that lies at $0000 have changed places with those of bank 0. */
  #vicRam(page4K: number): number {
    const { vic, low } = this.#ram;
    const bank = page4K > 0 ? vic : vic === low ? 0 : vic === 0 ? low : vic;
    return (this.#bankBases[bank] ?? 0) + (page4K << 12);
  }

  /** Whether BASIC or the KERNAL lies at this place. */
  isSystemRom(place: number): boolean {
    return place >= this.#at.basic && place < this.#at.chargen;
  }

  /** Whether what lies here is the cartridge's: its ROM after ours, or its RAM in the state. */
  isCartridge(place: number): boolean {
    if (place >= this.#at.roml) return place < this.#added.banks;
    return place > 0xffff && place < this.#at.basic;
  }

  isCharacterRom(place: number): boolean {
    return place === this.#at.chargen;
  }

  #base(part: MemoryPart, page: number): number {
    const image = (at: number) => (at === nothing ? nothing : at - ((page << 12) & 0xe000));
    switch (part) {
      case 'ram':
        return this.#ramBase(page);
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

function pages(baseOf: (page: number) => number): Int32Array {
  return Int32Array.from({ length: 256 }, (_, page) => (page === 0 ? nothing : baseOf(page)));
}
