import type { Crt } from '../../../formats/commodore/media/crt.ts';
import { bankSize, Cartridge, type CartridgeMapping, cartridgeFields } from './cartridge.ts';

const { control } = cartridgeFields;
const io2 = 0xdf00;

export const retroReplayRamBytes = 4 * bankSize;

/** Bits of the control word: $DE00 as written, and above it what else there is. */
const off = 0x04;
const hasRam = 0x20;
const allowBank = 0x200;
const noFreeze = 0x400;
const reuMap = 0x4000;
const isWritten = 0x1_0000;
const isFrozen = 0x2_0000;

/**
 * Retro Replay, and as revision 1 Nordic Replay: 64 KiB of ROM and 32 of RAM in eight and four banks, $DE00 as on an Action
 * Replay, $DE01 with bits that can be written once. A page of what lies at $8000 shows at $DF00, or with the map for REUs at
 * $DE02-$DEFF. Not emulated: the clock port, and the jumper that lets the flash be written.
 */
export class RetroReplay extends Cartridge {
  readonly #ramBanks = Array.from({ length: 4 }, (_, bank) =>
    this.ram.subarray(bank * bankSize, (bank + 1) * bankSize),
  );
  /** Of 128 KiB the upper half, as without the jumper for banks. */
  readonly #firstBank = this.bankCount > 8 ? 8 : 0;

  constructor(crt: Crt, state: Int32Array) {
    super(crt, state, retroReplayRamBytes);
  }

  override reset(): void {
    super.reset();
    this.mode('8K');
  }

  #is(bit: number): boolean {
    return ((this.state[control] ?? 0) & bit) !== 0;
  }

  #rom(bank: number): Uint8Array | undefined {
    return this.low(this.#firstBank + bank);
  }

  /** Nordic Replay with RAM at $A000. */
  get #isPower(): boolean {
    return this.crt.revision === 1 && ((this.state[control] ?? 0) & 0x67) === 0x22;
  }

  override get mapping(): CartridgeMapping {
    const lines = super.mapping;
    const is16K = lines.exrom === 0 && lines.game === 0;
    const isUltimax = lines.exrom === 1 && lines.game === 0;
    const isRamLow = this.#is(hasRam) && !this.#isPower && !this.#is(isFrozen);
    const isRomLow = !this.#is(isFrozen) && (this.#isPower || !is16K);
    // With RAM and without leave to bank it, the two lower bits of the bank do not reach the ROM either.
    const romBank = this.#is(allowBank) || !this.#is(hasRam) ? this.bank : this.bank & ~3;
    return {
      ...lines,
      roml: isRamLow ? this.#ramBanks[this.bank & 3] : isRomLow ? this.#rom(this.bank) : undefined,
      romh: this.#isPower ? this.#windowRam : this.#rom(romBank),
      seesLow: isRamLow && (isUltimax || this.crt.revision === 1),
      seesHigh: this.#isPower,
      keepsHigh: this.#isPower,
      hidesFromVic: true,
    };
  }

  /** The bank of RAM whose pages show in I/O. */
  get #windowRam(): Uint8Array | undefined {
    return this.#ramBanks[this.#is(allowBank) ? this.bank & 3 : 0];
  }

  /** What shows at this address in I/O, if this half of it is the one. */
  #window(address: number): Uint8Array | undefined {
    if (this.#is(off) || this.#is(isFrozen) || address >= io2 === this.#is(reuMap)) return undefined;
    if (this.#is(hasRam)) return this.#windowRam;
    return super.mapping.game === 1 ? this.#rom(this.bank) : undefined;
  }

  override peek(address: number): number | undefined {
    if (this.#is(off)) return undefined;
    if (address === 0xde00 || address === 0xde01) {
      const banks = ((this.bank & 3) << 3) | ((this.bank & 4) << 5);
      return banks | (((this.state[control] ?? 0) >> 8) & 0x42);
    }
    return this.#window(address)?.[0x1e00 | (address & 0x1ff)];
  }

  override write(address: number, value: number): boolean {
    if (this.#is(off)) return false;
    if (address === 0xde00) this.#setMain(value);
    else if (address === 0xde01) this.#setExtended(value);
    else {
      const window = this.#is(hasRam) ? this.#window(address) : undefined;
      if (window) window[0x1e00 | (address & 0x1ff)] = value;
      return false;
    }
    return true;
  }

  #setMain(value: number): void {
    const kept = (this.state[control] ?? 0) & ~0xff & (value & 0x40 ? ~isFrozen : -1);
    this.state[control] = kept | value;
    this.bank = ((value >> 3) & 3) | ((value >> 5) & 4);
    if (this.#isPower) this.mode('16K');
    else this.drive((value >> 1) & 1, (value & 1) ^ 1);
    if (this.#is(isFrozen)) this.mode('ultimax');
    if (this.#is(off)) this.mode('off');
  }

  #setExtended(value: number): void {
    this.bank = ((value >> 3) & 3) | ((value >> 5) & 4);
    if (this.#is(isWritten)) return;
    const once = (value << 8) & (allowBank | noFreeze | reuMap);
    this.state[control] = (this.state[control] ?? 0) | once | isWritten;
  }

  override writeLow(offset: number, value: number): boolean {
    const bank = this.#ramBanks[this.bank & 3];
    if (bank && this.mapping.seesLow === true) bank[offset] = value;
    return false;
  }

  override writeHigh(offset: number, value: number): boolean {
    const window = this.#windowRam;
    if (window && this.#isPower) window[offset] = value;
    return false;
  }

  override get canFreeze(): boolean {
    return !this.#is(noFreeze);
  }

  override freeze(): void {
    this.state[control] = ((this.state[control] ?? 0) & ~0xff) | isFrozen;
    this.bank = 0;
    this.mode('ultimax');
  }
}
