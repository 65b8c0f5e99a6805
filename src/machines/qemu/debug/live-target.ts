import type { GdbClient } from '../../../links/gdb/gdb-client.ts';
import type { QmpClient } from '../../../links/qmp/qmp-client.ts';
import { MachineError } from '../../../machine/errors.ts';
import { MemoryMap, type Piece } from './memory-map.ts';
import { Target } from './target.ts';
import { toldPhysical } from './told-physical.ts';

const pageBits = 12n;
const pageBytes = 4096;

/** The target of a QEMU that runs: it can also be set going, and has devices that notice when they are read. */
export class LiveTarget extends Target {
  declare readonly gdb: GdbClient;
  declare readonly qmp: QmpClient;
  /** What QEMU tells of its address spaces, and what of them is memory. */
  #told: string | undefined;
  readonly #maps = new Map<string, MemoryMap>();
  readonly #physicalPages = new Map<bigint, bigint | undefined>();

  constructor(gdb: GdbClient, qmp: QmpClient, arch: string, thread: string) {
    super(gdb, qmp, arch, thread);
  }

  override forget(): void {
    super.forget();
    this.#told = undefined;
    this.#maps.clear();
    this.#physicalPages.clear();
  }

  override async glance(address: bigint, length: number): Promise<Uint8Array | undefined> {
    return (await this.#leadsToMemory(BigInt.asUintN(64, address), length)) ? super.glance(address, length) : undefined;
  }

  override async isMemory(address: bigint, length: number): Promise<boolean> {
    return (await this.#mapOf('memory')).holds(address, length);
  }

  override async pieces(space: string, address: bigint, length: number): Promise<readonly Piece[] | undefined> {
    try {
      if (space === 'physical') return (await this.#mapOf('memory')).pieces(address, length);
      return await this.#virtualPieces(address, length);
    } catch (error) {
      if (error instanceof MachineError && error.type === 'UNAVAILABLE') return undefined;
      throw error;
    }
  }

  async #leadsToMemory(address: bigint, length: number): Promise<boolean> {
    const map = await this.#mapOf(`cpu-memory-${this.cpuIndex}`);
    for (const { at, from, count } of pagesOf(address, length)) {
      const page = await this.#physicalPage(at >> pageBits);
      if (page === undefined || !map.holds(page | from, count)) return false;
    }
    return true;
  }

  async #virtualPieces(address: bigint, length: number): Promise<Piece[]> {
    const map = await this.#mapOf(`cpu-memory-${this.cpuIndex}`);
    const pieces: Piece[] = [];
    for (const { at, from, count } of pagesOf(address, length)) {
      const page = await this.#physicalPage(at >> pageBits);
      if (page === undefined) pieces.push({ address: at, length: count, holds: 'nothing' });
      else {
        for (const piece of map.pieces(page | from, count)) {
          pieces.push({ ...piece, address: at + piece.address - (page | from) });
        }
      }
    }
    return pieces;
  }

  /** A microcontroller's processors see more than the others do. */
  async #mapOf(space: string): Promise<MemoryMap> {
    this.#told ??= await this.qmp.hmp('info mtree -f');
    const known = this.#maps.get(space) ?? MemoryMap.parse(this.#told, space, 'memory');
    this.#maps.set(space, known);
    return known;
  }

  async #physicalPage(page: bigint): Promise<bigint | undefined> {
    if (this.#physicalPages.has(page)) return this.#physicalPages.get(page);
    const { physical } = await toldPhysical(this, page << pageBits);
    this.#physicalPages.set(page, physical);
    return physical;
  }
}

function* pagesOf(address: bigint, length: number) {
  for (let done = 0; done < length; ) {
    const at = address + BigInt(done);
    const from = at & BigInt(pageBytes - 1);
    const count = Math.min(length - done, pageBytes - Number(from));
    yield { at, from, count };
    done += count;
  }
}
