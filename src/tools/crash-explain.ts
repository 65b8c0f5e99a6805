import { z } from 'zod';
import { defineTool } from './tool.ts';

export const crashExplain = defineTool({
  name: 'crash_explain',
  title: 'Explain a crash',
  description:
    'Why a guest died or hangs: its last exception decoded (vector, error code, address, page tables, descriptor tables, fault registers) with the source line and calls, or where its processors are. Best with machine_start\'s "on_reset":"pause".',
  toolset: 'system',
  needs: ['crash'],
  effect: 'read',
  idempotent: true,
  input: z.object({}),
  async run({ crash }) {
    const report = await crash.explain();
    return { text: [report.summary, ...report.lines].join('\n'), data: { ...report } };
  },
});
