import type { Breakpoint } from '../../machine/breakpoints.ts';
import type { Stop } from '../../machine/state.ts';

/** Why a machine stops, before the stop has a number. */
export type Cause = Omit<Stop, 'seq'>;

export const reachedAddress: Cause = { cause: 'breakpoint', reason: 'the address was reached' };

export function breakpointCause({ id, type }: Breakpoint): Cause {
  return { cause: 'breakpoint', reason: `breakpoint ${id}, ${type}`, breakpoint: { id, type } };
}

export function conditionCause(condition: string): Cause {
  return { cause: 'breakpoint', reason: `condition ${condition}` };
}
