import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import { parseAddress } from './debug/parse-address.ts';
import { showTraceStatus } from './debug/show-trace.ts';
import { defineTool } from './tool.ts';

export const traceStart = defineTool({
  name: 'trace_start',
  title: 'Start tracing instructions',
  description:
    'From now on, record each instruction with its registers, optionally only under a condition or in a range; then let ' +
    'time pass with run or step and use trace_read. Example: {"first":"main","last":"main+0x80","condition":"ax==3"}.',
  toolset: 'log',
  needs: ['trace', 'addresses'],
  effect: 'change',
  input: z.object({
    condition: z.string().max(500).optional(),
    first: z.string().optional().describe('Only instructions from here'),
    last: z.string().optional().describe('to here'),
    max_entries: z.number().int().min(1).max(10_000_000).optional(),
    when_full: z.enum(['drop-oldest', 'stop']).default('drop-oldest'),
  }),
  async run({ trace, addresses }, { condition, first, last, max_entries, when_full }, { rack }) {
    const range = [first, last].map((each) => (each === undefined ? undefined : parseAddress(each, addresses)));
    if (range[0] !== undefined && range[1] !== undefined && range[1] < range[0]) {
      throw new MachineError('INVALID_ARGUMENT', 'The range ends before it begins.', 'Swap first and last.');
    }
    const status = await trace.start({
      condition,
      first: range[0],
      last: range[1],
      whenFull: when_full,
      maxEntries: max_entries,
      maxBytes: rack.limits.traceBytes,
    });
    return { text: showTraceStatus(status), data: { ...status } };
  },
});
