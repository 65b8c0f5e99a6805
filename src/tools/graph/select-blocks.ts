import type { Block, EdgeType, FlowGraph } from '../../machine/graph.ts';

export function byAddress(a: Block, b: Block): number {
  return a.address < b.address ? -1 : a.address > b.address ? 1 : a.id - b.id;
}

export function allBlocks({ blocks }: FlowGraph): readonly Block[] {
  return [...blocks.values()].sort(byAddress);
}

/** Blocks in which the address lies; those that begin there are enough when there are any. */
export function blocksAt({ blocks }: FlowGraph, address: bigint): readonly Block[] {
  const all = [...blocks.values()];
  const starting = all.filter((block) => block.address === address);
  if (starting.length > 0) return starting;
  return all.filter((block) => block.address < address && address < block.address + BigInt(block.bytes));
}

/** What can be reached from the blocks, and what reaches them, in so many steps. */
export function neighbourhood(graph: FlowGraph, start: readonly Block[], depth: number): readonly Block[] {
  const before = incoming(graph);
  return spread(graph, start, depth, ({ id, edges }) => [
    ...edges.map(({ to }) => to),
    ...(before.get(id) ?? []).map(({ from }) => from.id),
  ]);
}

export interface IncomingEdge {
  readonly from: Block;
  readonly type: EdgeType;
  readonly count?: number | undefined;
}

/** By the id of the block they lead to. */
export function incoming({ blocks }: FlowGraph): ReadonlyMap<number, readonly IncomingEdge[]> {
  const found = new Map<number, IncomingEdge[]>();
  for (const from of blocks.values()) {
    for (const { to, type, count } of from.edges) {
      const edges = found.get(to);
      if (edges) edges.push({ from, type, count });
      else found.set(to, [{ from, type, count }]);
    }
  }
  return found;
}

function spread(
  { blocks }: FlowGraph,
  start: readonly Block[],
  depth: number,
  next: (block: Block) => readonly number[],
): readonly Block[] {
  const found = new Map(start.map((block) => [block.id, block]));
  let edge: readonly Block[] = start;
  for (let step = 0; step < depth && edge.length > 0; step++) {
    const reached: Block[] = [];
    for (const id of edge.flatMap(next)) {
      const block = blocks.get(id);
      if (!block || found.has(id)) continue;
      found.set(id, block);
      reached.push(block);
    }
    edge = reached;
  }
  return [...found.values()].sort(byAddress);
}
