import type { Direction } from '../../shared/control-port.ts';

/** The five lines of a control port. */
export const joystickBits = { up: 1, down: 2, left: 4, right: 8, fire: 16 } as const satisfies Readonly<
  Record<Direction, number>
>;
