import { z } from 'zod';
import { showTraceEntry, showTraceStatus } from './debug/show-trace.ts';
import { defineTool } from './tool.ts';

export const traceRead = defineTool({
  name: 'trace_read',
  title: 'Read a trace',
  description:
    'Traced instructions, one per line, with the registers that changed since the previous line (all of them in ' +
    'the first line); values are those before the instruction. Without "from", the newest. Example: {"from":0,"limit":50}.',
  toolset: 'log',
  needs: ['trace'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    from: z.number().int().min(0).optional().describe('Number of the first instruction'),
    limit: z.number().int().min(1).max(500).default(50),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ trace }, { from, limit }) {
    const { status } = trace;
    const first = Math.max(status.dropped, from ?? status.total - limit);
    const { entries, next } = await trace.read(first, limit);
    const left = Math.max(0, status.total - next);
    const gap = from !== undefined && from < first ? [`${first - from} of those wanted are no longer kept`] : [];
    const rest = left > 0 ? [`${left} more; go on with "from":${next}`] : [];
    return {
      text: [showTraceStatus(status), ...gap, ...entries.map(showTraceEntry), ...rest].join('\n'),
      data: { entries, next, left, ...status },
    };
  },
});
