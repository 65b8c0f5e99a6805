import type { Bulk } from '../debug/bulk-memory.ts';
import { RangeCollector, translationOf } from '../debug/paging/qemu-paging.ts';
import { coverage, everything, type TableScheme } from '../debug/paging/table-scheme.ts';
import type { Target } from '../debug/target.ts';

/** A copy of the memory that a kernel was loaded into, and the tables that map it. */
export interface KernelImage {
  readonly scheme: TableScheme;
  readonly base: bigint;
  readonly bytes: Uint8Array;
}

/** On x86-64 every kernel is mapped in this gigabyte, at an address of its own choice. */
const x86Area = { first: 0xffffffff80000000n, last: 0xffffffffbfffffffn };
const leastBytes = 4n * 1024n * 1024n;
const mostBytes = 96n * 1024n * 1024n;
const sliceBytes = 4 * 1024 * 1024;
const [fewRanges, manyRanges] = [64, 4000];
const mostRuns = 4;
/** With page-table isolation the tables of user code are the page after the kernel's. */
const isolationBit = 1n << 12n;

/** Places that may be one, for those at rest while the stub takes physical addresses. */
export async function* kernelImages(
  target: Target,
  bulk: Bulk,
  tables: readonly KernelTables[],
): AsyncGenerator<KernelImage> {
  for (const { scheme, from, last, ranges } of tables) {
    for (const run of await runsFrom(target, scheme, { from, last, ranges })) {
      const bytes = await copyOf(target, bulk, run.physical, run.length);
      if (bytes) yield { scheme, base: run.first, bytes };
    }
  }
}

/** Tables that may map a kernel, and where it is looked for. */
export interface KernelTables {
  readonly scheme: TableScheme;
  readonly from: bigint;
  readonly last: bigint;
  /** How many mapped ranges are looked at. */
  readonly ranges: number;
}

/** For those at rest. The tables of user code may be others, which have little of the kernel, but the kernel's are beside them. */
export async function kernelTables(target: Target): Promise<KernelTables[]> {
  const { schemes } = await translationOf(target);
  const scheme = schemes.find((each) => each.isSigned || each.base > 0n);
  if (!scheme) return [];
  if (target.isX86) {
    const isolated = { ...scheme, root: scheme.root & ~isolationBit };
    const all = scheme.root === isolated.root ? [scheme] : [scheme, isolated];
    return all.map((each) => ({ scheme: each, from: x86Area.first, last: x86Area.last, ranges: fewRanges }));
  }
  const page = 1n << BigInt(scheme.levels.at(-1)?.shift ?? 12);
  const isolated = { ...scheme, root: scheme.root + 2n * page };
  // Its vectors are near the beginning of its code, and its data comes after that.
  const vectors = ((await target.value('vbar')) >> 21n) << 21n;
  const upperHalf = scheme.base + coverage(scheme) / 2n;
  return [
    { scheme, from: vectors, last: vectors + mostBytes, ranges: fewRanges },
    { scheme: isolated, from: upperHalf, last: (1n << 64n) - 1n, ranges: manyRanges },
  ];
}

interface Run {
  readonly first: bigint;
  readonly physical: bigint;
  readonly length: bigint;
}

/** Pages at the same distance from where they are in memory, with holes where the kernel has given some away. */
async function runsFrom(target: Target, scheme: TableScheme, area: Omit<KernelTables, 'scheme'>): Promise<Run[]> {
  const collector = new RangeCollector(target, { from: area.from, limit: area.ranges });
  await collector.table(scheme, scheme.root, 0, scheme.base, everything);
  const runs: Run[] = [];
  let run: Run | undefined;
  for (const { first, last, physical } of collector.ranges) {
    if (first > area.last) break;
    const goesOn = run && first - physical === run.first - run.physical && last - run.first < mostBytes;
    if (run && goesOn) run = { ...run, length: last + 1n - run.first };
    else {
      if (run) runs.push(run);
      run = { first, physical, length: last + 1n - first };
    }
  }
  if (run) runs.push(run);
  return runs.filter(({ length }) => length >= leastBytes && length <= mostBytes).slice(0, mostRuns);
}

async function copyOf(target: Target, bulk: Bulk, physical: bigint, length: bigint): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(Number(length));
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    const count = Math.min(sliceBytes, bytes.length - at);
    const address = physical + BigInt(at);
    const isMemory = await target.isMemory(address, count);
    const slice = isMemory
      ? ((await bulk.read('physical', address, count, true)) ?? (await target.glancePhysical(address, count)))
      : undefined;
    if (!slice) return at === 0 ? undefined : bytes.subarray(0, at);
    bytes.set(slice, at);
  }
  return bytes;
}
