import { z } from 'zod';
import type { Block, FlowGraph } from '../../machine/graph.ts';
import { defineTool } from '../tool.ts';

export const graphSummary = defineTool({
  name: 'graph_summary',
  title: 'Summarise the graph',
  description: 'Contexts and entry points of the control-flow graph, what was executed last, and the first blocks.',
  toolset: 'inner',
  needs: ['graph', 'cpu', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({ blocks: z.number().int().min(1).max(1000).optional() }),
  async run({ graph, cpu, addresses }, { blocks: most }) {
    const read = await graph.read();
    const { context, entryPoints, lastExecuted } = read;
    const found = most === undefined ? undefined : reachable(read, most + 1);
    return {
      text: '',
      data: {
        depth: context.depth,
        entry: context.entry.where,
        entry_points: entryPoints.map(({ where }) => where),
        last_executed: lastExecuted?.where ?? addresses.format(cpu.pc),
        ...(found && { blocks: described(found.slice(0, most), read), more: found.length > (most ?? 0) }),
      },
    };
  },
});

/** Nearest to the entry points first. */
function reachable({ blocks, entryPoints }: FlowGraph, most: number): readonly Block[] {
  const entries = new Set(entryPoints.map(({ address }) => address));
  const found = new Set([...blocks.values()].filter(({ address }) => entries.has(address)).slice(0, most));
  for (const block of found) {
    for (const { to } of block.edges) {
      if (found.size >= most) return [...found];
      const next = blocks.get(to);
      if (next) found.add(next);
    }
  }
  return [...found];
}

function described(shown: readonly Block[], { blocks }: FlowGraph): readonly Record<string, unknown>[] {
  const before = new Map<number, Set<number>>();
  for (const { id, edges } of blocks.values()) {
    for (const { to } of edges) before.set(to, (before.get(to) ?? new Set()).add(id));
  }
  return shown.map((block) => ({
    id: block.id,
    entry: block.where,
    term: block.last.where,
    pred: [...(before.get(block.id) ?? [])],
    succ: [...new Set(block.edges.map(({ to }) => to))],
    asm:
      block.kind === 'selector'
        ? ['selector']
        : block.instructions().map(({ bytes, text }) => `${Buffer.from(bytes).toString('hex').toUpperCase()}|${text}`),
    ...(block.variant && !block.variant.live && { dead: true }),
  }));
}
