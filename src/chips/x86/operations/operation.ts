import type { Core } from '../core.ts';
import type { Instruction, Width } from '../instruction.ts';
import type { ModelRules } from '../models.ts';

/** What a handler tells the loop. */
export const outcome = {
  /** Go on with the next instruction. */
  next: 0,
  /** To the instruction's fixed target. */
  taken: 1,
  /** To where `eip` (and `cs`) now point. */
  jump: 2,
  /** The same, as calls: the return address lies on the stack. */
  call: 3,
  callTo: 4,
  /** Back to where `eip` and `cs` now point. */
  return: 5,
  /** The next instruction, but something has to be looked at first: see `Core.attention`. */
  look: 6,
  /** The same instruction, which has only come to the end of its time. */
  again: 7,
} as const;

/** Why the loop has to look up. */
export const attention = { codeChanged: 1, interrupts: 2, stop: 4, halted: 8, effort: 16, mode: 32 } as const;

/** What code is generated for: widths and model decide the text, operands are named below. */
export interface Shape {
  readonly width: Width;
  /** Width of the second operand. */
  readonly sourceWidth: Width;
  readonly addressSize: 16 | 32;
  readonly operandSize: 16 | 32;
  readonly generation: number;
  /** How memory and the stack are reached. */
  readonly memory: MemoryText;
  /** Text for a field of the instruction: `n.imm`, or its value where it is fixed. */
  field(name: 'd' | 's' | 'imm' | 'imm2' | 'disp' | 'base' | 'index' | 'scale' | 'seg' | 'next' | 'target'): string;
  /** True when the first operand is this general register. */
  isRegister(index: number): boolean;
}

/** Text that reaches memory at offset `o` of the segment whose base is word `seg`, as the mode of the code has it. */
export interface MemoryText {
  /** True in real mode, where segments have 64 KiB and no rights. */
  readonly plain: boolean;
  /** `wide`: the offset may be any. `changes`: what is read will be written back. */
  load(width: number, seg: string, wide: boolean, changes?: boolean): string;
  store(width: number, seg: string, value: string, wide: boolean): string;
  /** The stack pointer, and text that moves it. */
  readonly pointer: string;
  stackOffset(text: string): string;
}

/** What a processor is, and where the instruction's memory operand lies, as text. */
export interface QuickContext {
  readonly rules: ModelRules;
  readonly hasCoprocessor: boolean;
  readonly offset: string;
}

/**
 * Text for what is usual: `act`, which ends with an outcome, is done in place of the call `when` an expression holds, which
 * does nothing where it does not.
 */
export type QuickText = (
  instruction: Instruction,
  context: QuickContext,
) => { readonly before: string; readonly when: string; readonly act: string } | null;

export type Call = (core: Core, instruction: Instruction, a: number, b: number, k: number, width: Width) => number;

/**
 * One row of semantics, under a mnemonic. The operands' values are `a`, `b` and `k` (unsigned; signed when 32 bits
 * wide), `o` is the offset of the memory operand, the result is `r`, a second one `q`. `fr fx fc fo` are the arithmetic
 * flags (flags.ts). What is too long for a template is a call with the same values.
 */
export interface Operation {
  /** Operands read, by letter. */
  readonly reads: string;
  /** Operands written: `a` gets `r`, `b` gets `q`. */
  readonly writes: '' | 'a' | 'ab';
  /** Text that computes `r`. */
  readonly code?: (shape: Shape) => string;
  readonly call?: Call;
  /** What compiled code does where it can, in place of the call. */
  readonly quick?: QuickText;
  /** Text that runs before anything is read: the fault of those who may not use it comes before all others. */
  readonly before?: string;
  /** Text that moves the memory operand's offset `o` before the operand is read, by the value of `b`. */
  readonly prepare?: (shape: Shape) => string;
  /** The code or call ends with an outcome, because it may go elsewhere or has something to be looked at. */
  readonly control?: 'jump' | 'look';
  /** What a call does to the memory at `o`, its first operand. */
  readonly memory?: 'read' | 'write';
  /** Flags the operation depends on and flags it sets, in the letters `oszapc`. */
  readonly flagsRead?: string;
  readonly flagsWritten?: string;
}
