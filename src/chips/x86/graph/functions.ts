import { Block, type Edge, type Selector } from './block.ts';
import type { CodeGraph } from './code-graph.ts';
import type { ContextCause } from './contexts.ts';
import type { Tracker } from './tracker.ts';

/** One function calls another, so many times. Addresses are keys: see `keyOf`. */
export interface CallCount {
  readonly key: number;
  readonly count: number;
}

/** Something that was called, or began a context. */
export interface CodeFunction {
  /** Segmented address of its entry, as a key. */
  readonly key: number;
  readonly cause: ContextCause | 'call';
  /** Interrupt vector, for handlers; -1 otherwise. */
  readonly vector: number;
  readonly calls: number;
  /** Returns to where the call came from, and to elsewhere. */
  readonly returns: number;
  readonly misalignedReturns: number;
  readonly callers: readonly CallCount[];
  readonly callees: readonly CallCount[];
  readonly blocks: readonly Block[];
}

type Spot = Block | Selector;

/** The catalogue of functions, out of the graph's edges: keeping it costs nothing while code runs. */
export function listFunctions(graph: CodeGraph, tracker: Tracker): CodeFunction[] {
  const spots: Spot[] = [...graph.blocks, ...graph.selectors];
  const entries = new Map<number, Spot[]>();
  for (const spot of spots) {
    const called = spot.in.some(({ type, count }) => type === 'call' && count > 0);
    if (called || tracker.roots.has(spot.key)) entries.set(spot.key, [...(entries.get(spot.key) ?? []), spot]);
  }
  const bodies = new Map([...entries].map(([key, spot]) => [key, bodyOf(spot, entries)]));
  const owners = new Map<Spot, number>();
  for (const [key, body] of bodies) for (const spot of body) if (!owners.has(spot)) owners.set(spot, key);

  return [...bodies].map(([key, body]): CodeFunction => {
    const calls = (entries.get(key) as Spot[]).flatMap((spot) => spot.in.filter(({ type }) => type === 'call'));
    const made = [...body].flatMap((spot) => spot.out.filter(({ type, count }) => type === 'call' && count > 0));
    const root = tracker.roots.get(key);
    return {
      key,
      cause: root?.cause ?? 'call',
      vector: root?.vector ?? -1,
      calls: sum(calls, 'count') + (root?.count ?? 0),
      returns: sum(calls, 'returns'),
      misalignedReturns: sum(calls, 'misaligned'),
      callers: tally(calls.map((edge) => [owners.get(edge.from) ?? edge.from.key, edge.count])),
      callees: tally(made.map((edge) => [edge.to.key, edge.count])),
      blocks: [...body].filter((spot) => spot instanceof Block),
    };
  });
}

/** Everything reached from an entry without calling, returning or going on into another function. */
function bodyOf(entry: readonly Spot[], entries: ReadonlyMap<number, unknown>): Set<Spot> {
  const body = new Set(entry);
  for (const spot of body) {
    if (spot instanceof Block && returns(spot)) continue;
    for (const { to, type, count } of spot.out) {
      if (type === 'call' || type === 'cpu-fault' || count === 0 || entries.has(to.key)) continue;
      body.add(to);
    }
  }
  return body;
}

function returns({ last }: Block): boolean {
  return ['ret', 'retf', 'iret'].includes(last.form.mnemonic);
}

function sum(edges: readonly Edge[], what: 'count' | 'returns' | 'misaligned'): number {
  return edges.reduce((total, edge) => total + edge[what], 0);
}

function tally(pairs: readonly (readonly [number, number])[]): CallCount[] {
  const counts = new Map<number, number>();
  for (const [key, count] of pairs) if (count > 0) counts.set(key, (counts.get(key) ?? 0) + count);
  return [...counts].map(([key, count]) => ({ key, count }));
}
