import { hex } from '../../formats/hex.ts';
import type { Breakpoint } from '../../machine/breakpoints.ts';
import type { MachineWith } from '../../machine/machine.ts';
import { showAddress } from './show.ts';

/** Of the types whose address is a number of another sort. */
const numbers: ReadonlyMap<string, (value: bigint) => string> = new Map([
  ['in', (port: bigint) => `port ${hex(port, 3)}h`],
  ['out', (port: bigint) => `port ${hex(port, 3)}h`],
  ['interrupt', (vector: bigint) => `${hex(vector, 2)}h`],
  ['time', (count: bigint) => count.toLocaleString('en-US')],
]);

export function showBreakpoint(breakpoint: Breakpoint, { addresses }: MachineWith<'addresses'>): string {
  const { id, type, address, length, condition, cpu, enabled, hits, logOnly, temporary } = breakpoint;
  const number = numbers.get(type);
  const first = number?.(address) ?? (cpu === undefined ? showAddress(address, addresses) : addresses.format(address));
  const last = address + BigInt(length) - 1n;
  const end = length > 1 ? `-${number?.(last) ?? addresses.format(last)}` : '';
  const parts = [
    `breakpoint ${id}: ${type} ${first}${end}`,
    cpu && `on ${cpu}`,
    condition && `if ${condition}`,
    logOnly && 'log only',
    temporary && 'once',
    !enabled && 'OFF',
    hits > 0 && `${hits} hits`,
  ];
  return parts.filter(Boolean).join(', ');
}
