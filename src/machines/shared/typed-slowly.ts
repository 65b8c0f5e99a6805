import { MachineError } from '../../machine/errors.ts';

/** Before the call is given up, which would not say how far the text came. */
export function typedSlowly(typed: number, all: number, ms: number): MachineError {
  return new MachineError(
    'LIMIT_REACHED',
    `The program takes keys slowly: ${typed} of ${all} characters were typed in ${ms / 1000} s.`,
    'Type the rest with another call.',
    { typed },
  );
}
