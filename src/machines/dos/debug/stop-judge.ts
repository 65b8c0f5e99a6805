import type { Breakpoint } from '../../../machine/breakpoints.ts';
import type { StopInterrupt } from '../../../machine/state.ts';

/**
 * What meeting a breakpoint means: it stops, is counted and reported; the past is looked at, and it only stops; or the
 * past is passed through on the way to somewhere.
 */
export type JudgeMode = 'run' | 'look' | 'pass';

export interface PortAccess {
  readonly kind: 'in' | 'out';
  readonly number: number;
  readonly value: number;
  readonly bytes: number;
}

/** With the value of its expression, of an interrupt where it came from, and of a port what went through it. */
export type JudgedBreakpoint = Breakpoint & {
  readonly logged?: bigint;
  /** The snapshot that was saved, or why there is none. */
  readonly saved?: string;
  readonly interrupt?: StopInterrupt;
  readonly port?: PortAccess;
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
