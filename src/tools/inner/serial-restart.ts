import { z } from 'zod';
import { portNamed } from '../console/port-named.ts';
import { defineTool } from '../tool.ts';

export const serialRestart = defineTool({
  name: 'serial_restart',
  title: 'Begin a serial line anew',
  description: 'Nothing of its output is kept, and its link is made again.',
  toolset: 'inner',
  needs: ['console'],
  effect: 'destroy',
  idempotent: true,
  input: z.object({}),
  async run({ console }) {
    portNamed(console, undefined).restart();
    return { text: '' };
  },
});
