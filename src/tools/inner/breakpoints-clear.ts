import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const breakpointsClear = defineTool({
  name: 'breakpoints_clear',
  title: 'Delete all breakpoints',
  description: 'None is left.',
  toolset: 'inner',
  needs: ['breakpoints'],
  effect: 'change',
  idempotent: true,
  input: z.object({}),
  async run({ breakpoints }) {
    const all = await breakpoints.list();
    for (const { id } of all) await breakpoints.delete(id);
    return { text: '', data: { deleted: all.length } };
  },
});
