import type { CartridgeMapping } from '../cartridges/cartridge.ts';
import { bankSize } from '../cartridges/cartridge.ts';
import { PagedRam } from '../expansions/paged-ram.ts';
import { type BoardState, boardFields } from './c64-state.ts';
import { fillPowerUpPattern } from './power-up.ts';

const bankBytes = 2 * bankSize;

/**
 * A Double Quick Brown Box with its switch in the position for the C64: RAM at $8000, and at $A000 when bit 2 of its register at
 * $DE00-$DEFF says so. Bit 4: it can be written, bit 7: it is off; bits 0, 1, 3 and 5 choose one of up to 16 banks of 16 KiB.
 */
export class Dqbb {
  readonly ram: PagedRam;
  readonly #board: BoardState;

  constructor(kilobytes: number, board: BoardState, room: Uint8Array) {
    this.ram = new PagedRam(kilobytes * 1024, room);
    this.#board = board;
  }

  powerOn(): void {
    fillPowerUpPattern(this.ram.bytes);
    this.ram.touch();
  }

  reset(): void {
    this.#board[boardFields.dqbb] = 0;
  }

  restored(): void {}

  get mapping(): CartridgeMapping {
    const isOff = this.#is(0x80);
    const start = this.#start;
    return {
      exrom: isOff ? 1 : 0,
      game: !isOff && this.#is(0x04) ? 0 : 1,
      roml: this.ram.bytes.subarray(start, start + bankSize),
      romh: this.ram.bytes.subarray(start + bankSize, start + bankBytes),
      seesLow: this.#is(0x10),
      seesHigh: this.#is(0x10),
    };
  }

  read(): undefined {}

  peek(): undefined {}

  write(address: number, value: number): boolean {
    if (address >= 0xdf00) return false;
    this.#board[boardFields.dqbb] = value;
    return true;
  }

  /** Where it answers; the RAM below gets the byte too. */
  writeLow(address: number, value: number): boolean {
    if (this.#is(0x10)) this.ram.write(this.#start + (address & (bankSize - 1)), value);
    return false;
  }

  writeHigh(address: number, value: number): boolean {
    if (this.#is(0x10)) this.ram.write(this.#start + bankSize + (address & (bankSize - 1)), value);
    return false;
  }

  #is(bit: number): boolean {
    return (this.#board[boardFields.dqbb] & bit) !== 0;
  }

  get #start(): number {
    const register = this.#board[boardFields.dqbb];
    const bank = (register & 3) | ((register >> 1) & 4) | ((register >> 2) & 8);
    return (bank * bankBytes) % this.ram.bytes.length;
  }
}
