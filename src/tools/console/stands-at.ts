import type { Machine } from '../../machine/machine.ts';

/** The moment in which a machine that is stopped stands; undefined while it runs, and for a console that is no machine's. */
export function standsAt(machine: Machine): unknown {
  if (machine.control === undefined) return undefined;
  const { state, passes, now, stop } = machine.status();
  return state === 'RUNNING' || passes ? undefined : (now?.time ?? stop ?? state);
}
