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
  async run(machine) {
    const { state, stop } = machine.status();
    await machine.control.pause();
    if (state !== 'ERROR') return { text: '' };
    return {
      text: `It has left ERROR. Unless you change PC or the code, the same error will occur again: ${stop?.reason}.`,
    };
  },
});
