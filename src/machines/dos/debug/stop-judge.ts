import type { Breakpoint } from '../../../machine/breakpoints.ts';

/**
 * What meeting a breakpoint means: it stops, is counted and reported; the past is looked at, and it only stops; or the
 * past is passed through on the way to somewhere.
 */
export type JudgeMode = 'run' | 'look' | 'pass';

/** With the value of its expression, and of an interrupt where it came from. */
export type JudgedBreakpoint = Breakpoint & {
  readonly logged?: bigint;
  /** The snapshot that was saved, or why there is none. */
  readonly saved?: string;
  readonly interrupt?: { readonly line: string; readonly interrupted: bigint };
};

/** Decides whether a place where the processor stopped is a stop that people see. Implemented by the breakpoints. */
export interface StopJudge {
  mode: JudgeMode;
  /** True if anything may stop a run. */
  readonly active: boolean;
  /** Has the processor stop at these linear addresses too. */
  alsoStopAt(addresses: readonly number[]): void;
  /** How far the next run may go. `leaving`: what stands at the first instruction has been seen. */
  limit(until: number, leaving: boolean): number;
  /** True if what was met last has put the processor elsewhere. */
  readonly jumped: boolean;
  /** What ends the run. */
  check(): JudgedBreakpoint | undefined;
}
