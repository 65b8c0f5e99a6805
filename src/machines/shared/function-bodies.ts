import type { CodePlace } from '../../machine/functions.ts';
import type { Block, EdgeType, FlowGraph } from '../../machine/graph.ts';
import type { TimeSlice } from './time-slice.ts';

/** Edges that stay inside a function. Calls, faults and returns leave it. */
const inside: readonly EdgeType[] = ['normal', 'call-to-return', 'misaligned-return', 'selector'];
/** What only ever goes to an address that was pushed is a jump; where others return, that address is another one's. */
const insideBesideReturns = inside.filter((type) => type !== 'misaligned-return');

/**
 * The one rule for what belongs to a function: everything reached from its entry without calling, faulting or
 * returning, up to where another function begins.
 */
export class FunctionBodies<Known extends CodePlace & { readonly calls: number }> {
  readonly #graph: FlowGraph;
  readonly #byWhere = new Map<string, Block[]>();
  readonly #entries: ReadonlyMap<string, Known>;

  constructor(graph: FlowGraph, functions: readonly Known[]) {
    this.#graph = graph;
    this.#entries = new Map(functions.map((each) => [each.where, each]));
    for (const block of graph.blocks.values()) {
      const here = this.#byWhere.get(block.where);
      if (here) here.push(block);
      else this.#byWhere.set(block.where, [block]);
    }
  }

  /** The blocks of a function, its entry first; none when it has not run. */
  of({ where }: CodePlace): readonly Block[] {
    return this.from(this.#byWhere.get(where) ?? []);
  }

  /** Everything that belongs together with these blocks from there on. */
  from(start: readonly Block[]): readonly Block[] {
    const body = new Map(start.map((block) => [block.id, block]));
    const begins = new Set(start.map(({ where }) => where));
    for (const block of body.values()) {
      const staying = block.edges.some(({ type }) => type === 'return') ? insideBesideReturns : inside;
      for (const { type, to } of block.edges) {
        const next = staying.includes(type) ? this.#graph.blocks.get(to) : undefined;
        if (next && (begins.has(next.where) || !this.#entries.has(next.where))) body.set(to, next);
      }
    }
    return [...body.values()];
  }

  /** The function that each block belongs to, by the block's id: of several that share it the one that is called most. */
  async owners(slice: TimeSlice): Promise<ReadonlyMap<number, Known>> {
    const owners = new Map<number, Known>();
    const falling = [...this.#entries.values()].sort((a, b) => b.calls - a.calls);
    for (const each of falling) {
      if (slice.isOver) await slice.next();
      for (const { id } of this.of(each)) if (!owners.has(id)) owners.set(id, each);
    }
    return owners;
  }
}
