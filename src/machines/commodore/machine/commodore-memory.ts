import type { MemoryCapability, MemorySpace } from '../../../machine/memory.ts';
import { MemoryValueFinder } from '../../shared/memory-value-finder.ts';
import type { BoardWatch } from '../board/board-watch.ts';
import type { CommodoreBank } from '../board/commodore-board.ts';
import { type DriveUnit, driveUnits } from '../drive/drive-state.ts';
import { expansionNames } from '../expansions/expansion-rams.ts';
import type { CartridgeSlot } from './cartridge-slot.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import { CommodoreFreeze } from './commodore-freeze.ts';

/** The machine's own banks, what is in its cartridge, and the memory of the drives that are switched on. */
export class CommodoreMemory implements MemoryCapability {
  readonly #engine: CommodoreEngine;
  readonly #banks: readonly MemorySpace[];
  readonly #cartridges: CartridgeSlot;
  readonly finder = new MemoryValueFinder(this);
  readonly freeze: CommodoreFreeze;

  constructor(engine: CommodoreEngine, banks: readonly MemorySpace[], cartridges: CartridgeSlot, watch: BoardWatch) {
    this.freeze = new CommodoreFreeze(engine, watch);
    this.#engine = engine;
    this.#banks = banks;
    this.#cartridges = cartridges;
  }

  get spaces(): readonly MemorySpace[] {
    const { drives, expansionRam } = this.#engine.board;
    const rams = expansionRam?.present ?? [];
    const { space } = this.#cartridges;
    const units = driveUnits.filter((unit) => drives.isConnected(unit));
    return [
      ...this.#banks,
      ...(space ? [space] : []),
      ...rams.map(({ name, bytes }) => ({
        name,
        size: BigInt(bytes),
        description: `what is in the ${expansionNames[name]}`,
        writable: true,
      })),
      ...units.map((unit) => ({ name: `drive${unit}`, ...drives.memoryOf(unit) })),
    ];
  }

  async peek(space: string, address: bigint, length: number): Promise<Uint8Array> {
    const { board } = this.#engine;
    const first = Number(address);
    const unit = unitOf(space);
    if (unit !== undefined) board.catchUp();
    const ram = board.expansionRam?.of(space);
    if (ram !== undefined) return ram.bytes.slice(first, first + length);
    const byte = (at: number) =>
      unit !== undefined
        ? board.drives.peek(unit, at)
        : space === 'cart'
          ? this.#cartridges.peek(at)
          : board.peek(space as CommodoreBank, at);
    return Uint8Array.from({ length }, (_, offset) => byte(first + offset));
  }

  async touch(address: bigint, length: number): Promise<void> {
    this.#engine.input({ type: 'touch', address: Number(address), length });
  }

  async poke(space: string, address: bigint, bytes: Uint8Array): Promise<void> {
    const unit = unitOf(space);
    if (unit !== undefined) this.#engine.input({ type: 'drivePoke', unit, address: Number(address), bytes });
    else if (this.#engine.board.expansionRam?.of(space))
      this.#engine.input({ type: 'expansionRam', name: space, address: Number(address), bytes });
    else this.#engine.input({ type: 'poke', bank: space as CommodoreBank, address: Number(address), bytes });
  }
}

function unitOf(space: string): DriveUnit | undefined {
  return driveUnits.find((unit) => space === `drive${unit}`);
}
