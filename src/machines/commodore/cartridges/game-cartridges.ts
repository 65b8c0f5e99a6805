import { Cartridge, type CartridgeMapping, cartridgeFields } from './cartridge.ts';

const { control } = cartridgeFields;
const io2 = 0xdf00;
const nextPowerOfTwo = (value: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, value)));

/** Ocean: the bank in $DE00; the same bank at $A000, except on the 512 KiB type, which is an 8 KiB cartridge. */
export class Ocean extends Cartridge {
  readonly #bankCount = this.crt.chips.length;

  override reset(): void {
    super.reset();
    this.mode(this.#bankCount > 32 ? '8K' : '16K');
  }

  override get mapping(): CartridgeMapping {
    const current = this.low(this.bank) ?? this.high(this.bank);
    return { ...super.mapping, roml: current, romh: current };
  }

  override write(address: number, value: number): boolean {
    if (address >= io2) return false;
    this.bank = value & 0x3f & (nextPowerOfTwo(this.#bankCount) - 1);
    return true;
  }
}

/** Magic Desk and its clones: the bank in $DE00, bit 7 switches the cartridge off; type 85 has banks of 16 KiB. */
export class MagicDesk extends Cartridge {
  override reset(): void {
    super.reset();
    this.write(0xde00, 0);
  }

  override write(address: number, value: number): boolean {
    if (address >= io2) return false;
    this.bank = value & 0x7f & (nextPowerOfTwo(this.bankCount) - 1);
    this.mode(value & 0x80 ? 'off' : this.crt.hardware === 85 ? '16K' : '8K');
    return true;
  }
}

/** C64 Game System: the bank is the low part of the address in $DE00-$DEFF, for reads as for writes. */
export class GameSystem extends Cartridge {
  override get switchesOnRead(): boolean {
    return true;
  }

  override read(address: number): number | undefined {
    this.write(address);
    return undefined;
  }

  override write(address: number): boolean {
    if (address < io2) this.bank = address & 0x3f;
    return address < io2;
  }
}

/** Dinamic: a read of $DE00-$DE0F selects the bank. */
export class Dinamic extends Cartridge {
  override get switchesOnRead(): boolean {
    return true;
  }

  override read(address: number): number | undefined {
    if (address < 0xde10) this.bank = address & 15;
    return undefined;
  }
}

/** Fun Play: $DE00 has the bank in bits 3-5 and 0; of the others, $86 switches it off and $00 on. */
export class FunPlay extends Cartridge {
  override write(address: number, value: number): boolean {
    if (address >= io2) return false;
    this.bank = ((value >> 3) & 7) | ((value & 1) << 3);
    if ((value & 0xc6) === 0) this.mode('8K');
    if ((value & 0xc6) === 0x86) this.mode('off');
    return true;
  }
}

/** Super Games: banks of 16 KiB in $DF00; bit 2 switches it off, bit 3 keeps what is set until the next reset. */
export class SuperGames extends Cartridge {
  override write(address: number, value: number): boolean {
    if (address < io2 || ((this.state[control] ?? 0) & 8) !== 0) return false;
    this.state[control] = value;
    this.bank = value & 3;
    this.mode(value & 4 ? 'off' : '16K');
    return true;
  }
}

/** Zaxxon: 4 KiB at $8000, seen twice; which half is read selects one of two banks at $A000. */
export class Zaxxon extends Cartridge {
  override get mapping(): CartridgeMapping {
    return { ...super.mapping, roml: undefined, romh: this.high(this.bank) };
  }

  override peekLow(offset: number): number {
    return this.low(0)?.[offset] ?? 0xff;
  }

  override readLow(offset: number): number {
    this.bank = offset >> 12;
    return this.peekLow(offset);
  }
}

/** Prophet64: $DF00 has the bank, and bit 5, which switches it off. */
export class Prophet64 extends Cartridge {
  override write(address: number, value: number): boolean {
    if (address < io2) return false;
    this.bank = value & 0x1f;
    this.mode(value & 0x20 ? 'off' : '8K');
    return true;
  }
}

/** RGCD: eight banks in $DE00; bit 3 switches it off until the next reset. Revision 1 counts its banks backwards. */
export class Rgcd extends Cartridge {
  override reset(): void {
    super.reset();
    this.mode('8K');
    this.write(0xde00, 0);
  }

  override write(address: number, value: number): boolean {
    if (address >= io2) return false;
    this.bank = (this.crt.revision === 1 ? value ^ 7 : value) & 7 & (nextPowerOfTwo(this.bankCount) - 1);
    this.state[control] = (this.state[control] ?? 0) | (value & 8);
    if ((this.state[control] ?? 0) !== 0) this.mode('off');
    return true;
  }
}

const silverrockBanks = [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15];

/** Silverrock: the bank in bits 4-7 of what is written to $DE00, in an order of its own. */
export class Silverrock extends Cartridge {
  override write(address: number, value: number): boolean {
    if (address >= io2) return false;
    this.bank = silverrockBanks[value >> 4] ?? 0;
    return true;
  }
}
