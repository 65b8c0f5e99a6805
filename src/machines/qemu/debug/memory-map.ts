import { MachineError } from '../../../machine/errors.ts';

/** In the output of `info mtree -f`: an address space, and what lies in it. */
const spaceForm = /^\s*AS "([^"]*)",/gm;
const regionForm = /^\s*([0-9a-f]{16})-([0-9a-f]{16}) \(prio [^,)]*, ([^)]*)\)/gm;
/** Reading any other kind may do something: take a byte from a UART, acknowledge an interrupt. */
const harmlessKinds: ReadonlySet<string> = new Set(['ram', 'rom', 'romd', 'nv-ram']);

export interface Piece {
  readonly address: bigint;
  readonly length: number;
  readonly holds: 'memory' | 'device' | 'nothing';
}

interface Region {
  readonly first: bigint;
  last: bigint;
  readonly isMemory: boolean;
}

/** Where an address space has memory, and where a device. */
export class MemoryMap {
  readonly #regions: readonly Region[];

  private constructor(regions: readonly Region[]) {
    this.#regions = regions;
  }

  /** Of the first of these spaces that QEMU's answer to `info mtree -f` has. */
  static parse(said: string, ...spaces: readonly string[]): MemoryMap {
    const views = new Map<string, string>();
    for (const view of said.split(/^FlatView /m)) {
      for (const [, space] of view.matchAll(spaceForm)) views.set(space ?? '', view);
    }
    const found = spaces.find((space) => views.has(space));
    const view = found === undefined ? undefined : views.get(found);
    if (view === undefined) {
      throw new MachineError(
        'UNAVAILABLE',
        'QEMU does not report where memory is, so a search could read a device.',
        'Read memory at addresses that you know.',
      );
    }
    const regions: Region[] = [];
    for (const [, start, end, kind] of view.matchAll(regionForm)) {
      const isMemory = harmlessKinds.has(kind ?? '');
      const [first, last] = [BigInt(`0x${start}`), BigInt(`0x${end}`)];
      const before = regions.at(-1);
      if (before && before.last + 1n === first && before.isMemory === isMemory) before.last = last;
      else regions.push({ first, last, isMemory });
    }
    return new MemoryMap(regions);
  }

  holds(address: bigint, length: number): boolean {
    const last = address + BigInt(length) - 1n;
    return this.#regions.some((region) => region.isMemory && address >= region.first && last <= region.last);
  }

  /** What lies there, in order. */
  pieces(address: bigint, length: number): Piece[] {
    const pieces: Piece[] = [];
    const end = address + BigInt(length);
    let at = address;
    const addTo = (to: bigint, holds: Piece['holds']) => {
      const size = Math.min(Number(to - at), Number(end - at));
      if (size > 0) pieces.push({ address: at, length: size, holds });
      at += BigInt(Math.max(0, size));
    };
    for (const { first, last, isMemory } of this.#regions) {
      if (last < at) continue;
      addTo(first, 'nothing');
      addTo(last + 1n, isMemory ? 'memory' : 'device');
    }
    addTo(end, 'nothing');
    return pieces;
  }
}
