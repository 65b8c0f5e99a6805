import { type MemoryPart, partRead, partWritten, plaLines } from '../../../chips/pla.ts';

/** The images the processor and the VIC see beside RAM. Cartridge areas are 8 KiB each, if there is one. */
export interface RomImages {
  readonly basic: Uint8Array;
  readonly kernal: Uint8Array;
  readonly chargen: Uint8Array;
  readonly roml?: Uint8Array | undefined;
  readonly romh?: Uint8Array | undefined;
  /** The cartridge wants to see writes to ROML. */
  readonly writesLow?: boolean;
}

/** Sixteen views of 4 KiB; undefined where no memory answers: I/O, or nothing at all. */
export type Pages = readonly (Uint8Array | undefined)[];

const bases: Readonly<Partial<Record<MemoryPart, number>>> = { basic: 0xa, roml: 0x8, chargen: 0xd };

/**
 * The page tables of all 32 states of the PLA's lines. They are caches of the wiring, not state: whoever changes the
 * cartridge's images calls `rewire`.
 */
export class MemoryMap {
  readonly #ram: Uint8Array;
  #roms: RomImages;
  #reads: (Pages | undefined)[] = [];
  #writes: (Pages | undefined)[] = [];

  constructor(ram: Uint8Array, roms: RomImages) {
    this.#ram = ram;
    this.#roms = roms;
  }

  get roms(): RomImages {
    return this.#roms;
  }

  rewire(roms: RomImages): void {
    this.#roms = roms;
    this.#reads = [];
    this.#writes = [];
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
      if (this.#roms.writesLow && partRead(lines, page) === 'roml') return undefined;
      return partWritten(lines, page) === 'ram' ? this.#view('ram', page) : undefined;
    });
    return this.#writes[configuration];
  }

  /** What the VIC sees in each 4 KiB of its bank: the character ROM shows in banks 0 and 2, a cartridge in Ultimax mode. */
  vic(bank: number, configuration: number): Pages {
    const { game, exrom } = plaLines(configuration);
    const isUltimax = game === 0 && exrom === 1;
    return [0, 1, 2, 3].map((page) => {
      if (isUltimax && page === 3) return this.#view('romh', 0xf) ?? this.#view('ram', bank * 4 + page);
      if (!isUltimax && page === 1 && (bank & 1) === 0) return this.#roms.chargen;
      return this.#view('ram', bank * 4 + page);
    });
  }

  #view(part: MemoryPart, page: number): Uint8Array | undefined {
    const view = (bytes: Uint8Array | undefined, index: number) => bytes?.subarray(index << 12, (index + 1) << 12);
    switch (part) {
      case 'ram':
        return view(this.#ram, page);
      case 'kernal':
        return view(this.#roms.kernal, page - 0xe);
      case 'romh':
        return view(this.#roms.romh, page & 1);
      case 'basic':
      case 'roml':
      case 'chargen':
        return view(this.#roms[part], page - (bases[part] ?? 0));
      default:
        return undefined;
    }
  }
}

function pages(viewOf: (page: number) => Uint8Array | undefined): Pages {
  return Array.from({ length: 16 }, (_, page) => viewOf(page));
}
