import type { Instruction } from '../instruction.ts';
import type { Block, Edge, Selector } from './block.ts';
import type { CodeGraph } from './code-graph.ts';
import type { ContextCause } from './contexts.ts';
import type { Tracker } from './tracker.ts';

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
}

type Spot = Block | Selector;

/** The catalogue of functions, out of the graph's edges: keeping it costs nothing while code runs. */
export function listFunctions(graph: CodeGraph, tracker: Tracker): CodeFunction[] {
  const entries = new Map<number, Spot[]>();
  for (const spot of [...graph.blocks, ...graph.selectors]) {
    const called = spot.in.some(({ type, count }) => type === 'call' && count > 0);
    if (called || tracker.roots.has(spot.key)) entries.set(spot.key, [...(entries.get(spot.key) ?? []), spot]);
  }
  return [...entries].map(([key, spots]): CodeFunction => {
    const calls = spots.flatMap((spot) => spot.in.filter(({ type }) => type === 'call'));
    const root = tracker.roots.get(key);
    return {
      key,
      cause: root?.cause ?? 'call',
      vector: root?.vector ?? -1,
      calls: sum(calls, 'count') + (root?.count ?? 0),
      returns: sum(calls, 'returns'),
      misalignedReturns: sum(calls, 'misaligned'),
    };
  });
}

/** True for instructions that end a function: where they lead to belongs to another one. */
export function isReturn({ form: { mnemonic } }: Instruction): boolean {
  return mnemonic === 'ret' || mnemonic === 'retf' || mnemonic === 'iret';
}

function sum(edges: readonly Edge[], what: 'count' | 'returns' | 'misaligned'): number {
  return edges.reduce((total, edge) => total + edge[what], 0);
}
