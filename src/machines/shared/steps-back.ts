import type { StepRequest } from '../../machine/control.ts';
import type { Cause } from './cause.ts';
import type { HistoryRewind, Interruption, Lookout } from './history-rewind.ts';

/** What a machine knows of the routines under way, for steps back over and out of them. */
export interface Routines<Level> {
  /** How deep it is now, to be compared with later. */
  level(): Level;
  /** After a single step back: what finds where the routine was entered that is left here for that level; undefined if none is left. */
  leftHere(before: Level): Lookout | undefined;
  /** What finds where the routine under way was entered; undefined if none is known. */
  underWay(): Lookout | undefined;
}

export const atCall: Cause = { cause: 'step', reason: 'step back out' };
/** The instruction that comes next is the one that comes after the interrupt as well. */
export const atInterrupt: Cause = { cause: 'step', reason: 'step back out of an interrupt' };
/** What a lookout says that need not be asked about earlier times. */
export const noCall: Cause = { cause: 'limit', reason: 'no call is remembered that led here' };

/** Back over what was called, or out to the call. Where something interrupts, or nothing is found, the last whole step stands. */
export async function stepsBack<Level>(
  rewind: HistoryRewind,
  routines: Routines<Level>,
  { kind, count }: Pick<StepRequest, 'kind' | 'count'>,
  interruption: Interruption,
): Promise<Cause> {
  let cause: Cause = noCall;
  for (let left = count; left > 0; left--) {
    cause = kind === 'over' ? await over(rewind, routines, interruption) : await out(rewind, routines, interruption);
    if (cause.cause !== 'step') return cause;
  }
  return count === 1 ? cause : { cause: 'step', reason: `${count} steps back ${kind}` };
}

async function out<Level>(
  rewind: HistoryRewind,
  routines: Routines<Level>,
  interruption: Interruption,
): Promise<Cause> {
  const lookout = routines.underWay();
  return lookout ? rewind.search(lookout, interruption) : noCall;
}

async function over<Level>(
  rewind: HistoryRewind,
  routines: Routines<Level>,
  interruption: Interruption,
): Promise<Cause> {
  for (;;) {
    const before = routines.level();
    const one = await rewind.steps(1, interruption);
    const lookout = one.cause === 'step' ? routines.leftHere(before) : undefined;
    if (!lookout) return one.cause === 'step' ? steppedOver : one;
    const found = await rewind.search(lookout, interruption);
    if (found.cause !== 'step' && found !== noCall) return found;
    if (found !== atInterrupt) return steppedOver;
  }
}

const steppedOver: Cause = { cause: 'step', reason: 'step back over' };
