import type { Instruction } from '../../../chips/x86/instruction.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import type { LoadedProgram } from '../services/dos/program-loader.ts';

export type ProgramPlace = Pick<LoadedProgram, 'process' | 'paragraphs' | 'file'>;

/** Until when an instruction belonged to a program whose place another one has taken, and how often it had run. */
interface End {
  readonly at: number;
  readonly executions: number;
}

/**
 * Code of programs that lay where another one was loaded. The processor's graph keeps it, but it is none of the program that is
 * there now, unless that runs it too. A program that is loaded again as it was keeps what is known of it.
 */
export class FormerCode {
  readonly #cpu: X86;
  readonly #ends = new WeakMap<Instruction, End>();
  /** What was loaded last, by its process. */
  readonly #files = new Map<number, Uint8Array>();

  constructor(cpu: X86) {
    this.#cpu = cpu;
  }

  /** True where it is another one than what lay there before. */
  programLoaded({ process, paragraphs, file }: ProgramPlace): boolean {
    const before = this.#files.get(process);
    this.#files.set(process, file);
    if (before && Buffer.compare(before, file) === 0) return false;
    const { graph, instructions } = this.#cpu;
    const first = process * 16;
    const last = first + paragraphs * 16 - 1;
    const census = graph.census();
    for (const block of graph.blocks) {
      for (const node of census.executed(block)) {
        const { linear } = node;
        if (linear < first || linear > last) continue;
        this.#ends.set(node, { at: instructions, executions: census.executions(node) });
      }
    }
    return true;
  }

  /** True for an instruction that has not run since another program came to lie there. */
  has(node: Instruction): boolean {
    const end = this.#ends.get(node);
    if (!end || this.#cpu.instructions < end.at) return false;
    return this.#cpu.graph.executions(node) <= end.executions;
  }

  /** How much of what has run at an address it is. */
  shareOf(key: number): 'all' | 'some' | 'none' {
    const variants = this.#cpu.graph.variantsOf({ key });
    const former = variants.filter((node) => this.has(node)).length;
    if (former === 0) return 'none';
    return former === variants.length ? 'all' : 'some';
  }
}
