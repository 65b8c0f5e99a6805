import type { Instruction } from '../instruction.ts';
import type { X86Memory } from '../memory.ts';

const longestInstruction = 16;

/** Which bytes of memory are instructions, so that their change is noticed. */
export class CodeMap {
  readonly #memory: X86Memory;
  /** Watched instructions by the physical address they begin at. */
  readonly #byAddress = new Map<number, Instruction[]>();

  constructor(memory: X86Memory) {
    this.#memory = memory;
  }

  watch(node: Instruction): void {
    const start = this.#memory.physical(node.linear);
    const here = this.#byAddress.get(start);
    if (here?.includes(node)) return;
    if (here) here.push(node);
    else this.#byAddress.set(start, [node]);
    this.#count(node, 1);
  }

  unwatch(node: Instruction): void {
    const start = this.#memory.physical(node.linear);
    const here = this.#byAddress.get(start);
    const index = here?.indexOf(node) ?? -1;
    if (!here || index < 0) return;
    here.splice(index, 1);
    if (here.length === 0) this.#byAddress.delete(start);
    this.#count(node, -1);
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

  clear(): void {
    this.#byAddress.clear();
    this.#memory.clearCode();
  }

  #count(node: Instruction, step: 1 | -1): void {
    const wild = new Set<number>();
    for (const { offset, size } of node.wild) for (let n = 0; n < size; n += 1) wild.add(offset + n);
    for (let n = 0; n < node.length; n += 1) {
      if (!wild.has(n)) this.#memory.countCode((node.cs << 4) + ((node.ip + n) & 0xffff), step);
    }
  }
}

/** True when memory holds this instruction, apart from operands that are read from memory anyway. */
export function isInMemory(node: Instruction, memory: X86Memory): boolean {
  for (let n = 0; n < node.length; n += 1) {
    if (memory.peek8((node.cs << 4) + ((node.ip + n) & 0xffff)) === node.bytes[n]) continue;
    if (!node.wild.some(({ offset, size }) => offset <= n && n < offset + size)) return false;
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
