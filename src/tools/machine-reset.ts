import { z } from 'zod';
import { defineTool } from './tool.ts';

export const machineReset = defineTool({
  name: 'machine_reset',
  title: 'Reset a machine',
  description: 'Press the reset button (soft), or switch off and on (hard, memory is lost).',
  toolset: 'machines',
  needs: ['control'],
  effect: 'change',
  input: z.object({ mode: z.enum(['soft', 'hard']).default('soft') }),
  // One that can go back loses nothing, and one that is off has nothing to lose; a guest with a disk may.
  confirm: (machine, { mode }) =>
    mode === 'hard' && !machine.control.canRewind && machine.status().state !== 'OFF'
      ? 'Switch the machine off and on? Its memory is lost.'
      : undefined,
  async run({ control }, { mode }) {
    await control.reset(mode);
    return { text: `${mode} reset done`, data: { mode } };
  },
});
