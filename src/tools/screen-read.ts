import { z } from 'zod';
import { readScreen } from './picture/read-screen.ts';
import { defineTool } from './tool.ts';

export const screenRead = defineTool({
  name: 'screen_read',
  title: 'Read the screen',
  description: 'What the screen shows: text in text modes, else a picture.',
  toolset: 'screen',
  needs: ['screen'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    mode: z.enum(['auto', 'text', 'image', 'both']).default('auto'),
    colours: z.boolean().default(false).describe('With the colour number of each character'),
  }),
  run: ({ screen }, { mode, colours }) => readScreen(screen, mode, colours),
});
