import type { Instruction } from '../../../chips/x86/instruction.ts';
import type { X86 } from '../../../chips/x86/x86.ts';

export type InstructionHook = (instruction: Instruction) => void;

/** Lets several watch each instruction before it runs; the processor runs at full speed while nobody does. */
export class InstructionHooks {
  readonly #cpu: X86;
  readonly #hooks = new Set<InstructionHook>();

  constructor(cpu: X86) {
    this.#cpu = cpu;
  }

  /** What is returned takes it away again. */
  add(hook: InstructionHook): () => void {
    this.#hooks.add(hook);
    this.#connect();
    return () => {
      this.#hooks.delete(hook);
      this.#connect();
    };
  }

  #connect(): void {
    const [first, ...others] = this.#hooks;
    this.#cpu.onInstruction =
      first === undefined
        ? null
        : others.length === 0
          ? first
          : (instruction) => {
              for (const hook of this.#hooks) hook(instruction);
            };
  }
}
