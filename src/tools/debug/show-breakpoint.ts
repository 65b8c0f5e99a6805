import type { AddressCapability } from '../../machine/addresses.ts';
import type { Breakpoint } from '../../machine/breakpoints.ts';
import { showAddress } from './show.ts';

export function showBreakpoint(breakpoint: Breakpoint, addresses: AddressCapability): string {
  const { id, type, address, length, condition, enabled, hits, logOnly, temporary } = breakpoint;
  const end = length > 1 ? `-${addresses.format(address + BigInt(length) - 1n)}` : '';
  const parts = [
    `breakpoint ${id}: ${type} ${showAddress(address, addresses)}${end}`,
    condition && `if ${condition}`,
    logOnly && 'log only',
    temporary && 'once',
    !enabled && 'OFF',
    hits > 0 && `${hits} hits`,
  ];
  return parts.filter(Boolean).join(', ');
}
