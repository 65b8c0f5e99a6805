import { z } from 'zod';
import { showTraceStatus } from './debug/show-trace.ts';
import { defineTool } from './tool.ts';

export const traceStop = defineTool({
  name: 'trace_stop',
  title: 'Stop tracing',
  description: 'Stop recording instructions. trace_read still reads the recording until the next trace_start.',
  toolset: 'log',
  needs: ['trace'],
  effect: 'change',
  idempotent: true,
  input: z.object({}),
  async run({ trace }) {
    const status = await trace.stop();
    return { text: showTraceStatus(status), data: { ...status } };
  },
});
