import type { CodePlace } from '../../machine/functions.ts';
import type { Block, FlowGraph } from '../../machine/graph.ts';

/** What the blocks of a function call, each once, in the order of the calls. */
export function calleesOf(body: readonly Block[], { blocks }: FlowGraph): readonly CodePlace[] {
  const found = new Map<string, CodePlace>();
  for (const { edges } of body) {
    for (const { type, to } of edges) {
      const target = type === 'call' ? blocks.get(to) : undefined;
      if (target) found.set(target.where, { address: target.address, where: target.where, segment: target.segment });
    }
  }
  return [...found.values()];
}
