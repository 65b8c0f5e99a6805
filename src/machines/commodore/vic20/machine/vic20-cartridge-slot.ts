import { latin, word } from '../../../../formats/commodore/media/byte-fields.ts';
import { detectMedia } from '../../../../formats/commodore/media/detect-media.ts';
import { hex } from '../../../../formats/hex.ts';
import type { MemorySpace } from '../../../../machine/memory.ts';
import type { CartridgeFile, CartridgeSlot } from '../../machine/cartridge-slot.ts';
import type { Vic20Board } from '../vic20-board.ts';
import { type CartridgeRom, isVic20Crt, readVic20Cartridge } from '../vic20-cartridge.ts';
import { vic20Model } from '../vic20-model.ts';

const { resetTrap } = vic20Model;
/** How files with nothing but the bytes of ROMs are called. */
const romFile = /\.(bin|rom|crt|a0|60|40|20)$/i;

/** The memory expansion port with ROMs in it. */
export class Vic20CartridgeSlot implements CartridgeSlot {
  readonly description = 'CRT, PRG with its address, or bare ROM (BIN)';
  readonly #board: Vic20Board;
  #roms: readonly CartridgeRom[] = [];

  constructor(board: Vic20Board) {
    this.#board = board;
  }

  isCartridge({ name, bytes }: CartridgeFile): boolean {
    if (isVic20Crt(bytes)) return true;
    if (!this.accepts({ name, bytes })) return false;
    return romFile.test(name) || startsItself(bytes);
  }

  /** Whatever is not known to be something else. */
  accepts({ name, bytes }: CartridgeFile): boolean {
    return isVic20Crt(bytes) || [undefined, 'prg'].includes(detectMedia(bytes, name));
  }

  check(file: Uint8Array): void {
    readVic20Cartridge(file);
  }

  insert(file: Uint8Array): string {
    const roms = readVic20Cartridge(file);
    this.#roms = roms;
    this.#board.insertCartridge(roms);
    const places = roms.map(({ address, bytes }) => `${bytes.length} bytes at $${hex(address)}`);
    const title = isVic20Crt(file) ? latin(file, 0x20, 32).replace(/\0.*$/s, '').trimEnd() : '';
    return `cartridge${title === '' ? '' : ` "${title}"`} with ${places.join(', ')}`;
  }

  remove(): void {
    this.#roms = [];
    this.#board.insertCartridge(undefined);
  }

  get space(): MemorySpace | undefined {
    if (this.#roms.length === 0) return undefined;
    return {
      name: 'cart',
      size: 0x10000n,
      description: 'the ROMs of the cartridge at their addresses',
      writable: false,
    };
  }

  peek(offset: number): number {
    const rom = this.#roms.find(({ address, bytes }) => offset >= address && offset < address + bytes.length);
    return rom?.bytes[offset - rom.address] ?? 0xff;
  }

  /** ROMs stay as they are. */
  get contents(): string {
    return '';
  }

  file(): Uint8Array | undefined {
    return undefined;
  }

  imageIn(): Uint8Array | undefined {
    return undefined;
  }
}

/** A file with its load address, and the sign that the KERNAL looks for. */
function startsItself(bytes: Uint8Array): boolean {
  const offset = resetTrap.address - word(bytes, 0) + 2;
  return offset >= 2 && resetTrap.sign.every((byte, index) => bytes[offset + index] === byte);
}
