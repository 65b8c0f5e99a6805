import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const capturesList = defineTool({
  name: 'captures_list',
  title: 'List packet captures',
  description: 'Those that run and those that have ended.',
  toolset: 'inner',
  needs: ['network'],
  effect: 'read',
  idempotent: true,
  input: z.object({}),
  async run({ network }) {
    return { text: '', data: { captures: network.captures.map(({ path, active }) => ({ path, active })) } };
  },
});
