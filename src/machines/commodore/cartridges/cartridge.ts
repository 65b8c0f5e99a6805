/**
 * Cartridges in the expansion port: which ROM bank lies at $8000 (ROML) and $A000/$E000 (ROMH), how EXROM and GAME are driven, and
 * the registers at $DE00-$DFFF. Sources: the CRT format's public description, the cartridges' manuals.
 */
import type { Crt } from '../../../formats/commodore/media/crt.ts';

/** 256 bytes that show in pages of the memory map. */
export interface MemoryWindow {
  /** Address bits 15-8. */
  readonly first: number;
  readonly last: number;
  readonly page: Uint8Array;
  /** It shows whatever the processor's port says, and takes writes from the C64's RAM; else as ROM does. */
  readonly isRam: boolean;
}

/** What the board has to wire after each change. Lines are levels, 1 = high. */
export interface CartridgeMapping {
  readonly roml?: Uint8Array | undefined;
  readonly romh?: Uint8Array | undefined;
  readonly exrom: number;
  readonly game: number;
  /** Writes to $8000-$9FFF are wanted. The C64's RAM gets them too, except in Ultimax mode. */
  readonly seesLow?: boolean;
  /** Writes to $A000-$BFFF while ROMH lies there are wanted; with `keepsHigh` the C64's RAM does not get them. */
  readonly seesHigh?: boolean;
  readonly keepsHigh?: boolean;
  /** Those writes are seen whatever the processor's port says. */
  readonly listens?: boolean;
  /** The lines are driven in phi2 only: of what the VIC-II reads in phi1 nothing comes from it, in Ultimax mode either. */
  readonly hidesFromVic?: boolean;
  /** It pulls the NMI line. */
  readonly nmi?: boolean;
  /** Lies in place of the KERNAL. */
  readonly kernal?: Uint8Array | undefined;
  readonly windows?: readonly MemoryWindow[];
  /** It answers for the vector of NMI. */
  readonly trapsVector?: boolean;
}

/** What the two lines make of the memory map. */
const modes = { '8K': [0, 1], '16K': [0, 0], ultimax: [1, 0], off: [1, 1] } as const;

export const bankSize = 0x2000;

/** Words of the state that is shared by all types; RAM follows, four bytes a word. */
export const cartridgeFields = { bank: 0, exrom: 1, game: 2, control: 3, ram: 4 } as const;
const { bank, exrom, game, control, ram } = cartridgeFields;

/** The common part: banks, lines, and registers that do nothing. */
export class Cartridge {
  readonly crt: Crt;
  readonly state: Int32Array;
  readonly ram: Uint8Array;
  readonly #low = new Map<number, Uint8Array>();
  readonly #high = new Map<number, Uint8Array>();

  constructor(crt: Crt, state: Int32Array, ramSize = 0) {
    this.crt = crt;
    this.state = state;
    this.ram = new Uint8Array(state.buffer, state.byteOffset + ram * 4, ramSize);
    for (const chip of crt.chips) {
      const place = chip.address >= 0xa000 ? this.#high : this.#low;
      place.set(chip.bank, padded(chip.bytes.subarray(0, bankSize)));
      if (chip.size > bankSize) this.#high.set(chip.bank, padded(chip.bytes.subarray(bankSize)));
    }
  }

  /** The state after power-on. */
  reset(): void {
    this.state[bank] = 0;
    this.state[control] = 0;
    this.drive(this.crt.exrom, this.crt.game);
  }

  protected mode(name: keyof typeof modes): void {
    const [exromLevel, gameLevel] = modes[name];
    this.drive(exromLevel, gameLevel);
  }

  protected drive(exromLevel: number, gameLevel: number): void {
    this.state[exrom] = exromLevel;
    this.state[game] = gameLevel;
  }

  protected get bank(): number {
    return this.state[bank] ?? 0;
  }

  protected set bank(value: number) {
    this.state[bank] = value;
  }

  protected low(number: number): Uint8Array | undefined {
    return this.#low.get(number);
  }

  protected high(number: number): Uint8Array | undefined {
    return this.#high.get(number);
  }

  get mapping(): CartridgeMapping {
    return {
      roml: this.low(this.bank),
      romh: this.high(this.bank),
      exrom: this.state[exrom] ?? 1,
      game: this.state[game] ?? 1,
      seesLow: this.ram.length > 0,
    };
  }

  /** Reads of $DE00-$DFFF can change `mapping`. */
  get switchesOnRead(): boolean {
    return false;
  }

  /** Cycles since power-up; the board puts its own in. */
  now: () => number = () => 0;

  /** A read of $DE00-$DFFF; undefined leaves the bus open. */
  read(address: number, _openBus = 0xff): number | undefined {
    return this.peek(address);
  }

  /** The same without side effects. */
  peek(_address: number): number | undefined {
    return undefined;
  }

  /** A write to $DE00-$DFFF; true when `mapping` has changed. */
  write(_address: number, _value: number): boolean {
    return false;
  }

  /** A read of $8000-$9FFF while ROML is selected and `mapping` has none; `below` is what RAM has there, undefined leaves the bus open. */
  readLow(offset: number, below: number): number | undefined {
    return this.peekLow(offset, below);
  }

  peekLow(_offset: number, _below: number): number | undefined {
    return undefined;
  }

  /** A write to $8000-$9FFF while ROML is selected, for cartridges with RAM there; true when `mapping` has changed. */
  writeLow(_offset: number, _value: number): boolean {
    return false;
  }

  /** A write to $E000-$FFFF in Ultimax mode, or to ROMH at $A000 where `mapping` wants that; true when `mapping` has changed. */
  writeHigh(_offset: number, _value: number): boolean {
    return false;
  }

  /** How many banks there are, each with up to 8 KiB at ROML and at ROMH. */
  get bankCount(): number {
    return Math.max(-1, ...this.#low.keys(), ...this.#high.keys()) + 1;
  }

  /** A byte of all that is in it: 16 KiB for each bank, ROML then ROMH. */
  peekRom(offset: number): number {
    const bytes = offset & bankSize ? this.high(offset >> 14) : this.low(offset >> 14);
    return bytes?.[offset & (bankSize - 1)] ?? 0xff;
  }

  /** After somebody wrote to the state. */
  restored(): void {}

  /** What was in it when this copy of its state was made, where that can change and is known. */
  imageIn(_copy: Int32Array): Uint8Array | undefined {
    return undefined;
  }

  /** Two of these are equal if what is in it is. */
  get contents(): string {
    return '';
  }

  /** The image file as it would be now, where that can change. */
  file(): Uint8Array | undefined {
    return undefined;
  }

  /** It has a freeze button, which works at the moment. */
  get canFreeze(): boolean {
    return false;
  }

  /** The processor is about to fetch the vector of the NMI that the button has brought about. */
  freeze(): void {}
}

function padded(bytes: Uint8Array): Uint8Array {
  if (bytes.length === bankSize) return bytes;
  // A smaller chip is seen again and again in its 8 KiB.
  return new Uint8Array(bankSize).map((_, index) => bytes[index % Math.max(1, bytes.length)] ?? 0xff);
}
