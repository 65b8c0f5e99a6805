import type { CodeSpace, CodeSpaces, SpaceTraits } from '../code-space.ts';
import { Decoder } from '../decode.ts';
import type { Instruction } from '../instruction.ts';
import type { Model } from '../models.ts';
import { Block, type EdgeType, edgeBetween, type Selector } from './block.ts';
import type { CodeGraph, Position } from './code-graph.ts';
import { CallStack, type ContextCause } from './contexts.ts';
import type { Tracker } from './tracker.ts';

interface SavedPosition {
  readonly block: number;
  readonly after: number;
}

/** A graph as plain data. Nodes, blocks (then selectors) and edges refer to each other by number. */
export interface SavedGraph {
  readonly nodes: readonly {
    readonly space: number;
    readonly cs: number;
    readonly ip: number;
    readonly bytes: Uint8Array;
    readonly live: boolean;
    readonly current: boolean;
    readonly wild: readonly number[];
  }[];
  readonly blocks: readonly { readonly nodes: readonly number[]; readonly entries: number; readonly alive: boolean }[];
  readonly selectors: readonly { readonly key: number; readonly entries: number }[];
  /** All but the first, which is real mode. */
  readonly spaces: readonly SpaceTraits[];
  readonly edges: readonly {
    readonly from: number;
    readonly to: number;
    readonly type: EdgeType;
    readonly count: number;
    readonly returns: number;
    readonly misaligned: number;
  }[];
  readonly contexts: readonly {
    readonly cause: ContextCause;
    readonly vector: number;
    readonly entry: number;
    readonly stackPointer: number;
    readonly suspended: SavedPosition | null;
    readonly calls: readonly { readonly edge: number; readonly returnKey: number; readonly stackPointer: number }[];
  }[];
  readonly roots: readonly (readonly [
    number,
    { readonly cause: ContextCause; readonly vector: number; readonly count: number },
  ])[];
  readonly here: SavedPosition | null;
}

type Spot = Block | Selector;

export function saveGraph(graph: CodeGraph, tracker: Tracker, spaces: CodeSpaces, here: Position | null): SavedGraph {
  const blocks = [...graph.blocks];
  const { selectors } = graph;
  const spots: Spot[] = [...blocks, ...selectors];
  const nodes = blocks.flatMap((block) => block.nodes);
  const edges = spots.flatMap((spot) => spot.out);
  const numberOf = new Map<unknown, number>([
    ...nodes.map((node, index): [unknown, number] => [node, index]),
    ...spots.map((spot, index): [unknown, number] => [spot, index]),
    ...edges.map((edge, index): [unknown, number] => [edge, index]),
  ]);
  const number = (thing: unknown) => numberOf.get(thing) ?? -1;
  const position = (at: Position) => ({ block: number(at.block), after: at.after ? number(at.after) : -1 });
  return {
    nodes: nodes.map((node) => ({
      space: node.space.id,
      cs: node.cs,
      ip: node.ip,
      bytes: node.bytes,
      live: node.live,
      current: graph.isCurrentNode(node),
      wild: node.wild.map(({ offset }) => offset),
    })),
    blocks: blocks.map((block) => ({ nodes: block.nodes.map(number), entries: block.entries, alive: block.alive })),
    selectors: selectors.map(({ key, entries }) => ({ key, entries })),
    spaces: spaces.saved(),
    edges: edges.map(({ from, to, type, count, returns, misaligned }) => ({
      from: number(from),
      to: number(to),
      type,
      count,
      returns,
      misaligned,
    })),
    contexts: tracker.contexts.map(({ cause, vector, entry, stackPointer, suspended, calls }) => ({
      cause,
      vector,
      entry,
      stackPointer,
      suspended: suspended ? position(suspended) : null,
      calls: calls
        .frames()
        .reverse()
        .map((frame) => ({ edge: number(frame.edge), returnKey: frame.returnKey, stackPointer: frame.stackPointer })),
    })),
    roots: [...tracker.roots].map(([key, root]) => [key, { ...root }]),
    here: here ? position(here) : null,
  };
}

/** Rebuilds a graph in an empty one; gives the place at which execution was. */
export function restoreGraph(
  saved: SavedGraph,
  model: Model,
  graph: CodeGraph,
  tracker: Tracker,
  spaces: CodeSpaces,
): Position | null {
  for (const traits of saved.spaces) spaces.find(traits);
  const nodes = saved.nodes.map(({ space, cs, ip, bytes, live, current, wild }) => {
    const node = decodeBytes(model, spaces.at(space), cs, ip, bytes);
    node.live = live;
    node.wild = node.fields.filter(({ offset }) => wild.includes(offset));
    graph.adopt(node, current);
    return node;
  });
  const blocks = saved.blocks.map(({ nodes: members, entries, alive }) => {
    const block = new Block(members.map((index) => nodes[index] as Instruction));
    block.entries = entries;
    block.alive = alive;
    graph.adoptBlock(block);
    return block;
  });
  const selectors = saved.selectors.map(({ key, entries }) => {
    const selector = graph.adoptSelector(key);
    selector.entries = entries;
    return selector;
  });
  const spots: Spot[] = [...blocks, ...selectors];
  const edges = saved.edges.map(({ from, to, type, count, returns, misaligned }) => {
    const destination = spots[to] as Spot;
    const edge = edgeBetween(spots[from] as Spot, destination, type);
    Object.assign(edge, { count, returns, misaligned });
    if (destination instanceof Block && !destination.alive) edge.target = null;
    return edge;
  });
  const position = ({ block, after }: SavedPosition): Position => ({
    block: blocks[block] as Block,
    after: after < 0 ? null : (nodes[after] as Instruction),
  });
  tracker.restore(
    saved.contexts.map(({ suspended, calls, ...context }) => {
      const stack = new CallStack();
      for (const { edge, returnKey, stackPointer } of calls) {
        const known = edges[edge];
        if (known) stack.push(known, returnKey, stackPointer);
      }
      return { ...context, suspended: suspended ? position(suspended) : null, calls: stack };
    }),
  );
  for (const [key, root] of saved.roots) tracker.roots.set(key, { ...root });
  return saved.here ? position(saved.here) : null;
}

function decodeBytes(model: Model, space: CodeSpace, cs: number, ip: number, bytes: Uint8Array): Instruction {
  const first = space.linear(cs, ip);
  const mask = space.wide ? -1 : 0xffff;
  // What was cut off by a page that was not there is so again.
  const rest = bytes.length === 0 ? -1 : 0;
  return new Decoder(model, (linear) => bytes[(linear - first) & mask] ?? rest).decode(cs, ip, space);
}
