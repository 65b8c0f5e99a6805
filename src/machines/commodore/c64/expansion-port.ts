import type { CartridgeMapping } from '../cartridges/cartridge.ts';
import { type BoardState, boardFields } from './c64-state.ts';
import type { CartridgePort } from './cartridge-port.ts';
import type { MemoryMap } from './memory-map.ts';

const empty: CartridgeMapping = { exrom: 1, game: 1 };

/** Something beside a cartridge that answers at $DE00-$DFFF. */
interface ExpansionDevice {
  powerOn(): void;
  reset(): void;
  read(address: number): number | undefined;
  peek(address: number): number | undefined;
  write(address: number, value: number): void;
  restored(): void;
}

/** The socket that cartridges go into, and what their lines do to the memory map. */
export class ExpansionPort {
  readonly #map: MemoryMap;
  readonly #board: BoardState;
  readonly #ram: Uint8Array;
  readonly #remapped: () => void;
  #cartridge: CartridgePort | undefined;
  #devices: readonly ExpansionDevice[] = [];
  readonly #now: () => number;
  #keepsHigh = false;

  /** `remapped`: called when the cartridge shows something else or drives its lines differently. */
  constructor(map: MemoryMap, board: BoardState, ram: Uint8Array, now: () => number, remapped: () => void) {
    this.#map = map;
    this.#board = board;
    this.#ram = ram;
    this.#now = now;
    this.#remapped = remapped;
  }

  /** What is plugged in beside a cartridge. */
  setDevices(devices: readonly ExpansionDevice[]): void {
    this.#devices = devices;
  }

  powerUp(): void {
    for (const device of this.#devices) device.powerOn();
  }

  insert(cartridge: CartridgePort | undefined): void {
    this.#cartridge = cartridge;
    if (cartridge) cartridge.now = this.#now;
    cartridge?.reset?.();
    this.update();
  }

  reset(): void {
    for (const device of this.#devices) device.reset();
    this.#cartridge?.reset?.();
    this.update();
  }

  /** The state was replaced. */
  restored(): void {
    for (const device of this.#devices) device.restored();
    this.#cartridge?.restored?.();
    this.update(true);
  }

  /** Takes over what the cartridge shows now. `isRewritten`: there may be other bytes in the same images. */
  update(isRewritten = false): void {
    const mapping = this.#cartridge?.mapping ?? empty;
    if (isRewritten) this.#map.plug(empty);
    this.#map.plug(mapping);
    this.#keepsHigh = mapping.keepsHigh === true;
    this.#board[boardFields.game] = mapping.game;
    this.#board[boardFields.exrom] = mapping.exrom;
    this.#board[boardFields.cartridgeNmi] = mapping.nmi ? 1 : 0;
    this.#remapped();
  }

  /** A read of $DE00-$DFFF; undefined if nobody answers. */
  read(address: number, openBus: number): number | undefined {
    let value = this.#cartridge?.read?.(address, openBus);
    if (this.#cartridge?.switchesOnRead === true) this.update();
    for (const device of this.#devices) value = both(value, device.read(address));
    return value;
  }

  peek(address: number): number | undefined {
    return this.#devices.reduce((value, device) => both(value, device.peek(address)), this.#cartridge?.peek?.(address));
  }

  write(address: number, value: number): void {
    if (this.#cartridge?.write?.(address, value) === true) this.update();
    for (const device of this.#devices) device.write(address, value);
  }

  /** ROML where the cartridge shows no image. */
  readLow(address: number): number | undefined {
    const value = this.#cartridge?.readLow?.(address & 0x1fff, this.#ram[address] as number);
    if (value !== undefined) this.update();
    return value;
  }

  peekLow(address: number): number | undefined {
    return this.#cartridge?.peekLow?.(address & 0x1fff, this.#ram[address] as number);
  }

  /** $8000-$9FFF where the cartridge looks on; outside Ultimax mode the C64's own RAM gets the byte too. */
  writeLow(address: number, value: number): void {
    if (this.#cartridge?.writeLow?.(address & 0x1fff, value) === true) this.update(true);
    if (!this.#isUltimax) this.#ram[address] = value;
  }

  /** ROMH in Ultimax mode, or at $A000 where the cartridge looks on. */
  writeHigh(address: number, value: number): void {
    if (this.#cartridge?.writeHigh?.(address & 0x1fff, value) === true) this.update(true);
    if (!this.#isUltimax && !this.#keepsHigh) this.#ram[address] = value;
  }

  get #isUltimax(): boolean {
    return this.#board[boardFields.exrom] === 1 && this.#board[boardFields.game] === 0;
  }

  /** There is a freeze button that works. */
  get canFreeze(): boolean {
    return this.#cartridge?.canFreeze === true;
  }

  /** The vector of the button's NMI is about to be fetched. */
  freeze(): void {
    this.#cartridge?.freeze?.();
    this.update();
  }
}

/** Where two answer at once, a line that one of them pulls low is low. */
function both(value: number | undefined, other: number | undefined): number | undefined {
  return value === undefined || other === undefined ? (value ?? other) : value & other;
}
