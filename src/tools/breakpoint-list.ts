import { z } from 'zod';
import { showBreakpoint } from './debug/show-breakpoint.ts';
import { defineTool } from './tool.ts';

export const breakpointList = defineTool({
  name: 'breakpoint_list',
  title: 'List breakpoints',
  description: 'All breakpoints with their numbers, conditions and hits.',
  toolset: 'debug',
  needs: ['breakpoints', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({}),
  async run(machine) {
    const { breakpoints } = machine;
    const all = await breakpoints.list();
    return {
      text: all.map((each) => showBreakpoint(each, machine)).join('\n') || 'No breakpoints.',
      data: { breakpoints: all },
    };
  },
});
