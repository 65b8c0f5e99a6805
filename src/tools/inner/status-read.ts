import { z } from 'zod';
import { momentOf } from '../debug/moment-of.ts';
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
    const status = machine.status();
    const { where, stop, now } = status;
    const data = { ...momentOf(status), pc: now?.pc ?? machine.cpu?.pc ?? null, stopped_by: stop ?? null };
    return { text: '', data: { ...data, where: where ?? null, stop: stop?.reason ?? null } };
  },
});
