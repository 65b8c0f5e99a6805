import type { X86Memory } from './memory.ts';

const present = 1;
const writable = 2;
const user = 4;
const accessed = 0x20;
const dirty = 0x40;
const pageMask = 0xfffff000;
const pages = 1 << 20;
/** Beyond all memory: whoever adds an offset to it is still there. */
const unknown = -0x80000000;

/** An access that the page tables do not allow. */
export class PageFault {
  readonly linear: number;
  readonly code: number;
  constructor(linear: number, code: number) {
    this.linear = linear;
    this.code = code;
  }
}

/**
 * Page tables, and the translations found in them. These are never stale: tables that were used are watched, and a write to
 * one forgets what it said. Programs cannot tell, as they have to expect a processor to forget at any time.
 */
export class Paging {
  readonly #memory: X86Memory;
  /** Called with linear pages that may lie elsewhere from now on. */
  onUnmap: (page: number) => void = () => undefined;
  /** Called with linear pages that an access has just found, and with -1 when paging was switched on or off. */
  onMap: (page: number) => void = () => undefined;
  directory = 0;
  /** CR0.WP of the 486: supervisors heed read-only pages too. */
  protectsSupervisor = false;
  /** Pages that each access has to ask about. */
  #debugged = new Set<number>();
  /** Physical addresses of pages, for reads and writes of supervisors, then of users. */
  #known: Int32Array[] = [];
  #filled = new Set<number>();
  /** By physical page of a table: the linear addresses it is responsible for begin there; -1 for a directory. */
  readonly #tables = new Map<number, Set<number>>();

  constructor(memory: X86Memory) {
    this.#memory = memory;
    memory.onTableChange = (address) => this.#changed(address);
  }

  /** Physical addresses of pages that such accesses have reached, by number; less than 0 where that is not known. */
  known(write: boolean, asUser: boolean): Int32Array {
    if (this.#known.length === 0) this.#known = Array.from({ length: 4 }, () => new Int32Array(pages).fill(unknown));
    return this.#known[(write ? 1 : 0) + (asUser ? 2 : 0)] as Int32Array;
  }

  /** The physical address; throws a PageFault. */
  translate(linear: number, write: boolean, asUser: boolean): number {
    const page = linear >>> 12;
    const known = this.known(write, asUser)[page];
    return (known === unknown ? this.#walk(linear, write, asUser) : known) + (linear & 0xfff);
  }

  /** As `translate` for reads, but nothing is changed by it; -1 where there is nothing, or nothing that users may read. */
  peek(linear: number, asUser = false): number {
    const { directory } = this;
    const first = this.#entry((directory & pageMask) + ((linear >>> 22) << 2));
    if (!(first & present)) return -1;
    const second = this.#entry((first & pageMask) + (((linear >>> 12) & 0x3ff) << 2));
    if (!(second & present) || (asUser && !(first & second & user))) return -1;
    return ((second & pageMask) >>> 0) + (linear & 0xfff);
  }

  /** As `peek`, but from now on a change of this page is told to `onUnmap`. */
  hold(linear: number): number {
    const found = this.peek(linear);
    return found < 0 ? found : this.translate(linear, false, false);
  }

  /** Forgets everything: another directory, or memory was replaced. */
  flush(): void {
    for (const page of this.#filled) for (const table of this.#known) table[page] = unknown;
    this.#filled = new Set();
    for (const table of this.#tables.keys()) this.#memory.watchTable(table, false);
    this.#tables.clear();
  }

  /** Linear ranges of which nothing is kept, so that whoever accesses them asks. */
  setDebugged(ranges: readonly { readonly first: number; readonly last: number }[]): void {
    if (ranges.length + this.#debugged.size === 0) return;
    this.#debugged = new Set(ranges.flatMap(({ first, last }) => [first >>> 12, last >>> 12]));
    for (const page of this.#debugged) for (const table of this.#known) table[page] = unknown;
  }

  /** INVLPG. */
  forget(linear: number): void {
    this.#forgetPage(linear >>> 12);
  }

  #entry(physical: number): number {
    return this.#memory.readPhysical32(physical >>> 0);
  }

  #walk(linear: number, write: boolean, asUser: boolean): number {
    const directoryAt = ((this.directory & pageMask) >>> 0) + ((linear >>> 22) << 2);
    const first = this.#entry(directoryAt);
    const fail = (isPresent: boolean): never => {
      throw new PageFault(linear, (isPresent ? 1 : 0) | (write ? 2 : 0) | (asUser ? 4 : 0));
    };
    if (!(first & present)) return fail(false);
    const tableAt = ((first & pageMask) >>> 0) + (((linear >>> 12) & 0x3ff) << 2);
    const second = this.#entry(tableAt);
    if (!(second & present)) return fail(false);
    const rights = first & second;
    if (asUser && !(rights & user)) return fail(true);
    if (write && !(rights & writable) && (asUser || this.protectsSupervisor)) return fail(true);
    this.#memory.writePhysical32(directoryAt, first | accessed);
    this.#memory.writePhysical32(tableAt, second | accessed | (write ? dirty : 0));
    const physical = (second & pageMask) >>> 0;
    this.#keep(linear >>> 12, physical, write, asUser, directoryAt, tableAt);
    return physical;
  }

  #keep(page: number, physical: number, write: boolean, asUser: boolean, directoryAt: number, tableAt: number): void {
    this.#watch(directoryAt >>> 12, -1);
    this.#watch(tableAt >>> 12, (page >>> 10) << 10);
    this.onMap(page);
    if (physical >= 0x7fff0000) return;
    if (!this.#debugged.has(page)) this.known(write, asUser)[page] = physical;
    this.#filled.add(page);
  }

  #watch(table: number, first: number): void {
    const known = this.#tables.get(table);
    if (known) {
      known.add(first);
      return;
    }
    this.#tables.set(table, new Set([first]));
    this.#memory.watchTable(table, true);
  }

  #changed(address: number): void {
    const entry = (address & 0xfff) >> 2;
    for (const first of this.#tables.get(address >>> 12) ?? []) {
      if (first >= 0) this.#forgetPage(first + entry);
      else for (let page = entry << 10; page < (entry + 1) << 10; page += 1) this.#forgetPage(page);
    }
  }

  #forgetPage(page: number): void {
    if (!this.#filled.delete(page)) return;
    for (const table of this.#known) table[page] = unknown;
    this.onUnmap(page);
  }
}
