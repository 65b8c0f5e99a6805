import { GeoRam, geoRamRegisters } from '../expansions/geo-ram.ts';
import { PagedRam } from '../expansions/paged-ram.ts';
import { type BoardState, boardFields } from './c64-state.ts';

/** A GeoRAM in the expansion port: the window at $DE00-$DEFF, the registers at $DFFE and $DFFF, mirrored from $DF80 on. */
export class C64GeoRam {
  readonly ram: PagedRam;
  readonly #board: BoardState;
  readonly #geoRam: GeoRam;

  constructor(kilobytes: number, board: BoardState) {
    this.ram = new PagedRam(kilobytes * 1024);
    this.#board = board;
    const registers = geoRamRegisters(board, boardFields.geoRamPage, boardFields.geoRamBlock);
    this.#geoRam = new GeoRam(this.ram, registers);
  }

  powerOn(): void {
    this.ram.bytes.fill(0);
    this.ram.touch();
  }

  reset(): void {
    this.#board[boardFields.geoRamPage] = 0;
    this.#board[boardFields.geoRamBlock] = 0;
  }

  restored(): void {}

  read(address: number): number | undefined {
    return address < 0xdf00 ? this.#geoRam.read(address) : undefined;
  }

  peek(address: number): number | undefined {
    return this.read(address);
  }

  write(address: number, value: number): boolean {
    if (address < 0xdf00) this.#geoRam.write(address, value);
    else if (address >= 0xdf80) this.#geoRam.select(address, value);
    return false;
  }
}
