import type { MemoryCapability, MemorySpace } from '../../../../machine/memory.ts';
import { type DriveUnit, driveUnits } from '../../drive/drive-state.ts';
import type { C64Bank } from '../c64-board.ts';
import type { C64Media } from './c64-media.ts';
import type { Engine } from './engine.ts';

const banks: readonly (MemorySpace & { readonly name: C64Bank })[] = [
  { name: 'cpu', size: 0x10000n, description: 'what the processor sees now', writable: true },
  { name: 'ram', size: 0x10000n, description: 'RAM under everything', writable: true },
  { name: 'rom', size: 0x10000n, description: 'BASIC and KERNAL whatever is switched in', writable: false },
  { name: 'io', size: 0x10000n, description: 'chips at $D000-$DFFF whatever is switched in', writable: true },
  { name: 'color', size: 0x400n, description: 'colour RAM from 0', writable: true },
  { name: 'vic', size: 0x4000n, description: 'the 16K that the VIC-II sees', writable: false },
];
const bankBytes = 0x4000;

/** The C64's own banks, what is in its cartridge, and the memory of the drives that are switched on. */
export class C64Memory implements MemoryCapability {
  readonly #engine: Engine;
  readonly #media: C64Media;

  constructor(engine: Engine, media: C64Media) {
    this.#engine = engine;
    this.#media = media;
  }

  get spaces(): readonly MemorySpace[] {
    const { drives } = this.#engine.board;
    const { cartridge } = this.#media;
    const cart = cartridge && {
      name: 'cart',
      size: BigInt(cartridge.bankCount * bankBytes),
      description: 'the cartridge, 16K a bank: 8K at $8000, then 8K at $A000 or $E000',
      writable: false,
    };
    const units = driveUnits.filter((unit) => drives.isConnected(unit));
    return [
      ...banks,
      ...(cart ? [cart] : []),
      ...units.map((unit) => ({ name: `drive${unit}`, ...drives.memoryOf(unit) })),
    ];
  }

  async peek(space: string, address: bigint, length: number): Promise<Uint8Array> {
    const { board } = this.#engine;
    const first = Number(address);
    const unit = unitOf(space);
    if (unit !== undefined) board.catchUp();
    const byte = (at: number) =>
      unit !== undefined
        ? board.drives.peek(unit, at)
        : space === 'cart'
          ? (this.#media.cartridge?.peekRom(at) ?? 0xff)
          : board.peek(space as C64Bank, at);
    return Uint8Array.from({ length }, (_, offset) => byte(first + offset));
  }

  async poke(space: string, address: bigint, bytes: Uint8Array): Promise<void> {
    const unit = unitOf(space);
    if (unit !== undefined) this.#engine.input({ type: 'drivePoke', unit, address: Number(address), bytes });
    else this.#engine.input({ type: 'poke', bank: space as C64Bank, address: Number(address), bytes });
  }
}

function unitOf(space: string): DriveUnit | undefined {
  return driveUnits.find((unit) => space === `drive${unit}`);
}
