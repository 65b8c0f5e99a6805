import type { Breakpoint } from '../../../machine/breakpoints.ts';
import type { Stop } from '../../../machine/state.ts';

/** Why the machine stops, before it has a number. */
export type Cause = Pick<Stop, 'cause' | 'reason'> & { readonly breakpoint?: NonNullable<Stop['breakpoint']> };

/** Decides whether a place where the processor stopped is a stop that people see. Implemented by the breakpoints. */
export interface StopJudge {
  /** Has the processor stop at these linear addresses too. */
  alsoStopAt(addresses: readonly number[]): void;
  /** How far the next run may go. `leaving`: what stands at the first instruction has been seen. */
  limit(until: number, leaving: boolean): number;
  /** What ends the run. Without `counting` the past is only looked at: no hits are counted, nothing is reported. */
  check(counting: boolean): Breakpoint | undefined;
}
