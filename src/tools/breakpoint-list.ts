import { z } from 'zod';
import { optionsHelp } from './debug/breakpoint-arguments.ts';
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
    const { types, chips } = breakpoints;
    const help = [
      `Types: ${types.join(', ')}.`,
      ...(chips ? [`Chips: ${chips.join(', ')}.`] : []),
      optionsHelp(breakpoints),
    ];
    const text = all.length > 0 ? all.map((each) => showBreakpoint(each, machine)) : ['No breakpoints.', ...help];
    return { text: text.join('\n'), data: { breakpoints: all, types, ...(chips && { chips }) } };
  },
});
