import { z } from 'zod';
import { defineRackTool } from './tool.ts';

export const machineStop = defineRackTool({
  name: 'machine_stop',
  title: 'Stop a machine',
  description: 'Stop a machine for good, or detach from a console. Waits for no other call.',
  toolset: 'machines',
  effect: 'destroy',
  idempotent: true,
  input: z.object({
    machine: z.string(),
  }),
  async run({ machine }, { rack }) {
    await rack.stop(machine, 'stopped by a call');
    const alive = rack.machines.map(({ handle }) => handle);
    return {
      text: `${machine} OFF · stopped. ${alive.length > 0 ? `Still running: ${alive.join(', ')}.` : 'None is left.'}`,
      data: { machine, stopped: true, machines: alive },
    };
  },
});
