import { type BoardState, boardFields } from './vic20-state.ts';

const PAGE = boardFields.geoRamPage;
const BLOCK = boardFields.geoRamBlock;

/**
 * A GeoRAM in its adapter: a page of 256 bytes at $9800, chosen at $9FFE (page of 64) and $9FFF (block of 16 KiB), all of them
 * mirrored in the 1 KiB that they lie in.
 */
export class GeoRam {
  readonly #ram: Uint8Array;
  readonly #board: BoardState;

  constructor(ram: Uint8Array, board: BoardState) {
    this.#ram = ram;
    this.#board = board;
  }

  /** Undefined where it does not answer; its registers cannot be read. */
  read(address: number): number | undefined {
    return address >> 10 === 0x26 ? this.#ram[this.#place(address)] : undefined;
  }

  write(address: number, value: number): void {
    if (address >> 10 === 0x26) this.#ram[this.#place(address)] = value;
    else this.#board[(address & 1) === 0 ? PAGE : BLOCK] = value;
  }

  #place(address: number): number {
    const page = (this.#board[BLOCK] << 6) | (this.#board[PAGE] & 63);
    return ((page << 8) | (address & 255)) % this.#ram.length;
  }
}
