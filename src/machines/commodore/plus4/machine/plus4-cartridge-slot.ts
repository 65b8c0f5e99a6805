import { detectMedia } from '../../../../formats/commodore/media/detect-media.ts';
import type { MemorySpace } from '../../../../machine/memory.ts';
import type { CartridgeFile, CartridgeSlot } from '../../machine/cartridge-slot.ts';
import type { CartridgeImages } from '../memory-map.ts';
import type { Plus4Board } from '../plus4-board.ts';
import { isPlus4Crt, readPlus4Cartridge } from '../plus4-cartridge.ts';
import { plus4Model } from '../plus4-model.ts';

/** How files with nothing but the bytes of ROMs are called. */
const romFile = /\.(bin|rom|crt)$/i;
/** A ROM that the KERNAL starts has this from its eighth byte on. */
const { sign } = plus4Model.resetTrap;
const signOffset = 7;
const places = ['$8000', '$C000'] as const;

/** The expansion port with ROMs in it. */
export class Plus4CartridgeSlot implements CartridgeSlot {
  readonly description = 'CRT or bare ROM (BIN)';
  readonly #board: Plus4Board;
  #images: CartridgeImages | undefined;

  constructor(board: Plus4Board) {
    this.#board = board;
  }

  isCartridge({ name, bytes }: CartridgeFile): boolean {
    if (isPlus4Crt(bytes)) return true;
    if (!this.accepts({ name, bytes })) return false;
    return romFile.test(name) || sign.every((byte, index) => bytes[signOffset + index] === byte);
  }

  /** Whatever is not known to be something else. */
  accepts({ name, bytes }: CartridgeFile): boolean {
    return isPlus4Crt(bytes) || [undefined, 'prg'].includes(detectMedia(bytes, name));
  }

  check(file: Uint8Array): void {
    readPlus4Cartridge(file);
  }

  insert(file: Uint8Array): string {
    const images = readPlus4Cartridge(file);
    this.#images = images;
    this.#board.insertCartridge(images);
    const parts = [images.low, images.high].flatMap((pair, half) =>
      pair.flatMap((image, number) =>
        image ? [`${image.length} bytes at ${places[half]} (cartridge ${number + 1})`] : [],
      ),
    );
    return `cartridge with ${parts.join(', ')}`;
  }

  remove(): void {
    this.#images = undefined;
    this.#board.insertCartridge(undefined);
  }

  get space(): MemorySpace | undefined {
    if (!this.#images) return undefined;
    return { name: 'cart', size: 0x10000n, description: 'the ROMs of cartridge 1 at their addresses', writable: false };
  }

  peek(offset: number): number {
    const image = offset >= 0xc000 ? this.#images?.high[0] : offset >= 0x8000 ? this.#images?.low[0] : undefined;
    return image?.[(offset & 0x3fff) % image.length] ?? 0xff;
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
