import { z } from 'zod';
import { defineTool } from './tool.ts';

export const breakpointDelete = defineTool({
  name: 'breakpoint_delete',
  title: 'Delete a breakpoint',
  description: 'Remove a breakpoint, or only switch it off or on.',
  toolset: 'debug',
  needs: ['breakpoints'],
  effect: 'change',
  idempotent: true,
  input: z.object({
    id: z.number().int(),
    action: z.enum(['delete', 'disable', 'enable']).default('delete'),
  }),
  async run({ breakpoints }, { id, action }) {
    if (action === 'delete') await breakpoints.delete(id);
    else await breakpoints.change(id, { enabled: action === 'enable' });
    return { text: `breakpoint ${id} ${action}d`, data: { id, action } };
  },
});
