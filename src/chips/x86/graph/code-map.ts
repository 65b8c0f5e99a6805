import type { Instruction } from '../instruction.ts';
import type { X86Memory } from '../memory.ts';

const longestInstruction = 16;

/** A byte of code by its linear address; -1 where its page is not there, or not for users. */
export type ByteAt = (linear: number, asUser?: boolean) => number;

/** A page with instructions, as one page directory has it. */
interface CodePage {
  /** Where it lay when it was last looked at. */
  physical: number;
  /** Users could read it then. */
  isForUsers: boolean;
  readonly nodes: Set<Instruction>;
}

/** Which bytes of memory are instructions, so that their change is noticed. */
export class CodeMap {
  readonly #memory: X86Memory;
  /** The physical address of a linear one in the pages of now; -1 where there is none. */
  readonly #physical: ByteAt;
  /** The same, and from now on a change of it is told. */
  readonly #hold: ByteAt;
  /** By page directory, then by number of the linear page. */
  readonly #pages = new Map<number, Map<number, CodePage>>();
  /** Instructions without pages above 1 MiB, where A20 decides what lies there. */
  readonly #high = new Set<Instruction>();
  /** Watched instructions by the physical address they begin at, or would begin at if they lay in one piece. */
  readonly #byAddress = new Map<number, Instruction[]>();
  /** Physical addresses of their bytes when the watch began: A20 and pages may have changed since. */
  readonly #watched = new Map<Instruction, readonly number[]>();

  constructor(memory: X86Memory, physical: ByteAt, hold: ByteAt) {
    this.#memory = memory;
    this.#physical = physical;
    this.#hold = hold;
  }

  watch(node: Instruction): void {
    if (this.#watched.has(node) || node.form.mnemonic === 'absent') return;
    const bytes = this.#bytesOf(node);
    if (bytes.some((address) => address < 0)) return;
    this.#watched.set(node, bytes);
    if (node.space.isPaged) for (const page of pagesOf(node)) this.#pageAt(node.space.pages, page).nodes.add(node);
    else if (node.linear >= 0x100000) this.#high.add(node);
    for (const start of startsOf(bytes)) {
      const here = this.#byAddress.get(start);
      if (here) here.push(node);
      else this.#byAddress.set(start, [node]);
    }
    this.#count(node, bytes, 1);
  }

  unwatch(node: Instruction): void {
    const bytes = this.#watched.get(node);
    if (bytes === undefined) return;
    this.#watched.delete(node);
    this.#high.delete(node);
    if (node.space.isPaged) for (const page of pagesOf(node)) this.#leavePage(node, page);
    for (const start of startsOf(bytes)) {
      const here = this.#byAddress.get(start) as Instruction[];
      here.splice(here.indexOf(node), 1);
      if (here.length === 0) this.#byAddress.delete(start);
    }
    this.#count(node, bytes, -1);
  }

  /** Watched instructions with this byte. */
  at(physical: number): Instruction[] {
    const found = new Set<Instruction>();
    for (let start = physical - longestInstruction + 1; start <= physical; start += 1) {
      for (const node of this.#byAddress.get(start) ?? []) if (start + node.length > physical) found.add(node);
    }
    return [...found];
  }

  /** All watched instructions that begin in a range. */
  within(first: number, last: number): Instruction[] {
    const found = new Set<Instruction>();
    for (const [start, nodes] of this.#byAddress) {
      if (start >= first && start <= last) for (const node of nodes) found.add(node);
    }
    return [...found];
  }

  /** Watched instructions on pages that lie elsewhere than they did, or are for others: on these of a directory, or on any of it. */
  moved(directory: number, pages?: ReadonlySet<number>): Instruction[] {
    const known = this.#pages.get(directory);
    if (!known) return [];
    const found: Instruction[] = [];
    for (const number of pages ?? known.keys()) {
      const page = known.get(number);
      if (!page) continue;
      const { physical, isForUsers } = this.#lookAt(number);
      if (physical === page.physical && isForUsers === page.isForUsers) continue;
      Object.assign(page, { physical, isForUsers });
      for (const node of page.nodes) found.push(node);
    }
    return found;
  }

  /** Those that A20 may have moved, without pages. */
  high(): Instruction[] {
    return [...this.#high];
  }

  /** True when the memory that is watched for it holds it. */
  isThere(node: Instruction): boolean {
    const bytes = this.#watched.get(node) ?? [];
    return bytes.every((address, n) => this.#memory.peek8(address) === node.bytes[n] || isWild(node, n));
  }

  /** True when it lies where it lay when the watch began. */
  isWhereItWas(node: Instruction): boolean {
    const now = this.#bytesOf(node);
    return this.#watched.get(node)?.every((address, n) => address === now[n]) === true;
  }

  clear(): void {
    this.#byAddress.clear();
    this.#watched.clear();
    this.#pages.clear();
    this.#high.clear();
    this.#memory.clearCode();
  }

  #pageAt(directory: number, number: number): CodePage {
    const known = this.#pages.get(directory) ?? new Map<number, CodePage>();
    this.#pages.set(directory, known);
    const page = known.get(number) ?? { ...this.#lookAt(number), nodes: new Set() };
    known.set(number, page);
    return page;
  }

  #leavePage(node: Instruction, number: number): void {
    const known = this.#pages.get(node.space.pages);
    const page = known?.get(number);
    page?.nodes.delete(node);
    if (page?.nodes.size === 0) known?.delete(number);
  }

  #lookAt(page: number): Pick<CodePage, 'physical' | 'isForUsers'> {
    const physical = this.#hold(page * 0x1000);
    return {
      physical: physical < 0 ? -1 : this.#memory.physical(physical),
      isForUsers: this.#physical(page * 0x1000, true) >= 0,
    };
  }

  #bytesOf(node: Instruction): readonly number[] {
    return Array.from({ length: node.length }, (_, n) => {
      const address = this.#physical(node.byteAddress(n), node.space.asUser);
      return address < 0 ? -1 : this.#memory.physical(address);
    });
  }

  #count(node: Instruction, bytes: readonly number[], step: 1 | -1): void {
    bytes.forEach((address, n) => {
      if (!isWild(node, n)) this.#memory.countCode(address, step);
    });
  }
}

/** Numbers of the linear pages that have bytes of it. */
function pagesOf(node: Instruction): readonly number[] {
  const first = node.byteAddress(0) >>> 12;
  const last = node.byteAddress(node.length - 1) >>> 12;
  return first === last ? [first] : [first, last];
}

/** One for an instruction in one piece; one more where it goes on elsewhere. */
function startsOf(bytes: readonly number[]): readonly number[] {
  return [...new Set(bytes.map((address, n) => address - n))];
}

/** True for a byte of an operand that is read from memory anyway. */
function isWild({ wild }: Instruction, n: number): boolean {
  return wild.length > 0 && wild.some(({ offset, size }) => offset <= n && n < offset + size);
}

/** True when memory holds this instruction, apart from operands that are read from memory anyway. */
export function isInMemory(node: Instruction, byteAt: ByteAt): boolean {
  const { bytes, space } = node;
  for (let n = 0; n < bytes.length; n += 1) {
    if (byteAt(node.byteAddress(n), space.asUser) !== bytes[n] && !isWild(node, n)) return false;
  }
  return node.form.mnemonic !== 'absent' || byteAt(node.byteAddress(bytes.length), space.asUser) < 0;
}

/** True when two encodings differ in operands' values only. */
export function sameShape(one: Instruction, other: Instruction): boolean {
  if (one.length !== other.length || one.form !== other.form) return false;
  return one.bytes.every(
    (byte, n) => byte === other.bytes[n] || one.fields.some(({ offset, size }) => offset <= n && n < offset + size),
  );
}
