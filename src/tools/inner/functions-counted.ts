import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const functionsCounted = defineTool({
  name: 'functions_counted',
  title: 'Count calls of functions',
  description: 'Functions, the most called first, without what they call.',
  toolset: 'inner',
  needs: ['functions'],
  effect: 'read',
  idempotent: true,
  input: z.object({ limit: z.number().int().min(0) }),
  async run({ functions }, { limit }) {
    const all = [...(await functions.list())].sort((a, b) => b.calls - a.calls);
    return {
      text: '',
      data: {
        functions: all.slice(0, limit).map(({ where, name, calls }) => ({ where, name: name ?? null, calls })),
        total: all.length,
      },
    };
  },
});
