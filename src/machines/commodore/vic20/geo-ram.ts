import { GeoRam, geoRamRegisters } from '../expansions/geo-ram.ts';
import { type BoardState, boardFields } from './vic20-state.ts';

/** A GeoRAM in its adapter: the window at $9800, the registers at $9FFE, all mirrored in the 1 KiB that they lie in. */
export class Vic20GeoRam {
  readonly #geoRam: GeoRam;

  constructor(bytes: Uint8Array, board: BoardState) {
    const write = (place: number, value: number) => {
      bytes[place] = value;
    };
    this.#geoRam = new GeoRam(
      { bytes, write },
      geoRamRegisters(board, boardFields.geoRamPage, boardFields.geoRamBlock),
    );
  }

  /** Undefined where it does not answer. */
  read(address: number): number | undefined {
    return address >> 10 === 0x26 ? this.#geoRam.read(address) : undefined;
  }

  write(address: number, value: number): void {
    if (address >> 10 === 0x26) this.#geoRam.write(address, value);
    else this.#geoRam.select(address, value);
  }
}
