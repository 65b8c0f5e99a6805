import type { CartridgeMapping } from '../cartridges/cartridge.ts';
import { PagedRam } from '../expansions/paged-ram.ts';
import { type BoardState, boardFields } from './c64-state.ts';
import { fillPowerUpPattern } from './power-up.ts';

const ramBytes = 0x800;
const shown = { first: 0x80, last: 0x9f } as const;

/**
 * An ISEPIC: 2 KiB of RAM, a page of it at $DF00-$DFFF, chosen by any access to $DE00-$DEFF (address bits 0, 1 and 2 are bits 2, 1
 * and 0 of its number). Its switch takes it away altogether; turned towards the computer it pulls NMI and answers for the vector, and
 * its page shows all over $8000-$9FFF. How its board decides that is not known: this is what programs see on VICE.
 */
export class Isepic {
  readonly ram: PagedRam;
  readonly canFreeze = true;
  readonly #board: BoardState;
  readonly #isOnAtFirst: boolean;

  constructor(isOnAtFirst: boolean, board: BoardState, room: Uint8Array) {
    this.ram = new PagedRam(ramBytes, room);
    this.#board = board;
    this.#isOnAtFirst = isOnAtFirst;
  }

  powerOn(): void {
    fillPowerUpPattern(this.ram.bytes);
    this.ram.touch();
    this.#board[boardFields.isepicSwitch] = this.#isOnAtFirst ? 1 : 0;
  }

  reset(): void {
    this.#board[boardFields.isepicPage] = 0;
  }

  restored(): void {}

  get mapping(): CartridgeMapping {
    const isOn = this.#isOn;
    const page = this.ram.bytes.subarray(this.#start, this.#start + 256);
    return { exrom: 1, game: 1, trapsVector: isOn, windows: isOn ? [{ ...shown, page, isRam: true }] : [] };
  }

  /** Reads choose the page as writes do. */
  get switchesOnRead(): boolean {
    return this.#isOn;
  }

  /** The other position. True if that pulls NMI. */
  press(): boolean {
    this.#board[boardFields.isepicSwitch] = this.#isOn ? 0 : 1;
    return this.#isOn;
  }

  read(address: number): number | undefined {
    this.#choose(address);
    return this.peek(address);
  }

  peek(address: number): number | undefined {
    return this.#isOn && address >= 0xdf00 ? this.ram.bytes[this.#start + (address & 255)] : undefined;
  }

  write(address: number, value: number): boolean {
    if (!this.#isOn) return false;
    if (address >= 0xdf00) this.ram.write(this.#start + (address & 255), value);
    return this.#choose(address);
  }

  writeLow(address: number, value: number): boolean {
    if (this.#isOn) this.ram.write(this.#start + (address & 255), value);
    return this.#isOn;
  }

  /** The vector of NMI. */
  vector(address: number): number | undefined {
    return this.#isOn && (address & 0xfffe) === 0xfffa ? this.ram.bytes[this.#start + (address & 255)] : undefined;
  }

  #choose(address: number): boolean {
    if (!this.#isOn || address >= 0xdf00) return false;
    this.#board[boardFields.isepicPage] = ((address & 4) >> 2) | (address & 2) | ((address & 1) << 2);
    return true;
  }

  get #isOn(): boolean {
    return this.#board[boardFields.isepicSwitch] !== 0;
  }

  get #start(): number {
    return (this.#board[boardFields.isepicPage] & 7) << 8;
  }
}
