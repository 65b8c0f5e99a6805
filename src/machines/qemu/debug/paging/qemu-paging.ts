import { lowerHex } from '../../../../formats/hex.ts';
import type {
  Access,
  MappedRange,
  MappedRanges,
  PageWalk,
  PagingCapability,
  RangeQuery,
  WalkStep,
} from '../../../../machine/paging.ts';
import { bytesToValue } from '../register-bytes.ts';
import type { Rest } from '../rest.ts';
import type { Target } from '../target.ts';
import { toldPhysical } from '../told-physical.ts';
import { arm64Translation } from './arm64-tables.ts';
import { riscvTranslation } from './riscv-tables.ts';
import { coverage, everything, type TableScheme, type Translation } from './table-scheme.ts';
import { x86Translation } from './x86-tables.ts';

/** Each is a question or two to the stub; a kernel maps all memory with fewer. */
const maxTables = 3000;

/** The page tables of one of a guest's processors, or of the selected one. */
export class QemuPaging implements PagingCapability {
  readonly #execution: Rest;
  readonly #target: Target;
  readonly #thread: string | undefined;

  constructor(execution: Rest, target: Target, thread?: string) {
    this.#execution = execution;
    this.#target = target;
    this.#thread = thread;
  }

  walk(address: bigint): Promise<PageWalk> {
    return this.#inPhysical((translation) => walkTables(this.#target, translation, address));
  }

  ranges(query: RangeQuery): Promise<MappedRanges> {
    return this.#inPhysical(async (translation) => {
      const scheme = translation.schemes.map(({ title }) => title).join('; ') || translation.without;
      const collector = new RangeCollector(this.#target, query);
      for (const each of translation.schemes) await collector.table(each, each.root, 0, each.base, everything);
      return { scheme, ranges: collector.ranges, next: collector.next };
    });
  }

  /** While the stub takes physical addresses. */
  #inPhysical<T>(action: (translation: Translation) => Promise<T>): Promise<T> {
    return this.#execution.atRest(() =>
      this.#target.on(this.#thread ?? this.#target.thread, async () => {
        const translation = await translationOf(this.#target);
        await this.#target.gdb.physicalAddresses(true);
        try {
          return await action(translation);
        } finally {
          await this.#target.gdb.physicalAddresses(false);
        }
      }),
    );
  }
}

/** For those at rest, with the processor in question selected. */
export async function walkNow(target: Target, address: bigint): Promise<PageWalk> {
  const translation = await translationOf(target);
  await target.gdb.physicalAddresses(true);
  try {
    return await walkTables(target, translation, address);
  } finally {
    await target.gdb.physicalAddresses(false);
  }
}

export async function translationOf(target: Target): Promise<Translation> {
  if (target.isX86) return x86Translation(target);
  if (target.names.find('satp')) return riscvTranslation(target);
  if (target.names.find('ttbr0_el1') && target.names.find('x0')) return arm64Translation(target);
  return {
    schemes: [],
    without: 'the tables of this processor are not known here; QEMU itself says where the address leads',
    refuse: () => undefined,
  };
}

async function walkTables(target: Target, translation: Translation, address: bigint): Promise<PageWalk> {
  const refused = translation.refuse(address);
  const scheme = translation.schemes.find((each) => covers(each, address)) ?? translation.schemes[0];
  const nowhere = { address, steps: [], physical: undefined, page: undefined };
  if (refused !== undefined) return { ...nowhere, scheme: scheme?.title ?? translation.without, fault: refused };
  if (!scheme) return told(target, translation.without, address);
  const steps: WalkStep[] = [];
  let table = scheme.root;
  let access: Access = everything;
  const failed = (fault: string): PageWalk => ({ ...nowhere, scheme: scheme.title, steps, fault });
  for (const [n, level] of scheme.levels.entries()) {
    const index = BigInt.asUintN(level.bits, address >> BigInt(level.shift));
    const at = table + index * BigInt(scheme.entryBytes);
    const name = `${level.name}[${index}]`;
    const bytes = await target.glancePhysical(at, scheme.entryBytes);
    if (!bytes) return failed(`${name} lies at 0x${lowerHex(at, 1)}, where there is no memory`);
    const value = bytesToValue(bytes, target.bigEndian);
    const entry = scheme.entry(value, n);
    const end = entry.leaf ? 'page' : 'table';
    const leads = entry.present ? ` → ${end} 0x${lowerHex(entry.address, 1)}` : '';
    steps.push({ name, at, value, meaning: `${entry.words.join(', ')}${leads}` });
    if (!entry.present) return failed(`${name} at 0x${lowerHex(at, 1)} is 0x${lowerHex(value, 1)}: not present`);
    if (entry.broken !== undefined) return failed(`${name} is 0x${lowerHex(value, 1)}: ${entry.broken}`);
    access = both(access, entry.access);
    if (entry.leaf) {
      const bytes = 1n << BigInt(level.shift);
      const physical = entry.address | (address & (bytes - 1n));
      return { address, scheme: scheme.title, steps, physical, page: { ...access, bytes }, fault: undefined };
    }
    table = entry.address;
  }
  return failed('the last table leads to another one');
}

/** Where no tables are known: as QEMU translates it. */
async function told(target: Target, scheme: string, address: bigint): Promise<PageWalk> {
  const { said, physical } = await toldPhysical(target, address);
  const why =
    /^unmapped/i.test(said) || said.trim() === '' ? 'QEMU says that it is not mapped' : said.trim().slice(0, 120);
  const fault = physical === undefined ? why : undefined;
  return { address, scheme, steps: [], physical, page: undefined, fault };
}

function both(a: Access, b: Access): Access {
  return { user: a.user && b.user, write: a.write && b.write, execute: a.execute && b.execute };
}

function covers(scheme: TableScheme, address: bigint): boolean {
  return address >= scheme.base && address < scheme.base + coverage(scheme);
}

/** Reads tables in the order of their addresses and joins pages that continue each other. */
export class RangeCollector {
  readonly ranges: MappedRange[] = [];
  /** Set when there may be more. */
  next: bigint | undefined;
  readonly #target: Target;
  readonly #query: RangeQuery;
  #tables = 0;

  constructor(target: Target, query: RangeQuery) {
    this.#target = target;
    this.#query = query;
  }

  async table(scheme: TableScheme, at: bigint, level: number, base: bigint, access: Access): Promise<void> {
    const { shift, bits } = scheme.levels[level] ?? { shift: 0, bits: 0 };
    const size = 1n << BigInt(shift);
    if (this.next !== undefined) return;
    if (++this.#tables > maxTables) {
      this.next = base;
      return;
    }
    const bytes = await this.#target.glancePhysical(at, scheme.entryBytes << bits);
    if (!bytes) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let n = 0; n < 1 << bits; n++) {
      if (this.next !== undefined) return;
      const first = extended(scheme, base + BigInt(n) * size);
      if (first + size <= this.#query.from) continue;
      const value = scheme.entryBytes === 8 ? view.getBigUint64(8 * n, true) : BigInt(view.getUint32(4 * n, true));
      const entry = scheme.entry(value, level);
      if (!entry.present || entry.broken !== undefined) continue;
      const allowed = both(access, entry.access);
      if (entry.leaf) this.#add(first, size, entry.address, allowed);
      else if (level + 1 < scheme.levels.length) await this.table(scheme, entry.address, level + 1, first, allowed);
    }
  }

  #add(first: bigint, size: bigint, physical: bigint, access: Access): void {
    const wanted = this.#query.physical;
    if (wanted !== undefined && (wanted < physical || wanted >= physical + size)) return;
    const before = this.ranges.at(-1);
    if (before && continues(before, first, physical, access)) {
      this.ranges[this.ranges.length - 1] = { ...before, last: first + size - 1n };
      return;
    }
    if (this.ranges.length >= this.#query.limit) this.next = first;
    else this.ranges.push({ first, last: first + size - 1n, physical, ...access });
  }
}

function continues(before: MappedRange, first: bigint, physical: bigint, access: Access): boolean {
  const { user, write, execute } = access;
  const length = before.last + 1n - before.first;
  const isNext = first === before.last + 1n && physical === before.physical + length;
  return isNext && user === before.user && write === before.write && execute === before.execute;
}

function extended(scheme: TableScheme, address: bigint): bigint {
  const reach = coverage(scheme);
  return scheme.isSigned && address < reach && address >= reach / 2n ? address + (1n << 64n) - reach : address;
}
