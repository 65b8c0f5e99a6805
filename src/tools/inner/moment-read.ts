import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const momentRead = defineTool({
  name: 'moment_read',
  title: 'Read the moment',
  description: 'State, place, beam, time and last stop as numbers.',
  toolset: 'inner',
  needs: [],
  effect: 'read',
  idempotent: true,
  input: z.object({}),
  async run(machine) {
    const { stop } = machine.status();
    const { beam, now, sinceMark } = machine.cycles ?? {};
    return {
      text: '',
      data: { kind: machine.kind, pc: machine.cpu?.pc, stop, beam, cycle: now, since_mark: sinceMark },
    };
  },
});
