import type { Instruction } from '../instruction.ts';
import type { X86Memory } from '../memory.ts';

const longestInstruction = 16;

/** Which bytes of memory are instructions, so that their change is noticed. */
export class CodeMap {
  readonly #memory: X86Memory;
  /** Watched instructions by the physical address they begin at. */
  readonly #byAddress = new Map<number, Instruction[]>();
  /** Where watched instructions began when the watch did: A20 may have changed since. */
  readonly #starts = new Map<Instruction, number>();

  constructor(memory: X86Memory) {
    this.#memory = memory;
  }

  watch(node: Instruction): void {
    if (this.#starts.has(node)) return;
    const start = this.#memory.physical(node.linear);
    this.#starts.set(node, start);
    const here = this.#byAddress.get(start);
    if (here) here.push(node);
    else this.#byAddress.set(start, [node]);
    this.#count(node, start, 1);
  }

  unwatch(node: Instruction): void {
    const start = this.#starts.get(node);
    if (start === undefined) return;
    this.#starts.delete(node);
    const here = this.#byAddress.get(start) as Instruction[];
    here.splice(here.indexOf(node), 1);
    if (here.length === 0) this.#byAddress.delete(start);
    this.#count(node, start, -1);
  }

  /** Watched instructions with this byte. */
  at(physical: number): Instruction[] {
    const found: Instruction[] = [];
    for (let start = physical - longestInstruction + 1; start <= physical; start += 1) {
      for (const node of this.#byAddress.get(start) ?? []) if (start + node.length > physical) found.push(node);
    }
    return found;
  }

  /** All watched instructions that begin in a range. */
  within(first: number, last: number): Instruction[] {
    const found: Instruction[] = [];
    for (const [start, nodes] of this.#byAddress) if (start >= first && start <= last) found.push(...nodes);
    return found;
  }

  /** Watched instructions that begin above 1 MiB, where A20 decides what lies there. */
  aboveOneMegabyte(): Instruction[] {
    return [...this.#starts.keys()].filter(({ linear }) => linear >= 0x100000);
  }

  clear(): void {
    this.#byAddress.clear();
    this.#starts.clear();
    this.#memory.clearCode();
  }

  #count(node: Instruction, start: number, step: 1 | -1): void {
    for (let n = 0; n < node.length; n += 1) {
      const wrapped = node.ip + n > 0xffff ? 0x10000 : 0;
      if (!isWild(node, n)) this.#memory.countCode(start + n - wrapped, step);
    }
  }
}

/** True for a byte of an operand that is read from memory anyway. */
function isWild({ wild }: Instruction, n: number): boolean {
  return wild.length > 0 && wild.some(({ offset, size }) => offset <= n && n < offset + size);
}

/** True when memory holds this instruction, apart from operands that are read from memory anyway. */
export function isInMemory(node: Instruction, memory: X86Memory): boolean {
  const { bytes, cs, ip } = node;
  const base = cs << 4;
  for (let n = 0; n < bytes.length; n += 1) {
    if (memory.peek8(base + ((ip + n) & 0xffff)) !== bytes[n] && !isWild(node, n)) return false;
  }
  return true;
}

/** True when two encodings differ in operands' values only. */
export function sameShape(one: Instruction, other: Instruction): boolean {
  if (one.length !== other.length || one.form !== other.form) return false;
  return one.bytes.every(
    (byte, n) => byte === other.bytes[n] || one.fields.some(({ offset, size }) => offset <= n && n < offset + size),
  );
}
