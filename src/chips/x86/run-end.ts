import type { Instruction } from './instruction.ts';
import type { WatchHit } from './memory.ts';

/** How a run ended. */
export type RunEnd =
  /** The count is reached. */
  | { readonly reason: 'count' }
  /** Before the instruction at an execution breakpoint. */
  | { readonly reason: 'breakpoint' }
  /** Before an instruction at which the condition of `stopWhen` holds. */
  | { readonly reason: 'condition' }
  /** After an instruction that touched watched memory, or when something asked for a stop. */
  | { readonly reason: 'watch'; readonly hits: readonly WatchHit[]; readonly by: Instruction | null }
  | { readonly reason: 'stop'; readonly by: Instruction | null }
  /** Before its time, because few instructions have done so much work: whoever runs it may want to look at a clock. */
  | { readonly reason: 'effort' }
  /** HLT with interrupts off: only an NMI or a reset ends that. */
  | { readonly reason: 'halted' }
  /** A fault could not be handled because its stack faulted. */
  | { readonly reason: 'shutdown' }
  /** The program wants what this chip does not do; the instruction was not executed. */
  | { readonly reason: 'unsupported'; readonly what: string };
