import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const graphSummary = defineTool({
  name: 'graph_summary',
  title: 'Summarise the graph',
  description: 'Contexts and entry points of the control-flow graph, and what was executed last.',
  toolset: 'inner',
  needs: ['graph', 'cpu', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({}),
  async run({ graph, cpu, addresses }) {
    const { context, entryPoints, lastExecuted } = await graph.read();
    return {
      text: '',
      data: {
        depth: context.depth,
        entry: context.entry.where,
        entry_points: entryPoints.map(({ where }) => where),
        last_executed: lastExecuted?.where ?? addresses.format(cpu.pc),
      },
    };
  },
});
