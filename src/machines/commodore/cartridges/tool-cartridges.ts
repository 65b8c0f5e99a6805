import type { Crt } from '../../../formats/commodore/media/crt.ts';
import { bankSize, Cartridge, type CartridgeMapping, cartridgeFields } from './cartridge.ts';

const { control } = cartridgeFields;
const io2 = 0xdf00;

/** Simons' BASIC: reading $DE00 hides the upper half, writing shows it. */
export class SimonsBasic extends Cartridge {
  override get switchesOnRead(): boolean {
    return true;
  }

  override reset(): void {
    super.reset();
    this.mode('8K');
  }

  override read(address: number): number | undefined {
    if (address < io2) this.mode('8K');
    return undefined;
  }

  override write(address: number): boolean {
    if (address < io2) this.mode('16K');
    return address < io2;
  }
}

/** The last two pages of ROML show at $DE00-$DFFF, as they do on many. */
class MirroredCartridge extends Cartridge {
  override peek(address: number): number | undefined {
    return this.low(this.bank)?.[0x1e00 | (address & 0x1ff)];
  }
}

/** Mikro Assembler. */
export class MikroAssembler extends MirroredCartridge {}

/** Warp Speed and MACH 5: a write to $DE00 switches it on, one to $DF00 off. */
export class SwitchedCartridge extends MirroredCartridge {
  override write(address: number): boolean {
    const on = this.crt.hardware === 16 ? '16K' : '8K';
    this.mode(address < io2 ? on : 'off');
    return true;
  }
}

/** How long after the last access an Epyx FastLoad stays, in cycles: until a capacitor is charged. */
const epyxCycles = 512;

/** Epyx FastLoad: any read of $8000-$9FFF or $DE00 keeps it there; its last page always shows at $DF00. */
export class EpyxFastLoad extends Cartridge {
  override reset(): void {
    super.reset();
    this.#charge();
  }

  #charge(): void {
    this.state[control] = (this.now() + epyxCycles) | 0;
  }

  get #isOn(): boolean {
    return (((this.state[control] ?? 0) - this.now()) | 0) > 0;
  }

  override get mapping(): CartridgeMapping {
    return { ...super.mapping, roml: undefined };
  }

  override peekLow(offset: number, below: number): number | undefined {
    return this.#isOn ? this.low(0)?.[offset] : below;
  }

  override readLow(offset: number, below: number): number | undefined {
    const byte = this.peekLow(offset, below);
    if (this.#isOn) this.#charge();
    return byte;
  }

  override read(address: number): number | undefined {
    if (address < io2) this.#charge();
    return this.peek(address);
  }

  override peek(address: number): number | undefined {
    return address < io2 ? undefined : this.low(0)?.[0x1f00 | (address & 255)];
  }
}

/** Westermann Learning: a read of $DF00 hides the upper half. */
export class Westermann extends Cartridge {
  override get switchesOnRead(): boolean {
    return true;
  }

  override read(address: number): number | undefined {
    if (address >= io2) this.mode('8K');
    return undefined;
  }
}

/** Rex Utility: a read of $DF00-$DFBF switches it off, of $DFC0-$DFFF on. */
export class RexUtility extends Cartridge {
  override get switchesOnRead(): boolean {
    return true;
  }

  override read(address: number): number | undefined {
    if (address >= io2) this.mode(address < 0xdfc0 ? 'off' : '8K');
    return undefined;
  }
}

const comalModes = ['16K', 'ultimax', '8K', 'off'] as const;

/** Comal 80: banks of 16 KiB and the mode in $DE00; revision 1 has eight of them and only knows on and off. */
export class Comal80 extends Cartridge {
  override reset(): void {
    super.reset();
    this.mode('16K');
  }

  override write(address: number, value: number): boolean {
    if (address >= io2) return false;
    const isBlack = this.crt.revision === 1;
    this.bank = value & (isBlack ? 7 : 3);
    this.mode(isBlack ? (value & 0x40 ? 'off' : '16K') : (comalModes[(value >> 5) & 3] ?? 'off'));
    return true;
  }
}

/** Structured BASIC: two banks; the address of an access to $DE00-$DEFF selects them, or switches off. */
export class StructuredBasic extends Cartridge {
  override get switchesOnRead(): boolean {
    return true;
  }

  override read(address: number): number | undefined {
    this.write(address);
    return undefined;
  }

  override write(address: number): boolean {
    if (address >= io2) return false;
    this.bank = (address & 3) >> 1;
    this.mode((address & 3) === 3 ? 'off' : '8K');
    return true;
  }
}

/** Ross: a read of $DE00 shows the second half of 32 KiB, one of $DF00 switches it off. */
export class Ross extends Cartridge {
  override get switchesOnRead(): boolean {
    return true;
  }

  override read(address: number): number | undefined {
    if (address >= io2) this.mode('off');
    else if (this.bankCount > 1) this.bank = 1;
    return undefined;
  }
}

/** Boards with sockets for EPROMs: Dela EP64, EP7x8 and EP256. Bit 7 of $DE00 switches off, the others are the bank. */
export class DelaSockets extends Cartridge {
  override reset(): void {
    super.reset();
    this.mode('8K');
  }

  override write(address: number, value: number): boolean {
    if (address >= io2) return false;
    this.bank = this.#bankOf(value);
    this.mode((this.crt.hardware === 25 ? value === 0xff : (value & 0x80) !== 0) ? 'off' : '8K');
    return true;
  }

  #bankOf(value: number): number {
    if (this.crt.hardware === 25) return value === 0xff ? this.bank : 31 - Math.clz32(~value & 0xff);
    if (this.crt.hardware === 26) {
      const bank = ((0x30 - (value & 0x30)) >> 1) + (value & 7) + 1;
      return bank > 32 ? 0 : bank;
    }
    const socket = ((value & 0x30) >> 4) | ((value & 3) << 2);
    return socket < 4 || socket > 11 ? 0 : socket - 3;
  }
}

/** Kingsoft Business BASIC: a read of $DE00 makes it a 16K cartridge, a write an Ultimax one with another upper half. */
export class Kingsoft extends Cartridge {
  override get switchesOnRead(): boolean {
    return true;
  }

  override get mapping(): CartridgeMapping {
    return { ...super.mapping, roml: this.low(0), romh: this.high(this.bank) ?? this.low(this.bank + 1) };
  }

  override reset(): void {
    super.reset();
    this.mode('16K');
  }

  override read(address: number): number | undefined {
    if (address < io2) this.#set(0);
    return undefined;
  }

  override write(address: number): boolean {
    if (address < io2) this.#set(1);
    return address < io2;
  }

  #set(bank: number): void {
    this.bank = bank;
    this.mode(bank === 0 ? '16K' : 'ultimax');
  }
}

/** EasyCalc: 8 KiB at $8000, and at $A000 one of two banks, by the address of a write to $DE00. */
export class EasyCalc extends Cartridge {
  override get mapping(): CartridgeMapping {
    return { ...super.mapping, roml: this.low(0) };
  }

  override write(address: number): boolean {
    if (address < io2) this.bank = address & 1;
    return address < io2;
  }
}

export const pagefoxRamBytes = 4 * bankSize;

/** Pagefox: $DE80 selects one of four banks of 16 KiB in ROM or two in RAM, or nothing; bit 4 switches it off. */
export class Pagefox extends Cartridge {
  readonly #ramBanks = Array.from({ length: 4 }, (_, half) =>
    this.ram.subarray(half * bankSize, (half + 1) * bankSize),
  );

  constructor(crt: Crt, state: Int32Array) {
    super(crt, state, pagefoxRamBytes);
  }

  override reset(): void {
    super.reset();
    this.mode('16K');
  }

  get #hasRam(): boolean {
    return ((this.state[control] ?? 0) & 0xc) === 8;
  }

  override get mapping(): CartridgeMapping {
    const half = this.bank & 1 ? 2 : 0;
    const isEmpty = ((this.state[control] ?? 0) & 0xc) === 0xc;
    return {
      ...super.mapping,
      roml: this.#hasRam ? this.#ramBanks[half] : isEmpty ? undefined : this.low(this.bank),
      romh: this.#hasRam ? this.#ramBanks[half + 1] : isEmpty ? undefined : this.high(this.bank),
      seesLow: this.#hasRam,
      seesHigh: this.#hasRam,
      listens: this.#hasRam,
    };
  }

  override write(address: number, value: number): boolean {
    if (address < 0xde80 || address >= io2) return false;
    this.state[control] = value;
    this.bank = (value >> 1) & 3;
    this.mode(value & 0x10 ? 'off' : '16K');
    return true;
  }

  override writeLow(offset: number, value: number): boolean {
    this.#store(0, offset, value);
    return false;
  }

  override writeHigh(offset: number, value: number): boolean {
    this.#store(1, offset, value);
    return false;
  }

  #store(half: number, offset: number, value: number): void {
    const bank = this.#ramBanks[(this.bank & 1) * 2 + half];
    if (this.#hasRam && bank) bank[offset] = value;
  }
}

/** EXOS: in place of the KERNAL, wherever that is switched in. */
export class KernalReplacement extends Cartridge {
  override reset(): void {
    super.reset();
    this.mode('off');
  }

  override get mapping(): CartridgeMapping {
    return { ...super.mapping, romh: undefined, kernal: this.high(0) };
  }
}
