import type { CartridgeMapping } from '../cartridges/cartridge.ts';
import { type BoardState, boardFields } from './c64-state.ts';
import type { CartridgePort } from './cartridge-port.ts';
import type { MemoryMap } from './memory-map.ts';

const empty: CartridgeMapping = { exrom: 1, game: 1 };

/** Something beside a cartridge that answers at $DE00-$DFFF. */
export interface ExpansionDevice {
  powerOn(): void;
  reset(): void;
  read(address: number, openBus: number): number | undefined;
  peek(address: number): number | undefined;
  /** True when `mapping` has changed. */
  write(address: number, value: number): boolean;
  restored(): void;
  /** What it does to the memory map. */
  readonly mapping?: CartridgeMapping;
  readonly switchesOnRead?: boolean;
  /** Writes to ROML and ROMH where `mapping` wants them; true when the C64's RAM does not get them. */
  writeLow?(address: number, value: number): boolean;
  writeHigh?(address: number, value: number): boolean;
  /** What it answers to the fetch of a vector. */
  vector?(address: number): number | undefined;
  /** It has a button or switch that can pull NMI. */
  readonly canFreeze?: boolean;
  /** True if NMI is pulled. */
  press?(): boolean;
}

/** The socket that cartridges go into, and what their lines do to the memory map. */
export class ExpansionPort {
  readonly #map: MemoryMap;
  readonly #board: BoardState;
  readonly #memory: Uint8Array;
  readonly #remapped: () => void;
  #cartridge: CartridgePort | undefined;
  #devices: readonly ExpansionDevice[] = [];
  readonly #now: () => number;
  #keepsHigh = false;

  /** `memory` begins with RAM. `remapped`: called when the cartridge shows something else or drives its lines differently. */
  constructor(map: MemoryMap, board: BoardState, memory: Uint8Array, now: () => number, remapped: () => void) {
    this.#map = map;
    this.#board = board;
    this.#memory = memory;
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
    const mapping = this.#devices.reduce(
      (all, device) => (device.mapping ? together(all, device.mapping) : all),
      this.#cartridge?.mapping ?? empty,
    );
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
    for (const device of this.#devices) value = both(value, device.read(address, openBus));
    const switches = this.#cartridge?.switchesOnRead === true || this.#devices.some((each) => each.switchesOnRead);
    if (switches) this.update();
    return value;
  }

  peek(address: number): number | undefined {
    return this.#devices.reduce((value, device) => both(value, device.peek(address)), this.#cartridge?.peek?.(address));
  }

  write(address: number, value: number): void {
    let isChanged = this.#cartridge?.write?.(address, value) === true;
    for (const device of this.#devices) isChanged = device.write(address, value) || isChanged;
    if (isChanged) this.update();
  }

  /** ROML where the cartridge shows no image. */
  readLow(address: number): number | undefined {
    const value = this.#cartridge?.readLow?.(address & 0x1fff, this.#below(address));
    if (value !== undefined) this.update();
    return value;
  }

  peekLow(address: number): number | undefined {
    return this.#cartridge?.peekLow?.(address & 0x1fff, this.#below(address));
  }

  /** $8000-$9FFF where the cartridge looks on; outside Ultimax mode the C64's own RAM gets the byte too. */
  writeLow(address: number, value: number): void {
    if (this.#cartridge?.writeLow?.(address & 0x1fff, value) === true) this.update(true);
    const isTaken = this.#devices.filter((device) => device.writeLow?.(address, value) === true).length > 0;
    if (!this.#isUltimax && !isTaken) this.#memory[this.#map.ramAt(address)] = value;
  }

  /** ROMH in Ultimax mode, or at $A000 where the cartridge looks on. */
  writeHigh(address: number, value: number): void {
    if (this.#cartridge?.writeHigh?.(address & 0x1fff, value) === true) this.update(true);
    for (const device of this.#devices) device.writeHigh?.(address, value);
    if (!this.#isUltimax && !this.#keepsHigh) this.#memory[this.#map.ramAt(address)] = value;
  }

  /** The last page of memory, where a device may answer for a vector. */
  vector(address: number): number | undefined {
    return this.#devices.map((device) => device.vector?.(address)).find((value) => value !== undefined);
  }

  #below(address: number): number {
    return this.#memory[this.#map.ramAt(address)] as number;
  }

  get #isUltimax(): boolean {
    return this.#board[boardFields.exrom] === 1 && this.#board[boardFields.game] === 0;
  }

  /** There is a freeze button that works. */
  get canFreeze(): boolean {
    return this.#cartridge?.canFreeze === true || this.#devices.some((device) => device.canFreeze);
  }

  /** The button is pressed, or the switch turned; true if that pulls NMI. */
  press(): boolean {
    if (this.#cartridge?.canFreeze === true) return true;
    const isPulled = this.#devices.filter((device) => device.press?.() === true).length > 0;
    this.update();
    return isPulled;
  }

  /** The vector of the button's NMI is about to be fetched. */
  freeze(): void {
    this.#cartridge?.freeze?.();
    this.update();
  }
}

/** Two in the port at once: a line that either pulls low is low, and the second one's memory is in front. */
function together(one: CartridgeMapping, other: CartridgeMapping): CartridgeMapping {
  return {
    ...one,
    exrom: one.exrom & other.exrom,
    game: one.game & other.game,
    roml: other.roml ?? one.roml,
    romh: other.romh ?? one.romh,
    seesLow: one.seesLow === true || other.seesLow === true,
    seesHigh: one.seesHigh === true || other.seesHigh === true,
    windows: [...(other.windows ?? []), ...(one.windows ?? [])],
    trapsVector: one.trapsVector === true || other.trapsVector === true,
  };
}

/** Where two answer at once, a line that one of them pulls low is low. */
function both(value: number | undefined, other: number | undefined): number | undefined {
  return value === undefined || other === undefined ? (value ?? other) : value & other;
}
