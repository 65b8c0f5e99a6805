import { MediaError } from '../../../formats/commodore/media/byte-fields.ts';
import { type Crt, hardwareNames } from '../../../formats/commodore/media/crt.ts';
import { DiskShelf } from '../drive/disk-shelf.ts';
import { bankSize, Cartridge, type CartridgeMapping, cartridgeFields } from './cartridge.ts';
import { EasyFlash, easyFlashRamBytes } from './easy-flash.ts';

const { control } = cartridgeFields;

const level = (condition: boolean): number => (condition ? 1 : 0);

/** Ocean: the bank in $DE00; the same bank at $A000, except on the 512 KiB type, which is an 8 KiB cartridge. */
class Ocean extends Cartridge {
  readonly #bankCount = this.crt.chips.length;

  override reset(): void {
    super.reset();
    this.drive(0, level(this.#bankCount > 32));
  }

  override get mapping(): CartridgeMapping {
    const current = this.low(this.bank) ?? this.high(this.bank);
    return { ...super.mapping, roml: current, romh: current };
  }

  override write(address: number, value: number): boolean {
    if (address >= 0xdf00) return false;
    this.bank = value & 0x3f & (nextPowerOfTwo(this.#bankCount) - 1);
    return true;
  }
}

/** Magic Desk and its clones: the bank in $DE00, bit 7 switches the cartridge off. */
class MagicDesk extends Cartridge {
  override write(address: number, value: number): boolean {
    if (address >= 0xdf00) return false;
    this.bank = value & 0x7f & (nextPowerOfTwo(this.crt.chips.length) - 1);
    this.drive(value >> 7, 1);
    return true;
  }
}

/** C64 Game System and Dinamic: the bank is the low part of the address in $DE00-$DEFF; a read selects 0 or the bank. */
class AddressBanked extends Cartridge {
  override get switchesOnRead(): boolean {
    return true;
  }

  override read(address: number): number | undefined {
    if (address < 0xdf00) this.bank = this.crt.hardware === 17 ? address & 15 : 0;
    return undefined;
  }

  override write(address: number): boolean {
    if (address >= 0xdf00 || this.crt.hardware === 17) return false;
    this.bank = address & 0x3f;
    return true;
  }
}

/** Simons' BASIC: reading $DE00 hides the upper half, writing shows it. */
class SimonsBasic extends Cartridge {
  override get switchesOnRead(): boolean {
    return true;
  }

  override reset(): void {
    super.reset();
    this.drive(0, 1);
  }

  override read(address: number): number | undefined {
    if (address < 0xdf00) this.drive(0, 1);
    return undefined;
  }

  override write(address: number): boolean {
    if (address < 0xdf00) this.drive(0, 0);
    return address < 0xdf00;
  }
}

/** Action Replay 4.2-6: $DE00 holds lines, bank and RAM; the last page of what lies at $8000 shows at $DF00. */
class ActionReplay extends Cartridge {
  constructor(crt: Crt, state: Int32Array) {
    super(crt, state, bankSize);
  }

  override reset(): void {
    super.reset();
    this.#set(0);
  }

  get #isOn(): boolean {
    return ((this.state[control] ?? 0) & 4) === 0;
  }

  get #hasRam(): boolean {
    return ((this.state[control] ?? 0) & 0x20) !== 0;
  }

  #set(value: number): void {
    this.state[control] = value;
    this.bank = (value >> 3) & 3;
    this.drive((value >> 1) & 1, (value & 1) ^ 1);
  }

  override get mapping(): CartridgeMapping {
    const rom = this.low(this.bank);
    return { ...super.mapping, roml: this.#hasRam ? this.ram : rom, romh: rom };
  }

  override peek(address: number): number | undefined {
    if (!this.#isOn || address < 0xdf00) return undefined;
    return this.mapping.roml?.[0x1f00 | (address & 255)];
  }

  override write(address: number, value: number): boolean {
    if (!this.#isOn) return false;
    if (address >= 0xdf00) {
      if (this.#hasRam) this.ram[0x1f00 | (address & 255)] = value;
      return false;
    }
    this.#set(value);
    // Bit 2 takes the cartridge off the bus until the next reset or freeze.
    if (value & 4) this.drive(1, 1);
    return true;
  }

  override writeLow(offset: number, value: number): boolean {
    if (this.#isOn && this.#hasRam) this.ram[offset] = value;
    return false;
  }

  override freeze(): boolean {
    this.#set(0x23);
    return true;
  }
}

/** Final Cartridge III: $DFFF holds bank, lines and bit 7, which hides the register; $DE00-$DFFF show the end of ROML. */
class FinalCartridge3 extends Cartridge {
  override reset(): void {
    super.reset();
    this.drive(0, 0);
  }

  override peek(address: number): number | undefined {
    return this.low(this.bank)?.[0x1e00 | (address & 0x1ff)];
  }

  override write(address: number, value: number): boolean {
    if (address !== 0xdfff || ((this.state[control] ?? 0) & 0x80) !== 0) return false;
    this.state[control] = value;
    this.bank = value & 3;
    this.drive((value >> 4) & 1, (value >> 5) & 1);
    return true;
  }

  override freeze(): boolean {
    this.state[control] = 0;
    this.bank = 0;
    this.drive(1, 0);
    return true;
  }
}

const nextPowerOfTwo = (value: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, value)));

type Maker = (crt: Crt, state: Int32Array, shelf: DiskShelf) => Cartridge;

const types: Readonly<Record<number, { readonly make: Maker; readonly ramSize?: number }>> = {
  0: { make: (crt, state) => new Cartridge(crt, state) },
  1: { make: (crt, state) => new ActionReplay(crt, state), ramSize: bankSize },
  3: { make: (crt, state) => new FinalCartridge3(crt, state) },
  4: { make: (crt, state) => new SimonsBasic(crt, state) },
  5: { make: (crt, state) => new Ocean(crt, state) },
  15: { make: (crt, state) => new AddressBanked(crt, state) },
  17: { make: (crt, state) => new AddressBanked(crt, state) },
  19: { make: (crt, state) => new MagicDesk(crt, state) },
  32: { make: (crt, state, shelf) => new EasyFlash(crt, state, shelf), ramSize: easyFlashRamBytes },
};

/** How many words of state a cartridge needs. */
export function cartridgeStateWords({ hardware }: Crt): number {
  return cartridgeFields.ram + (types[hardware]?.ramSize ?? 0) / 4;
}

/** The cartridge of an image, reset. Throws a MediaError for hardware that is not emulated. */
export function cartridgeOf(
  crt: Crt,
  state: Int32Array = new Int32Array(cartridgeStateWords(crt)),
  shelf: DiskShelf = new DiskShelf(),
): Cartridge {
  const type = types[crt.hardware];
  if (!type) {
    const emulated = Object.keys(types).map((number) => hardwareNames[Number(number)]);
    throw new MediaError(
      `it is a cartridge of type ${crt.hardware} (${crt.hardwareName}), whose hardware is not emulated`,
      `These are: ${emulated.join(', ')}.`,
    );
  }
  const cartridge = type.make(crt, state, shelf);
  cartridge.reset();
  return cartridge;
}
