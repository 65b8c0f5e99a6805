import { type Crt, writeCrt } from '../../../formats/commodore/media/crt.ts';
import type { DiskRevision, DiskShelf } from '../drive/disk-shelf.ts';
import { bankSize, Cartridge, type CartridgeMapping, cartridgeFields } from './cartridge.ts';
import { easyFlashDriver } from './easy-flash-driver.generated.ts';
import { FlashChip, flashBytes, flashChipWords, identification } from './flash-chip.ts';

const { control, ram: ramStart } = cartridgeFields;

const ramBytes = 256;
const pageBytes = 256;
/** After the RAM: the page being programmed, then these words. */
const pendingStart = ramStart + ramBytes / 4;
const flashStart = pendingStart + pageBytes / 4;
const fields = { hashLow: 0, hashHigh: 1, pendingPage: 2, lowChip: 3, highChip: 3 + flashChipWords } as const;
const banks = 64;
/** Where programs look for their driver of the chips, and how it begins: `eapi`. */
const driverStart = flashBytes + 0x1800;
const driverName = [0x65, 0x61, 0x70, 0x69];

export const easyFlashRamBytes = ramBytes + pageBytes + (fields.highChip + flashChipWords) * 4;

/**
 * EasyFlash: $DE00 the bank, $DE02 the mode (bit 2: GAME from bit 0, else from the boot jumper), 256 bytes of RAM at $DF00,
 * two flash chips that are written to in Ultimax mode. What is in them is on the machine's shelf; the state names it.
 */
export class EasyFlash extends Cartridge {
  readonly #shelf: DiskShelf;
  readonly #words: Int32Array;
  readonly #pending: Uint8Array;
  /** Both chips as they are now, the lower one first: a cache of what the state names. */
  readonly #image = new Uint8Array(2 * flashBytes).fill(0xff);
  readonly #banks = Array.from({ length: 2 * banks }, (_, index) =>
    this.#image.subarray(index * bankSize, (index + 1) * bankSize),
  );
  readonly #lowChip: FlashChip;
  readonly #highChip: FlashChip;
  #revision: DiskRevision;

  constructor(crt: Crt, state: Int32Array, shelf: DiskShelf) {
    super(crt, state, ramBytes);
    this.#shelf = shelf;
    this.#words = state.subarray(flashStart);
    this.#pending = new Uint8Array(state.buffer, state.byteOffset + pendingStart * 4, pageBytes);
    for (const chip of crt.chips) {
      const start = (chip.address >= 0xa000 ? flashBytes : 0) + (chip.bank % banks) * bankSize;
      this.#image.set(chip.bytes.subarray(0, bankSize), start);
      if (chip.size > bankSize)
        this.#image.set(chip.bytes.subarray(bankSize), flashBytes + (chip.bank % banks) * bankSize);
    }
    this.#fillDriver();
    this.#revision = shelf.keep(this.#image);
    this.#name();
    this.#lowChip = this.#chip(fields.lowChip, 0);
    this.#highChip = this.#chip(fields.highChip, flashBytes);
  }

  /** An image that leaves room for a driver, and has none, gets one: whoever writes it to real chips does the same. */
  #fillDriver(): void {
    const room = this.#image.subarray(driverStart, driverStart + easyFlashDriver.length);
    const isRoom = room.every((byte, at) => byte === (driverName[at] ?? 0xff));
    if (isRoom) room.set(easyFlashDriver);
  }

  #chip(words: number, start: number): FlashChip {
    return new FlashChip(this.#words.subarray(words, words + flashChipWords), {
      program: (address, value) => this.#program(start + address, value),
      erase: (first, length) => this.#erase(start + first, length),
    });
  }

  override reset(): void {
    super.reset();
    // The power switch clears the state, not what is in the chips.
    this.#revision = this.#shelf.keep(this.#image, this.#revision);
    this.#words[fields.pendingPage] = 0;
    this.#name();
    this.#lowChip.reset();
    this.#highChip.reset();
    this.#set(0);
  }

  #set(value: number): void {
    this.state[control] = value;
    const isGameLow = value & 4 ? (value & 1) !== 0 : true;
    this.drive(value & 2 ? 0 : 1, isGameLow ? 0 : 1);
  }

  override get mapping(): CartridgeMapping {
    return {
      ...super.mapping,
      roml: this.#lowChip.isIdentifying ? identification : this.low(this.bank),
      romh: this.#highChip.isIdentifying ? identification : this.high(this.bank),
    };
  }

  override get bankCount(): number {
    return banks;
  }

  override low(number: number): Uint8Array | undefined {
    return this.#banks[number];
  }

  override high(number: number): Uint8Array | undefined {
    return this.#banks[banks + number];
  }

  override peek(address: number): number | undefined {
    return address >= 0xdf00 ? this.ram[address & 255] : undefined;
  }

  override write(address: number, value: number): boolean {
    if (address >= 0xdf00) {
      this.ram[address & 255] = value;
      return false;
    }
    if (address & 2) this.#set(value);
    else this.bank = value & (banks - 1);
    return true;
  }

  /** The flash sees writes only where the PLA selects it for them: in Ultimax mode. */
  get #isUltimax(): boolean {
    const { exrom, game } = cartridgeFields;
    return this.state[exrom] === 1 && this.state[game] === 0;
  }

  override writeLow(offset: number, value: number): boolean {
    return this.#isUltimax && this.#lowChip.write(this.bank * bankSize + offset, value);
  }

  override writeHigh(offset: number, value: number): boolean {
    return this.#isUltimax && this.#highChip.write(this.bank * bankSize + offset, value);
  }

  // ---- the contents

  #program(address: number, value: number): void {
    const page = Math.floor(address / pageBytes) + 1;
    if (this.#words[fields.pendingPage] !== page) this.#commit();
    this.#image[address] = (this.#image[address] ?? 0) & value;
    this.#words[fields.pendingPage] = page;
    this.#pending.set(this.#image.subarray((page - 1) * pageBytes, page * pageBytes));
  }

  #erase(first: number, length: number): void {
    this.#commit();
    this.#image.fill(0xff, first, first + length);
    for (let at = first; at < first + length; at += pageBytes) {
      this.#revision = this.#shelf.withPage(this.#revision, at / pageBytes, this.#image.subarray(at, at + pageBytes));
    }
    this.#name();
  }

  /** The page being programmed goes to the shelf. */
  #commit(): void {
    const page = (this.#words[fields.pendingPage] ?? 0) - 1;
    if (page < 0) return;
    this.#revision = this.#shelf.withPage(this.#revision, page, this.#pending);
    this.#words[fields.pendingPage] = 0;
    this.#name();
  }

  #name(): void {
    this.#words[fields.hashLow] = this.#revision.low;
    this.#words[fields.hashHigh] = this.#revision.high;
  }

  override restored(): void {
    const [low = 0, high = 0, pendingPage = 0] = this.#words;
    const revision = this.#shelf.find(low, high);
    if (revision === undefined) this.#name();
    else {
      this.#image.set(this.#shelf.bytesOf(revision));
      this.#revision = revision;
    }
    if (pendingPage > 0) this.#image.set(this.#pending, (pendingPage - 1) * pageBytes);
  }

  override imageIn(copy: Int32Array): Uint8Array | undefined {
    const [low = 0, high = 0] = copy.subarray(flashStart);
    const revision = this.#shelf.find(low, high);
    return revision && this.#shelf.bytesOf(revision);
  }

  override get contents(): string {
    this.#commit();
    return `${this.#revision.low},${this.#revision.high}`;
  }

  /** As a CRT file, with all banks that hold anything. */
  override file(): Uint8Array {
    const chip = (bank: number, address: number, bytes = identification) =>
      ({ type: 'flash', bank, address, size: bankSize, bytes }) as const;
    const chips = Array.from({ length: banks }, (_, bank) => [
      chip(bank, 0x8000, this.low(bank)),
      chip(bank, 0xa000, this.high(bank)),
    ]).flat();
    return writeCrt({ ...this.crt, chips: chips.filter(({ bytes }) => bytes.some((byte) => byte !== 0xff)) });
  }
}
