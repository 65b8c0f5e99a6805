import type { CodePlace } from './functions.ts';
import type { Block, EdgeType, FlowGraph } from './graph.ts';

/** Edges that stay inside a function. Calls, faults and returns leave it. */
const inside: readonly EdgeType[] = ['normal', 'call-to-return', 'misaligned-return', 'selector'];

/**
 * The one rule for what belongs to a function: everything reached from its entry without calling, faulting or
 * returning, up to where another function begins.
 */
export class FunctionBodies<Known extends CodePlace> {
  readonly #graph: FlowGraph;
  readonly #byWhere = new Map<string, Block[]>();
  readonly #entries: ReadonlyMap<string, Known>;
  readonly #bodies = new Map<string, readonly Block[]>();
  #owners: ReadonlyMap<number, readonly Known[]> | undefined;

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
    const known = this.#bodies.get(where);
    if (known) return known;
    const body = this.from(this.#byWhere.get(where) ?? []);
    this.#bodies.set(where, body);
    return body;
  }

  /** Everything that belongs together with these blocks from there on. */
  from(start: readonly Block[]): readonly Block[] {
    const body = new Map(start.map((block) => [block.id, block]));
    const begins = new Set(start.map(({ where }) => where));
    for (const block of body.values()) {
      for (const { type, to } of block.edges) {
        const next = inside.includes(type) ? this.#graph.blocks.get(to) : undefined;
        if (next && (begins.has(next.where) || !this.#entries.has(next.where))) body.set(to, next);
      }
    }
    return [...body.values()];
  }

  /** The functions a block belongs to: several may share the code they jump to. */
  owners({ id }: Block): readonly Known[] {
    this.#owners ??= this.#findOwners();
    return this.#owners.get(id) ?? [];
  }

  #findOwners(): ReadonlyMap<number, readonly Known[]> {
    const owners = new Map<number, Known[]>();
    for (const each of this.#entries.values()) {
      for (const { id } of this.of(each)) {
        const known = owners.get(id);
        if (known) known.push(each);
        else owners.set(id, [each]);
      }
    }
    return owners;
  }
}
