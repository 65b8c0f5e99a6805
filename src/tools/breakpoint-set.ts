import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import { addressOf } from './debug/address.ts';
import { cpuArgument, seenBy } from './debug/processor.ts';
import { showBreakpoint } from './debug/show-breakpoint.ts';
import { defineTool } from './tool.ts';

export const breakpointSet = defineTool({
  name: 'breakpoint_set',
  title: 'Set a breakpoint',
  description:
    'Stop when an address is executed, read, written or changed (on some machines: a port, an interrupt, a time), if a ' +
    'condition holds: {"address":"$C000","condition":"A==0xFF && X>$10"}.',
  toolset: 'debug',
  needs: ['breakpoints', 'addresses'],
  effect: 'change',
  input: z.object({
    address: z.string(),
    type: z.string().default('exec'),
    length: z.number().int().min(1).max(65_536).default(1),
    condition: z.string().max(500).optional(),
    log_only: z.boolean().default(false).describe('Write events instead of stopping'),
    temporary: z.boolean().default(false),
    cpu: cpuArgument,
  }),
  async run(machine, { address, type, length, condition, log_only, temporary, cpu }) {
    const { breakpoints } = machine;
    const { addresses } = await seenBy(machine, cpu);
    if (!breakpoints.types.includes(type)) {
      const types = breakpoints.types.join(', ');
      const message = `No breakpoints of type ${JSON.stringify(type.slice(0, 40))} here.`;
      throw new MachineError('INVALID_ARGUMENT', message, `Types: ${types}.`, { valid_types: breakpoints.types });
    }
    const set = await breakpoints.set({
      type,
      address: await addressOf(address, addresses),
      length,
      condition,
      cpu,
      logOnly: log_only,
      temporary,
    });
    return { text: showBreakpoint(set, machine), data: { ...set } };
  },
});
