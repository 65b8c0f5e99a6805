import { hex } from '../../formats/hex.ts';
import type { AddressCapability } from '../../machine/addresses.ts';
import type { Breakpoint, BreakpointTree, BreakpointTrigger } from '../../machine/breakpoints.ts';
import type { MachineWith } from '../../machine/machine.ts';
import { showAddress } from './show.ts';

/** Of the types whose address is a number of another sort. */
const numbers: ReadonlyMap<string, (value: bigint) => string> = new Map([
  ['in', (port: bigint) => `port ${hex(port, 3)}h`],
  ['out', (port: bigint) => `port ${hex(port, 3)}h`],
  ['port', (port: bigint) => `${hex(port, 3)}h`],
  ['interrupt', (vector: bigint) => `${hex(vector, 2)}h`],
  ['time', (count: bigint) => count.toLocaleString('en-US')],
  ['raster', (line: bigint) => `${line}`],
  ['chip_write', (register: bigint) => `$${hex(register, 2)}`],
]);
/** Those that have none. */
const everywhere: ReadonlySet<string> = new Set(['irq', 'nmi', 'brk', 'program', 'sprite_sprite', 'sprite_background']);

export function showBreakpoint(breakpoint: Breakpoint, machine: MachineWith<'addresses'>): string {
  const { id, tree, condition, cpu, enabled, hits, logOnly, log, temporary } = breakpoint;
  const { group, ignoreLeft = 0, framesLeft, snapshot, set, skip, keep, notice } = breakpoint;
  const { addresses } = machine;
  // Names are those of the machine's own processor.
  const format = cpu === undefined ? showAddress : (address: bigint) => addresses.format(address);
  const parts = [
    `breakpoint ${id}: ${tree ? `composite ${showTree(tree, addresses)}` : showTrigger(breakpoint, addresses, format)}`,
    cpu !== undefined && `on ${cpu}`,
    condition && `if ${condition}`,
    logOnly && 'log only',
    log !== undefined && `log ${log}`,
    temporary && 'once',
    ignoreLeft > 0 && `ignores ${ignoreLeft} more`,
    enabled && framesLeft !== undefined && `for ${framesLeft} more frame${framesLeft === 1 ? '' : 's'}`,
    snapshot && 'saves a snapshot',
    set && `sets ${set.join('; ')}`,
    skip !== undefined && `skips ${skip}`,
    keep && 'kept with the program',
    group !== undefined && `group ${group}`,
    !enabled && 'OFF',
    hits > 0 && `${hits} ${hits === 1 ? 'hit' : 'hits'}`,
  ];
  const shown = parts.filter(Boolean).join(', ');
  return notice === undefined ? shown : `${shown}; ${notice}`;
}

function showTrigger(trigger: BreakpointTrigger, addresses: AddressCapability, format = showAddress): string {
  const { type, address, length, chip, each, mask, bank } = trigger;
  const number = numbers.get(type);
  const first = number?.(address) ?? format(address, addresses);
  const last = address + BigInt(length) - 1n;
  const end = length > 1 ? `-${number?.(last) ?? addresses.format(last)}` : '';
  const parts = [
    type,
    chip,
    everywhere.has(type) ? undefined : `${first}${end}`,
    each && 'each line',
    mask !== undefined && `mask ${mask}`,
    bank !== undefined && `in ${bank}`,
  ];
  return parts.filter(Boolean).join(' ');
}

function showTree(tree: BreakpointTree, addresses: AddressCapability): string {
  if (tree.operator !== undefined) {
    return `(${tree.of.map((part) => showTree(part, addresses)).join(` ${tree.operator.toUpperCase()} `)})`;
  }
  if (tree.type === undefined) return tree.condition;
  const trigger = showTrigger(tree, addresses);
  return tree.condition === undefined ? trigger : `${trigger} if ${tree.condition}`;
}
