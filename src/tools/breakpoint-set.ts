import { z } from 'zod';
import type { AddressCapability } from '../machine/addresses.ts';
import type { Breakpoint, BreakpointCapability, BreakpointSpec } from '../machine/breakpoints.ts';
import { MachineError } from '../machine/errors.ts';
import type { MachineWith } from '../machine/machine.ts';
import { changeOf, parseOptions, treeOf, triggerOf } from './debug/breakpoint-arguments.ts';
import { cpuArgument, seenBy } from './debug/processor.ts';
import { showBreakpoint } from './debug/show-breakpoint.ts';
import { defineTool } from './tool.ts';

/** Of all kinds; each machine says which of them it has. */
const breakpointTypes = [
  ...['exec', 'hardware', 'read', 'write', 'access', 'change', 'in', 'out', 'interrupt', 'irq', 'nmi', 'brk', 'time'],
  ...['port', 'program', 'raster', 'sprite_sprite', 'sprite_background', 'chip_write', 'composite'],
];

const input = z.object({
  address: z.string().optional(),
  type: z.string().optional().meta({ enum: breakpointTypes }),
  length: z.number().int().min(1).max(65_536).optional(),
  condition: z.string().max(500).optional(),
  log_only: z.boolean().optional(),
  temporary: z.boolean().optional(),
  options: z.unknown().optional().meta({ type: 'object' }),
  id: z.number().int().optional(),
  cpu: cpuArgument,
});

export const breakpointSet = defineTool({
  name: 'breakpoint_set',
  title: 'Set a breakpoint',
  description:
    'Stop at an address or state if a condition holds: {"address":"$C000","condition":"A==255"}. ' +
    'id: change one. breakpoint_list has options.',
  toolset: 'debug',
  needs: ['breakpoints', 'addresses'],
  effect: 'change',
  input,
  async run(machine, asked) {
    const { breakpoints, addresses } = machine;
    const shown =
      asked.id === undefined
        ? withLine(await breakpoints.set(await specOf(machine, asked)), addresses)
        : await changed(breakpoints, asked);
    return { text: showBreakpoint(shown, machine), data: { ...shown } };
  },
});

async function specOf(
  machine: MachineWith<'breakpoints' | 'addresses'>,
  { type = 'exec', cpu, log_only = false, temporary, options: given = {}, ...asked }: z.output<typeof input>,
): Promise<BreakpointSpec> {
  const { breakpoints } = machine;
  const { addresses } = await seenBy(machine, cpu);
  const { tree, ignore, group, log, frames, snapshot, set, skip, keep, enabled, ...options } = parseOptions(
    given,
    breakpoints,
  );
  if (!breakpoints.types.includes(type)) {
    const types = breakpoints.types.join(', ');
    const message = `No breakpoints of type ${JSON.stringify(type.slice(0, 40))} here.`;
    throw new MachineError('INVALID_ARGUMENT', message, `Types: ${types}.`, { valid_types: breakpoints.types });
  }
  if (enabled === false) {
    throw new MachineError('INVALID_ARGUMENT', 'A new breakpoint is on.', 'Set it, then switch it off by its id.');
  }
  const { temporary: once, ...place } = options;
  const { address, length, condition } = asked;
  const own = Object.fromEntries(
    Object.entries({ address, length, condition }).filter(([, value]) => value !== undefined),
  );
  const names = { addresses, chips: machine.frameTrace?.chips ?? [] };
  const trigger = await triggerOf({ type, ...place, ...own }, names);
  return {
    ...trigger,
    sourceLine: sourceLineIn(place.address ?? address, addresses),
    ...(tree !== undefined && { tree: await treeOf(tree, names) }),
    ...(cpu !== undefined && { cpu }),
    logOnly: log_only,
    temporary: temporary ?? once ?? false,
    ...{ ignore, group: group || undefined, log: log || undefined, frames: frames || undefined, snapshot },
    ...{ set: set?.length ? set : undefined, skip: skip || undefined, keep: keep || undefined },
  };
}

/** A line without code is not where it stops. */
function withLine(set: Breakpoint, addresses: AddressCapability): Breakpoint {
  const [, asked] = /:(\d+)$/.exec(set.sourceLine ?? '') ?? [];
  const meant = set.sourceLine === undefined ? undefined : addresses.lineMeant?.(set.sourceLine);
  if (meant === undefined || meant.line === Number(asked)) return set;
  const notice = `line ${asked} has no code of its own, so it is at ${meant.file}:${meant.line}`;
  return { ...set, notice: set.notice === undefined ? notice : `${notice}; ${set.notice}` };
}

/** `main.s:41`, if an address was given so. */
function sourceLineIn(address: string | number | undefined, addresses: AddressCapability): string | undefined {
  if (typeof address !== 'string' || addresses.symbols.address(address) !== undefined) return undefined;
  return /^\s*(\S.*\.\w+:\d{1,6})\s*$/.exec(address)?.[1];
}

function changed(
  breakpoints: BreakpointCapability,
  { id = 0, address, type, length, condition, log_only, temporary, cpu, options = {} }: z.output<typeof input>,
) {
  const asked = { ...parseOptions(options, breakpoints), ...(temporary !== undefined && { temporary }) };
  const place = Object.entries({ address, type, length, cpu }).find(([, value]) => value !== undefined)?.[0];
  if (place !== undefined) {
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${place} of a breakpoint cannot be changed.`,
      'Delete it and set another, or leave "id" out.',
    );
  }
  return breakpoints.change(id, changeOf(asked, { condition, logOnly: log_only }));
}
