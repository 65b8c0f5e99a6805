import { z } from 'zod';
import type { BreakpointCapability } from '../machine/breakpoints.ts';
import { MachineError } from '../machine/errors.ts';
import { defineTool } from './tool.ts';

export const breakpointDelete = defineTool({
  name: 'breakpoint_delete',
  title: 'Delete breakpoints',
  description: 'Remove, disable or enable a breakpoint or group; "*": all.',
  toolset: 'debug',
  needs: ['breakpoints'],
  effect: 'change',
  idempotent: true,
  input: z.object({
    id: z.number().int().optional(),
    group: z.string().optional(),
    action: z.enum(['delete', 'disable', 'enable']).default('delete'),
  }),
  async run({ breakpoints }, { id, group, action }) {
    const ids = id === undefined ? await idsIn(breakpoints, group) : [id];
    for (const each of ids) {
      if (action === 'delete') await breakpoints.delete(each);
      else await breakpoints.change(each, { enabled: action === 'enable' });
    }
    if (ids.length === 0) return { text: 'There are no breakpoints.', data: { ids, action } };
    const which = ids.length === 1 ? `breakpoint ${ids[0]}` : `breakpoints ${ids.join(', ')}`;
    return { text: `${which} ${action}d`, data: { ...(id !== undefined && { id }), ids, action } };
  },
});

const everyone = '*';

async function idsIn(breakpoints: BreakpointCapability, group: string | undefined): Promise<readonly number[]> {
  const all = await breakpoints.list();
  if (group === everyone) return all.map(({ id }) => id);
  const ids = all.filter((each) => group !== undefined && each.group === group).map(({ id }) => id);
  if (ids.length > 0) return ids;
  const groups = [...new Set(all.flatMap((each) => each.group ?? []))];
  const fix = groups.length > 0 ? `Groups: ${groups.join(', ')}.` : 'No breakpoint is in a group.';
  if (group === undefined) throw new MachineError('INVALID_ARGUMENT', 'Give "id" or "group"; "*" is all.', fix);
  throw new MachineError('NOT_FOUND', `No group ${JSON.stringify(group.slice(0, 60))}.`, fix);
}
