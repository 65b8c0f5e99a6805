import type { CartridgeMapping } from '../cartridges/cartridge.ts';
import { PagedRam } from '../expansions/paged-ram.ts';
import { type BoardState, boardFields } from './c64-state.ts';
import { fillPowerUpPattern } from './power-up.ts';

const bankBytes = 0x10000;

/**
 * A RAMCart of 64 or 128 KiB, which a battery keeps: a page of it at $DF00-$DFFF, chosen by $DE00 and, of 128 KiB, bit 0 of $DE01.
 * With its switch on read-only the larger one shows the page at $8000 too, as a cartridge that starts, unless bit 7 of $DE01 is set.
 */
export class RamCart {
  readonly ram: PagedRam;
  isReadOnly = false;
  readonly #board: BoardState;

  constructor(kilobytes: number, board: BoardState, room: Uint8Array) {
    this.ram = new PagedRam(kilobytes * 1024, room);
    this.#board = board;
    this.fill();
  }

  /** What it holds before anybody has written to it. */
  fill(): void {
    fillPowerUpPattern(this.ram.bytes);
    this.ram.touch();
  }

  powerOn(): void {}

  reset(): void {
    this.#board[boardFields.ramCartPage] = 0;
    this.#board[boardFields.ramCartBank] = 0;
  }

  restored(): void {}

  get mapping(): CartridgeMapping {
    const isShown = this.isReadOnly && this.#isLarge && (this.#bank & 0x80) === 0;
    const page = this.ram.bytes.subarray(this.#start, this.#start + 256);
    return { exrom: 1, game: 1, windows: isShown ? [{ first: 0x80, last: 0x80, page, isRam: false }] : [] };
  }

  read(address: number, openBus: number): number | undefined {
    if (address >= 0xdf00) return this.ram.bytes[this.#start + (address & 255)];
    if ((address & 1) === 0) return this.#board[boardFields.ramCartPage] & 255;
    return this.#isLarge ? (this.#bank & 0x81) | (openBus & 0x7e) : 0;
  }

  peek(address: number): number | undefined {
    return this.read(address, 0);
  }

  write(address: number, value: number): boolean {
    if (address >= 0xdf00) {
      if (!this.isReadOnly) this.ram.write(this.#start + (address & 255), value);
      return false;
    }
    if ((address & 1) === 0) this.#board[boardFields.ramCartPage] = value;
    else if (this.#isLarge) this.#board[boardFields.ramCartBank] = value & 0x81;
    return this.isReadOnly;
  }

  get #isLarge(): boolean {
    return this.ram.bytes.length > bankBytes;
  }

  get #bank(): number {
    return this.#board[boardFields.ramCartBank];
  }

  get #start(): number {
    const bank = this.#isLarge ? this.#bank & 1 : 0;
    return bank * bankBytes + ((this.#board[boardFields.ramCartPage] & 255) << 8);
  }
}
