import { MachineError } from '../../../machine/errors.ts';

/** In the output of `info mtree -f`: an address space, and what lies in it. */
const spaceForm = /^\s*AS "([^"]*)",/gm;
const regionForm = /^\s*([0-9a-f]{16})-([0-9a-f]{16}) \(prio [^,)]*, ([^)]*)\)/gm;
/** Reading any other kind may do something: take a byte from a UART, acknowledge an interrupt. */
const harmlessKinds: ReadonlySet<string> = new Set(['ram', 'rom', 'romd', 'nv-ram']);

/** Where an address space has memory, and no device. */
export class MemoryMap {
  readonly #regions: readonly { readonly first: bigint; readonly last: bigint }[];

  private constructor(regions: readonly { readonly first: bigint; readonly last: bigint }[]) {
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
        'QEMU does not tell where memory is, so that nothing can be looked for without the risk of reading a device.',
        'Read memory at addresses that you know.',
      );
    }
    const regions: { first: bigint; last: bigint }[] = [];
    for (const [, start, end, kind] of view.matchAll(regionForm)) {
      if (!harmlessKinds.has(kind ?? '')) continue;
      const [first, last] = [BigInt(`0x${start}`), BigInt(`0x${end}`)];
      const before = regions.at(-1);
      if (before && before.last + 1n === first) before.last = last;
      else regions.push({ first, last });
    }
    return new MemoryMap(regions);
  }

  holds(address: bigint, length: number): boolean {
    const last = address + BigInt(length) - 1n;
    return this.#regions.some((region) => address >= region.first && last <= region.last);
  }
}
