import { hex } from '../../formats/hex.ts';
import type { AddressCapability } from '../../machine/addresses.ts';
import type { Breakpoint } from '../../machine/breakpoints.ts';
import type { Stop, StopAccess, StopEvent } from '../../machine/state.ts';

/** Why a machine stops, before the stop has a number. */
export type Cause = Omit<Stop, 'seq'>;

export const reachedAddress: Cause = { cause: 'breakpoint', reason: 'the address was reached' };

/** With the names of addresses an access is told in words as well. */
export function breakpointCause(
  { id, type, cpu }: Breakpoint,
  event?: StopEvent,
  addresses?: AddressCapability,
): Cause {
  const done = event?.access && addresses ? `: ${describeAccess(event, event.access, addresses)}` : '';
  const where = cpu === undefined ? '' : ` on ${cpu}${event?.pc === undefined ? '' : ` at $${hex(event.pc, 4)}`}`;
  const reason = `breakpoint ${id}, ${type}${where}${done}`;
  return { cause: 'breakpoint', reason, breakpoint: { id, type }, ...(event && { event }) };
}

export function conditionCause(condition: string): Cause {
  return { cause: 'breakpoint', reason: `condition ${condition}` };
}

/** `$D020 written by $C016 INC $D020 (b+7), FE→FF` */
function describeAccess({ pc, instruction }: StopEvent, access: StopAccess, addresses: AddressCapability): string {
  // A name may bring its line of source in brackets along.
  const symbol =
    pc === undefined ? undefined : addresses.symbols.describe(pc)?.replace(/^(.*?) ?\(([^)]*)\)$/, '$1, $2');
  const place =
    pc === undefined ? '' : ` by ${addresses.format(pc)} ${instruction ?? ''}${symbol ? ` (${symbol})` : ''}`;
  const bytes = (value: bigint) => hex(value, 2 * access.bytes);
  const value = access.old === undefined ? bytes(access.value) : `${bytes(access.old)}→${bytes(access.value)}`;
  return `${addresses.format(access.address)} ${access.kind === 'read' ? 'read' : 'written'}${place}, ${value}`;
}
