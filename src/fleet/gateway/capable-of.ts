import type { Machine } from '../../machine/machine.ts';

/** A machine that is elsewhere, for who asks what it can do, and nothing else. */
export function capableOf({
  handle,
  capabilities,
}: {
  readonly handle: string;
  readonly capabilities: readonly string[];
}) {
  const machine = Object.fromEntries(capabilities.map((name) => [name, {}])) as unknown as Machine;
  return { handle, machine };
}
