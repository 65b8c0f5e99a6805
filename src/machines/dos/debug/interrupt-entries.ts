import { Block } from '../../../chips/x86/graph/block.ts';
import type { X86 } from '../../../chips/x86/x86.ts';

/** Tells when the processor stands before the first instruction of an interrupt handler, once for each interrupt. */
export class InterruptEntries {
  readonly #cpu: X86;
  /** The interrupt that was reported last: a context, or a call and how often it had been made. */
  #last: { readonly by: object; readonly count: number } | undefined;

  constructor(cpu: X86) {
    this.#cpu = cpu;
  }

  /** Linear address of a vector. */
  entryOf(vector: number): number {
    return vector * 4;
  }

  /** Linear address that a vector points to. */
  handlerOf(vector: number): number {
    const { memory } = this.#cpu;
    const word = (at: number) => memory.peek8(at) | (memory.peek8(at + 1) << 8);
    const entry = this.entryOf(vector);
    return word(entry + 2) * 16 + word(entry);
  }

  /** The vector of the interrupt whose handler comes next; undefined when none was entered, or it was told before. */
  entered(): number | undefined {
    const cpu = this.#cpu;
    const context = cpu.contexts.at(-1);
    if (!context) return undefined;
    const here = (cpu.get('cs') << 16) | cpu.get('ip');
    const stackPointer = cpu.get('ss') * 16 + cpu.get('sp');
    if (context.calls.depth === 0) {
      const begins = context.entry === here && context.stackPointer === stackPointer && context.vector >= 0;
      return begins && this.#isNew(context, 0) ? context.vector : undefined;
    }
    const { edge, stackPointer: called } = context.calls.frame(context.calls.depth - 1);
    if (called !== stackPointer || edge.key !== here || !(edge.from instanceof Block)) return undefined;
    const vector = vectorOf(edge.from.last.form.mnemonic, edge.from.last.imm);
    return vector !== undefined && this.#isNew(edge, edge.count) ? vector : undefined;
  }

  #isNew(by: object, count: number): boolean {
    if (this.#last?.by === by && this.#last.count === count) return false;
    this.#last = { by, count };
    return true;
  }
}

function vectorOf(mnemonic: string, imm: number): number | undefined {
  if (mnemonic === 'int') return imm;
  return { int1: 1, int3: 3, into: 4 }[mnemonic];
}
