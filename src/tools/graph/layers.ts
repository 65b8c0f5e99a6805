import type { LayoutEdge, LayoutNode } from './layout.ts';

interface Layers {
  readonly layerOf: ReadonlyMap<number, number>;
  /** True for edges that must lead upwards because they close a circle, by their index. */
  isReversed(edge: number): boolean;
}

/** A layer for each node: below all those that lead to it, edges that close circles aside. */
export function acyclic(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Layers {
  const leaving = new Map<number, number[]>(nodes.map(({ id }) => [id, []]));
  for (const [index, { from }] of edges.entries()) leaving.get(from)?.push(index);
  const reversed = new Set<number>();
  const finished: number[] = [];
  const state = new Map<number, 'open' | 'done'>();
  const reached = new Set(edges.filter(({ from, to }) => from !== to).map(({ to }) => to));
  const roots = [...nodes.filter(({ id }) => !reached.has(id)), ...nodes];
  for (const { id: root } of roots) {
    if (state.has(root)) continue;
    state.set(root, 'open');
    const path = [{ id: root, next: 0 }];
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const index = leaving.get(top.id)?.[top.next++];
      const edge = index === undefined ? undefined : edges[index];
      if (index === undefined || !edge) {
        state.set(top.id, 'done');
        finished.push(top.id);
        path.pop();
      } else if (state.get(edge.to) === 'open') {
        reversed.add(index);
      } else if (!state.has(edge.to)) {
        state.set(edge.to, 'open');
        path.push({ id: edge.to, next: 0 });
      }
    }
  }
  return { layerOf: longestPaths(finished.reverse(), edges, reversed), isReversed: (edge) => reversed.has(edge) };
}

/** `ids` in an order in which all edges that are not reversed lead forwards. */
function longestPaths(
  ids: readonly number[],
  edges: readonly LayoutEdge[],
  reversed: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  const below = new Map<number, number[]>(ids.map((id) => [id, []]));
  for (const [index, { from, to }] of edges.entries()) {
    if (from === to) continue;
    if (reversed.has(index)) below.get(to)?.push(from);
    else below.get(from)?.push(to);
  }
  const layers = new Map<number, number>(ids.map((id) => [id, 0]));
  for (const id of ids) {
    const next = (layers.get(id) ?? 0) + 1;
    for (const each of below.get(id) ?? []) layers.set(each, Math.max(layers.get(each) ?? 0, next));
  }
  return layers;
}
