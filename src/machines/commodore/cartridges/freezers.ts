import type { Crt } from '../../../formats/commodore/media/crt.ts';
import { bankSize, Cartridge, type CartridgeMapping, cartridgeFields } from './cartridge.ts';

const { control } = cartridgeFields;
const io2 = 0xdf00;
const lastPage = 0x1f00;

/**
 * Action Replay 4.2-6 and, with RAM that can lie at $A000 too, Atomic and Nordic Power: $DE00 holds lines, bank and RAM, and is
 * written with whatever is on the bus when it is read. The last page of what lies at $8000 shows at $DF00.
 */
export class ActionReplay extends Cartridge {
  constructor(crt: Crt, state: Int32Array) {
    super(crt, state, bankSize);
  }

  override get switchesOnRead(): boolean {
    return true;
  }

  override reset(): void {
    super.reset();
    this.#set(0);
  }

  get #register(): number {
    return this.state[control] ?? 0;
  }

  get #isOn(): boolean {
    return (this.#register & 4) === 0;
  }

  /** RAM lies where its page shows at $DF00. */
  get #hasRam(): boolean {
    return (this.#register & 0x20) !== 0;
  }

  get #isPower(): boolean {
    return this.crt.hardware === 9;
  }

  /** Nordic Power: RAM at $A000. */
  get #hasHighRam(): boolean {
    return this.#isPower && (this.#register & 0xe7) === 0x22;
  }

  /** The others put RAM and the computer's memory on the bus at once. */
  get #isContended(): boolean {
    return !this.#isPower && (this.#register & 0x23) === 0x22;
  }

  #set(value: number): void {
    this.state[control] = value;
    this.bank = (value >> 3) & 3;
    if (this.#hasHighRam) this.mode('16K');
    else if (this.#isContended) this.mode('8K');
    else this.drive((value >> 1) & 1, (value & 1) ^ 1);
    // Bit 2 takes the cartridge off the bus until the next reset or freeze.
    if (value & 4) this.mode('off');
  }

  override get mapping(): CartridgeMapping {
    const rom = this.low(this.bank);
    const isLowRam = this.#hasRam && !this.#hasHighRam;
    return {
      ...super.mapping,
      roml: this.#isContended ? undefined : isLowRam ? this.ram : rom,
      romh: this.#hasHighRam ? this.ram : rom,
      seesLow: isLowRam,
      seesHigh: this.#hasHighRam,
      keepsHigh: this.#hasHighRam,
    };
  }

  override peekLow(offset: number, below: number): number | undefined {
    return this.#isContended ? below | (this.ram[offset] ?? 0) : undefined;
  }

  override read(address: number, openBus = 0xff): number | undefined {
    if (address >= io2) return this.peek(address);
    if (this.#isOn) this.#set(openBus);
    return undefined;
  }

  override peek(address: number): number | undefined {
    if (!this.#isOn || address < io2) return undefined;
    return (this.#hasRam ? this.ram : this.low(this.bank))?.[lastPage | (address & 255)];
  }

  override write(address: number, value: number): boolean {
    if (!this.#isOn) return false;
    if (address >= io2) {
      if (this.#hasRam) this.ram[lastPage | (address & 255)] = value;
      return false;
    }
    this.#set(value);
    return true;
  }

  override writeLow(offset: number, value: number): boolean {
    if (this.#isOn && this.#hasRam && !this.#hasHighRam) this.ram[offset] = value;
    return false;
  }

  override writeHigh(offset: number, value: number): boolean {
    if (this.#isOn && this.#hasHighRam) this.ram[offset] = value;
    return false;
  }

  override get canFreeze(): boolean {
    return true;
  }

  override freeze(): void {
    this.#set(0x23);
  }
}

/** Action Replay 3 and 4.0: other bits, no RAM. Both start with bank 1 and freeze with bank 0. */
export class EarlyActionReplay extends Cartridge {
  override reset(): void {
    super.reset();
    this.bank = 1;
    this.mode('8K');
  }

  override get mapping(): CartridgeMapping {
    const rom = this.low(this.bank);
    return { ...super.mapping, roml: rom, romh: rom };
  }

  override peek(address: number): number | undefined {
    if (address < io2 || (this.state[control] ?? 0) !== 0) return undefined;
    return this.low(this.bank)?.[lastPage | (address & 255)];
  }

  override write(address: number, value: number): boolean {
    if (address >= io2 || (this.state[control] ?? 0) !== 0) return false;
    const exrom = ((value >> 3) & 1) ^ 1;
    if (this.crt.hardware === 35) {
      this.bank = value & 1;
      this.drive(exrom, 1);
    } else {
      this.bank = (value & 1) | ((value >> 3) & 2);
      this.drive(exrom, (value >> 1) & 1);
    }
    // Bit 2: this was the last write.
    this.state[control] = value & 4;
    return true;
  }

  override get canFreeze(): boolean {
    return true;
  }

  override freeze(): void {
    this.state[control] = 0;
    this.bank = 0;
    this.mode('ultimax');
  }
}

/** Final Cartridge III: $DFFF holds bank, lines, NMI and bit 7, which hides the register; $DE00-$DFFF show the end of ROML. */
export class FinalCartridge3 extends Cartridge {
  override reset(): void {
    super.reset();
    this.state[control] = 0x40;
    this.mode('16K');
  }

  override get mapping(): CartridgeMapping {
    return { ...super.mapping, nmi: ((this.state[control] ?? 0) & 0x40) === 0 };
  }

  override peek(address: number): number | undefined {
    return this.low(this.bank)?.[0x1e00 | (address & 0x1ff)];
  }

  override write(address: number, value: number): boolean {
    if (address !== 0xdfff || ((this.state[control] ?? 0) & 0x80) !== 0) return false;
    this.state[control] = value;
    this.bank = value & 15 & (this.bankCount > 4 ? 15 : 3);
    this.drive((value >> 4) & 1, (value >> 5) & 1);
    return true;
  }

  override get canFreeze(): boolean {
    return true;
  }

  override freeze(): void {
    this.state[control] = 0x40;
    this.mode('ultimax');
  }
}

/** Final Cartridge I: any access to $DE00 switches it off, to $DF00 on; both show the end of ROML. */
export class FinalCartridge1 extends Cartridge {
  override get switchesOnRead(): boolean {
    return true;
  }

  override reset(): void {
    super.reset();
    this.mode('16K');
  }

  override read(address: number): number | undefined {
    this.write(address);
    return this.peek(address);
  }

  override peek(address: number): number | undefined {
    return this.low(0)?.[0x1e00 | (address & 0x1ff)];
  }

  override write(address: number): boolean {
    this.mode(address < io2 ? 'off' : '16K');
    return true;
  }

  override get canFreeze(): boolean {
    return true;
  }

  override freeze(): void {
    this.mode('ultimax');
  }
}

/** KCS Power: reads and writes of $DE00 set the lines by address bit 1; 128 bytes of RAM at $DF00, the lines read at $DF80. */
export class KcsPower extends Cartridge {
  constructor(crt: Crt, state: Int32Array) {
    super(crt, state, 128);
  }

  override get switchesOnRead(): boolean {
    return true;
  }

  override reset(): void {
    super.reset();
    this.mode('16K');
  }

  override get mapping(): CartridgeMapping {
    return { ...super.mapping, seesLow: false };
  }

  override read(address: number, openBus = 0xff): number | undefined {
    if (address < io2) this.mode(address & 2 ? 'off' : '8K');
    const value = this.peek(address) ?? 0;
    return address >= 0xdf80 ? value | (openBus & 0x3f) : value;
  }

  override peek(address: number): number | undefined {
    const { exrom, game } = this.mapping;
    if (address < io2) return this.low(0)?.[0x1e00 | (address & 255)];
    return address >= 0xdf80 ? (exrom << 7) | (game << 6) : this.ram[address & 0x7f];
  }

  override write(address: number, value: number): boolean {
    if (address < io2) this.mode(address & 2 ? 'ultimax' : '16K');
    else if (address < 0xdf80) this.ram[address & 0x7f] = value;
    return address < io2;
  }

  override get canFreeze(): boolean {
    return true;
  }

  override freeze(): void {
    this.mode('ultimax');
  }
}

/** Super Snapshot 5: $DE00 holds lines, bank and RAM; reads of it show the page before the last of ROML. */
export class SuperSnapshot5 extends Cartridge {
  constructor(crt: Crt, state: Int32Array) {
    super(crt, state, bankSize);
  }

  override reset(): void {
    super.reset();
    this.write(0xde00, 0);
  }

  get #isOn(): boolean {
    return ((this.state[control] ?? 0) & 8) === 0;
  }

  get #hasRam(): boolean {
    return ((this.state[control] ?? 0) & 2) === 0;
  }

  override get mapping(): CartridgeMapping {
    const roml = this.#hasRam ? this.ram : this.#isOn ? this.low(this.bank) : undefined;
    return { ...super.mapping, roml, seesLow: this.#hasRam };
  }

  override peek(address: number): number | undefined {
    return address < io2 && this.#isOn ? this.low(this.bank)?.[0x1e00 | (address & 255)] : undefined;
  }

  override write(address: number, value: number): boolean {
    if (address >= io2 || !this.#isOn) return false;
    this.state[control] = value;
    this.bank = ((value >> 2) & 1) | ((value >> 3) & 2) | (this.bankCount > 4 ? (value >> 3) & 4 : 0);
    this.drive(((value >> 1) & 1) ^ 1, value & 1);
    return true;
  }

  override writeLow(offset: number, value: number): boolean {
    if (this.#hasRam) this.ram[offset] = value;
    return false;
  }

  override get canFreeze(): boolean {
    return true;
  }

  override freeze(): void {
    this.state[control] = 0;
    this.write(0xde00, 0);
  }
}
