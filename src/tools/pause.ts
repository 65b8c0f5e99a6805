import { z } from 'zod';
import { defineTool } from './tool.ts';

export const pause = defineTool({
  name: 'pause',
  title: 'Pause',
  description: 'Stop a running machine at the next instruction.',
  toolset: 'machines',
  needs: ['control'],
  effect: 'change',
  idempotent: true,
  input: z.object({}),
  async run({ control }) {
    await control.pause();
    return { text: '' };
  },
});
