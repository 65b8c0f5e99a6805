/** Where a GeoRAM shows its page: words of the machine's state. */
export interface GeoRamRegisters {
  page: number;
  block: number;
}

/** The registers as two words of a state. */
export function geoRamRegisters<Word extends number>(
  state: Int32Array & Record<Word, number>,
  page: Word,
  block: Word,
): GeoRamRegisters {
  return {
    get page() {
      return state[page];
    },
    set page(value) {
      (state as Int32Array)[page] = value;
    },
    get block() {
      return state[block];
    },
    set block(value) {
      (state as Int32Array)[block] = value;
    },
  };
}

/** What a GeoRAM keeps its bytes in. */
interface GeoRamBytes {
  readonly bytes: Uint8Array;
  write(place: number, value: number): void;
}

/** A GeoRAM: a window of 256 bytes, chosen by a page of 64 and a block of 16 KiB. Neither register can be read. */
export class GeoRam {
  readonly #ram: GeoRamBytes;
  readonly #registers: GeoRamRegisters;

  constructor(ram: GeoRamBytes, registers: GeoRamRegisters) {
    this.#ram = ram;
    this.#registers = registers;
  }

  read(address: number): number | undefined {
    return this.#ram.bytes[this.#place(address)];
  }

  write(address: number, value: number): void {
    this.#ram.write(this.#place(address), value);
  }

  /** The registers lie side by side, the page at the even address. */
  select(address: number, value: number): void {
    if ((address & 1) === 0) this.#registers.page = value & 63;
    else this.#registers.block = value;
  }

  #place(address: number): number {
    const { page, block } = this.#registers;
    return ((((block << 6) | page) << 8) | (address & 255)) % this.#ram.bytes.length;
  }
}
