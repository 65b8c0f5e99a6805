import { type BoardState, boardFields } from './c64-state.ts';
import type { CartridgePort } from './cartridge-port.ts';
import type { MemoryMap } from './memory-map.ts';

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

  /** `remapped`: called when the cartridge shows something else or drives its lines differently. */
  constructor(map: MemoryMap, board: BoardState, ram: Uint8Array, remapped: () => void) {
    this.#map = map;
    this.#board = board;
    this.#ram = ram;
    this.#remapped = remapped;
  }

  /** What is plugged in beside a cartridge, for good. */
  addDevices(devices: readonly ExpansionDevice[]): void {
    this.#devices = devices;
  }

  powerUp(): void {
    for (const device of this.#devices) device.powerOn();
  }

  insert(cartridge: CartridgePort | undefined): void {
    this.#cartridge = cartridge;
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
    const { roml, romh, exrom = 1, game = 1 } = this.#cartridge?.mapping ?? {};
    if (isRewritten) this.#map.plug(undefined, undefined, false);
    this.#map.plug(roml, romh, (this.#cartridge?.ram?.length ?? 0) > 0);
    this.#board[boardFields.game] = game;
    this.#board[boardFields.exrom] = exrom;
    this.#remapped();
  }

  /** A read of $DE00-$DFFF; undefined if nobody answers. */
  read(address: number): number | undefined {
    let value = this.#cartridge?.read?.(address);
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

  /** ROML with RAM behind it; outside Ultimax mode the C64's own RAM gets the byte too. */
  writeLow(address: number, value: number): void {
    if (this.#cartridge?.writeLow?.(address & 0x1fff, value) === true) this.update(true);
    if (this.#board[boardFields.exrom] === 0) this.#ram[address] = value;
  }

  /** ROMH in Ultimax mode. */
  writeHigh(address: number, value: number): void {
    if (this.#cartridge?.writeHigh?.(address & 0x1fff, value) === true) this.update(true);
  }

  /** Presses the freeze button; false if there is none. */
  freeze(): boolean {
    if (this.#cartridge?.freeze?.() !== true) return false;
    this.update();
    return true;
  }
}

/** Where two answer at once, a line that one of them pulls low is low. */
function both(value: number | undefined, other: number | undefined): number | undefined {
  return value === undefined || other === undefined ? (value ?? other) : value & other;
}
