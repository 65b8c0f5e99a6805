import type { Instruction } from '../instruction.ts';
import { Block, type Edge, type Selector } from './block.ts';
import type { CodeGraph, Position } from './code-graph.ts';
import { CallStack, type Context } from './contexts.ts';
import type { Tracker } from './tracker.ts';

type Spot = Block | Selector;

/**
 * Counts, contexts and calls at one moment. The graph itself is not part of it: what has been learnt since stays known,
 * and had been executed no times.
 */
export interface GraphMoment {
  /** The graph it speaks of. */
  readonly of: object;
  readonly edges: readonly Edge[];
  /** Three for each edge: taken, returned, returned elsewhere. */
  readonly counts: Float64Array;
  /** Blocks, with the instructions they had then, and selectors. */
  readonly spots: readonly Spot[];
  readonly nodes: readonly (readonly Instruction[])[];
  /** Two for each spot: entries by no edge, passes. */
  readonly visits: Float64Array;
  readonly contexts: readonly Context[];
  readonly roots: Tracker['roots'];
  readonly here: Position | null;
}

const none: readonly Instruction[] = [];
/** In the place of a count, of an edge that the moment does not speak of. */
const unknown = -1;

/** Blocks only ever lose instructions at their end: a list of the same length is the same list. */
const knownNodes = new WeakMap<Block, readonly Instruction[]>();

export function saveMoment(of: object, graph: CodeGraph, tracker: Tracker, here: Position | null): GraphMoment {
  const spots = spotsOf(graph);
  const edges: Edge[] = [];
  const visits = new Float64Array(spots.length * 2);
  const nodes: (readonly Instruction[])[] = [];
  // Plain loops, here and below: a graph has ten thousand blocks, and is saved often.
  for (let index = 0; index < spots.length; index += 1) {
    const spot = spots[index] as Spot;
    for (const edge of spot.out) edges.push(edge);
    visits[index * 2] = spot.entries;
    visits[index * 2 + 1] = spot.passes;
    nodes.push(spot instanceof Block ? nodesOf(spot) : none);
  }
  const counts = new Float64Array(edges.length * 3);
  for (let index = 0; index < edges.length; index += 1) {
    const edge = edges[index] as Edge;
    counts[index * 3] = edge.count;
    counts[index * 3 + 1] = edge.returns;
    counts[index * 3 + 2] = edge.misaligned;
  }
  const contexts = tracker.contexts.map(copied);
  return { of, edges, counts, spots, nodes, visits, contexts, roots: copiedRoots(tracker.roots), here };
}

/** Brings the counts of a moment back into the graph it was taken of; gives the place at which execution was. */
export function restoreMoment(moment: GraphMoment, graph: CodeGraph, tracker: Tracker): Position | null {
  const { edges, counts, spots, visits } = moment;
  const present = spotsOf(graph);
  for (const spot of present) {
    spot.entries = 0;
    for (const edge of spot.out) edge.count = unknown;
  }
  for (let index = 0; index < edges.length; index += 1) {
    const edge = edges[index] as Edge;
    edge.count = plain(counts[index * 3]);
    edge.returns = plain(counts[index * 3 + 1]);
    edge.misaligned = plain(counts[index * 3 + 2]);
  }
  for (let index = 0; index < spots.length; index += 1) {
    (spots[index] as Spot).entries = plain(visits[index * 2]);
  }
  const since: Edge[] = [];
  for (const spot of present) {
    for (const edge of spot.out) {
      if (edge.count !== unknown) continue;
      edge.count = 0;
      edge.returns = 0;
      edge.misaligned = 0;
      since.push(edge);
    }
  }
  if (since.length > 0) countDivided(moment, since);
  tracker.restore(moment.contexts.map(copied));
  for (const [key, root] of copiedRoots(moment.roots)) tracker.roots.set(key, root);
  return moment.here;
}

/**
 * Blocks that have been cut since, or come to lie behind a selector, have edges where there were none: they get the
 * passes that went that way unseen.
 */
function countDivided(moment: GraphMoment, since: readonly Edge[]): void {
  const then = new BlocksThen(moment);
  const counted = new Set<Instruction>();
  const selectors = new Set(moment.spots.filter((spot) => !(spot instanceof Block)));
  for (const edge of since) {
    const { from, to, type, key } = edge;
    if (!(from instanceof Block)) {
      if (to instanceof Block && !selectors.has(from)) edge.count = then.arrivals(to.first);
      continue;
    }
    const next = type === 'normal' ? then.after(from.last) : undefined;
    if (!next || counted.has(next) || next.key !== key) continue;
    if (to instanceof Block && to.first !== next) continue;
    counted.add(next);
    edge.count = then.executions(next);
  }
}

/** The blocks as they were. */
class BlocksThen {
  readonly #moment: GraphMoment;
  readonly #places = new Map<Instruction, { readonly spot: number; readonly at: number }>();
  /** How far execution had come in blocks that were under way. */
  readonly #underWay: readonly { readonly spot: number; readonly at: number }[];

  constructor(moment: GraphMoment) {
    this.#moment = moment;
    moment.nodes.forEach((nodes, spot) => {
      nodes.forEach((node, at) => {
        this.#places.set(node, { spot, at });
      });
    });
    const positions = [...moment.contexts.flatMap(({ suspended }) => suspended ?? []), moment.here ?? []].flat();
    this.#underWay = positions.flatMap(({ block, after }) => {
      const place = this.#places.get(after ?? block.first);
      return place ? { spot: place.spot, at: after ? place.at : -1 } : [];
    });
  }

  /** What came next in the same block. */
  after(node: Instruction): Instruction | undefined {
    const place = this.#places.get(node);
    return place && this.#moment.nodes[place.spot]?.[place.at + 1];
  }

  executions(node: Instruction): number {
    const place = this.#places.get(node);
    if (!place) return 0;
    const waiting = this.#underWay.filter(({ spot, at }) => spot === place.spot && at < place.at).length;
    return this.#passes(place.spot) - waiting;
  }

  /** By edges, or from the instruction before it. */
  arrivals(node: Instruction): number {
    const place = this.#places.get(node);
    if (place?.at !== 0) return this.executions(node);
    return this.#passes(place.spot) - this.#moment.visits[place.spot * 2];
  }

  #passes(spot: number): number {
    return this.#moment.visits[spot * 2 + 1];
  }
}

/** What comes out of an array of floating-point numbers is one of them to V8, and makes all edges into something slower. */
function plain(count: number): number {
  const whole = count | 0;
  return whole === count ? whole : count;
}

/** Selectors are found by their edges, which each of them has. */
function spotsOf(graph: CodeGraph): Spot[] {
  const selectors = new Set<Selector>();
  for (const block of graph.blocks) {
    for (const { from } of block.in) if (!(from instanceof Block)) selectors.add(from);
  }
  return [...graph.blocks, ...selectors];
}

function nodesOf(block: Block): readonly Instruction[] {
  const known = knownNodes.get(block);
  if (known?.length === block.nodes.length) return known;
  const nodes = [...block.nodes];
  knownNodes.set(block, nodes);
  return nodes;
}

function copied({ calls, ...context }: Context): Context {
  const copy = new CallStack();
  for (let index = 0; index < calls.depth; index += 1) {
    const { edge, returnKey, stackPointer } = calls.frame(index);
    copy.push(edge, returnKey, stackPointer);
  }
  return { ...context, calls: copy };
}

function copiedRoots(roots: Tracker['roots']): Tracker['roots'] {
  return new Map([...roots].map(([key, root]) => [key, { ...root }]));
}

/** Of no graph: whoever restores it begins a new one. */
export function momentOfNothing(): GraphMoment {
  const nothing = new Float64Array();
  const [contexts, roots] = [[], new Map()];
  return { of: {}, edges: [], counts: nothing, spots: [], nodes: [], visits: nothing, contexts, roots, here: null };
}
