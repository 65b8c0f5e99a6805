import { z } from 'zod';
import { addressOf } from './debug/address.ts';
import { requireType } from './debug/breakpoint-type.ts';
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
  }),
  async run({ breakpoints, addresses }, { address, type, length, condition, log_only, temporary }) {
    requireType(breakpoints, type);
    const set = await breakpoints.set({
      type,
      address: await addressOf(address, addresses),
      length,
      condition,
      logOnly: log_only,
      temporary,
    });
    return { text: showBreakpoint(set, addresses), data: { ...set } };
  },
});
