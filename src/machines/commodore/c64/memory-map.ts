import { type MemoryPart, partRead, partWritten, plaLines } from '../../../chips/pla.ts';

/** The images the processor and the VIC see beside RAM. */
export interface RomImages {
  readonly basic: Uint8Array;
  readonly kernal: Uint8Array;
  readonly chargen: Uint8Array;
}

/** Sixteen views of 4 KiB; undefined where no memory answers: I/O, or nothing at all. */
export type Pages = readonly (Uint8Array | undefined)[];

/** The page tables of all 32 states of the PLA's lines: caches of the wiring, not state. */
export class MemoryMap {
  readonly #ram: Uint8Array;
  readonly #roms: RomImages;
  #roml: Uint8Array | undefined;
  #romh: Uint8Array | undefined;
  #writesLow = false;
  #reads: (Pages | undefined)[] = [];
  #writes: (Pages | undefined)[] = [];
  #vic: (Pages | undefined)[] = [];

  constructor(ram: Uint8Array, roms: RomImages) {
    this.#ram = ram;
    this.#roms = roms;
  }

  get roms(): RomImages {
    return this.#roms;
  }

  /** Puts the 8 KiB images of a cartridge in; with `writesLow` it wants to see writes to ROML. */
  plug(roml: Uint8Array | undefined, romh: Uint8Array | undefined, writesLow: boolean): void {
    if (roml === this.#roml && romh === this.#romh && writesLow === this.#writesLow) return;
    this.#roml = roml;
    this.#romh = romh;
    this.#writesLow = writesLow;
    this.#reads = [];
    this.#writes = [];
    this.#vic = [];
  }

  /** What the processor reads from, by address bits 15-12. */
  reads(configuration: number): Pages {
    const lines = plaLines(configuration);
    this.#reads[configuration] ??= pages((page) => this.#view(partRead(lines, page), page));
    return this.#reads[configuration];
  }

  /** What it writes to. */
  writes(configuration: number): Pages {
    const lines = plaLines(configuration);
    this.#writes[configuration] ??= pages((page) => {
      if (this.#writesLow && partRead(lines, page) === 'roml') return undefined;
      return partWritten(lines, page) === 'ram' ? this.#view('ram', page) : undefined;
    });
    return this.#writes[configuration];
  }

  /** What the VIC sees in each 4 KiB of its bank: the character ROM shows in banks 0 and 2, a cartridge in Ultimax mode. */
  vic(bank: number, configuration: number): Pages {
    const { game, exrom } = plaLines(configuration);
    const isUltimax = game === 0 && exrom === 1;
    const key = bank | (isUltimax ? 4 : 0);
    this.#vic[key] ??= [0, 1, 2, 3].map((page) => {
      if (isUltimax && page === 3) return this.#view('romh', 0xf) ?? this.#view('ram', bank * 4 + page);
      if (!isUltimax && page === 1 && (bank & 1) === 0) return this.#roms.chargen;
      return this.#view('ram', bank * 4 + page);
    });
    return this.#vic[key];
  }

  #view(part: MemoryPart, page: number): Uint8Array | undefined {
    const view = (bytes: Uint8Array | undefined, index: number) => bytes?.subarray(index << 12, (index + 1) << 12);
    switch (part) {
      case 'ram':
        return view(this.#ram, page);
      case 'kernal':
        return view(this.#roms.kernal, page & 1);
      case 'romh':
        return view(this.#romh, page & 1);
      case 'roml':
        return view(this.#roml, page & 1);
      case 'basic':
        return view(this.#roms.basic, page & 1);
      case 'chargen':
        return this.#roms.chargen;
      default:
        return undefined;
    }
  }
}

function pages(viewOf: (page: number) => Uint8Array | undefined): Pages {
  return Array.from({ length: 16 }, (_, page) => viewOf(page));
}
