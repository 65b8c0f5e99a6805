import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const statusRead = defineTool({
  name: 'status_read',
  title: 'Read the status',
  description: 'State, place and last stop.',
  toolset: 'inner',
  needs: [],
  effect: 'read',
  idempotent: true,
  input: z.object({}),
  async run(machine) {
    const { where, stop } = machine.status();
    return { text: '', data: { where: where ?? null, stop: stop?.reason ?? null } };
  },
});
