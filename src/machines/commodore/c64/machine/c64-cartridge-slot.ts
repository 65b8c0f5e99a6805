import { isCrt, readCrt } from '../../../../formats/commodore/media/crt.ts';
import type { MemorySpace } from '../../../../machine/memory.ts';
import { type Cartridge, cartridgeFields } from '../../cartridges/cartridge.ts';
import { cartridgeOf } from '../../cartridges/cartridge-types.ts';
import type { CartridgeFile, CartridgeSlot } from '../../machine/cartridge-slot.ts';
import type { C64Board } from '../c64-board.ts';
import { c64Layout } from '../c64-state.ts';

const bankBytes = 0x4000;

/** The expansion port of a C64: CRT files of the types that are known here. */
export class C64CartridgeSlot implements CartridgeSlot {
  readonly description = 'CRT';
  readonly #board: C64Board;
  #cartridge: Cartridge | undefined;

  constructor(board: C64Board) {
    this.#board = board;
  }

  isCartridge({ bytes }: CartridgeFile): boolean {
    return isCrt(bytes);
  }

  accepts(file: CartridgeFile): boolean {
    return this.isCartridge(file);
  }

  /** Without the state of the one that is in: this may be none that can be plugged in. */
  check(file: Uint8Array): void {
    cartridgeOf(readCrt(file));
  }

  insert(file: Uint8Array): string {
    this.check(file);
    const crt = readCrt(file);
    this.#plug(cartridgeOf(crt, this.#board.cartridgeState, this.#board.drives.shelf));
    return `cartridge "${crt.name}"`;
  }

  remove(): void {
    this.#plug(undefined);
  }

  get space(): MemorySpace | undefined {
    if (!this.#cartridge) return undefined;
    return {
      name: 'cart',
      size: BigInt(this.#cartridge.bankCount * bankBytes),
      description: 'the cartridge, 16K a bank: 8K at $8000, then 8K at $A000 or $E000',
      writable: false,
    };
  }

  peek(offset: number): number {
    return this.#cartridge?.peekRom(offset) ?? 0xff;
  }

  get bank(): number | undefined {
    return this.#cartridge?.state[cartridgeFields.bank];
  }

  get contents(): string {
    return this.#cartridge?.contents ?? '';
  }

  /** Of its own. */
  get ram(): Uint8Array | undefined {
    return this.#cartridge?.ram;
  }

  file(): Uint8Array | undefined {
    return this.#cartridge?.file();
  }

  imageIn(snapshot: Uint8Array): Uint8Array | undefined {
    const { cartridge, drives } = c64Layout.offsets;
    return this.#cartridge?.imageIn(new Int32Array(snapshot.slice(cartridge, drives).buffer));
  }

  #plug(cartridge: Cartridge | undefined): void {
    this.#cartridge = cartridge;
    this.#board.insertCartridge(cartridge);
  }
}
