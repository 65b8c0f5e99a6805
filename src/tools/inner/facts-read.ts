import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const factsRead = defineTool({
  name: 'facts_read',
  title: 'Read the facts',
  description: 'What there is in a machine: chips, memory spaces, slots.',
  toolset: 'inner',
  needs: [],
  effect: 'read',
  idempotent: true,
  input: z.object({}),
  async run({ kind, chips, memory, media, breakpoints }) {
    return {
      text: '',
      data: {
        kind,
        chips: chips?.chips.map(({ name }) => name) ?? [],
        spaces: memory?.spaces.map(({ name }) => name) ?? [],
        slots: media?.slots.map(({ name, medium, changed }) => ({ name, medium: medium ?? null, changed })) ?? [],
        breakpoint_types: breakpoints?.types ?? [],
      },
    };
  },
});
