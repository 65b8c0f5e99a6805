import type { Instruction } from '../instruction.ts';
import { Block, type Edge, type EdgeType, type Selector } from './block.ts';
import { type Census, type CodeGraph, endsBlock } from './code-graph.ts';

/** A way out of a block that was taken `count` times; `selector` from a selector to one of the variants behind it. */
export interface FlowEdge {
  readonly type: EdgeType | 'selector';
  readonly to: FlowBlock;
  readonly count: number;
}

/** A block of the graph as it is read: instructions that ran one after the other, then a selector if one comes next. */
export interface FlowBlock {
  /** What it is known by: its first instruction, or the selector that stands alone. */
  readonly head: Instruction | Selector;
  readonly key: number;
  readonly nodes: readonly Instruction[];
  readonly selector: Selector | null;
  readonly executions: number;
  /** How often execution came here by no edge: at the start, by an interrupt, by a debugger. */
  readonly entries: number;
  readonly out: readonly FlowEdge[];
}

type Spot = Block | Selector;

/** Longer runs of instructions are several blocks: each has to be shown as a whole. */
const longestDrawn = 256;
const spotsAtOnce = 256;

type Drawn = FlowBlock & { readonly out: FlowEdge[] };

/**
 * What has run, in blocks as long as they can be with one way in and one way out, whatever pieces they are executed in.
 * Where interrupts are let in or kept out there is a cut too, as in Spice86.
 */
export function flowBlocks(graph: CodeGraph): FlowBlock[] {
  const drawing = drawFlow(graph);
  for (;;) {
    const { done, value } = drawing.next();
    if (done) return value;
  }
}

/** The same in pieces, for those who have something else to do between them. Nothing may run meanwhile. */
export function* drawFlow(graph: CodeGraph): Generator<void, FlowBlock[]> {
  const spots: Spot[] = [...graph.blocks, ...graph.selectors];
  const census = graph.census();
  const next = new Map<Spot, Spot>();
  for (const [index, spot] of spots.entries()) {
    if (index % spotsAtOnce === 0) yield;
    const follower = spot instanceof Block ? soleSuccessor(spot) : null;
    if (follower) next.set(spot, follower);
  }
  const followers = new Set(next.values());
  const drawn: Drawn[] = [];
  const beginning = new Map<Spot, Drawn>();
  const ends: [from: Drawn, at: Spot][] = [];
  for (const [index, spot] of spots.entries()) {
    if (index % spotsAtOnce === 0) yield;
    if (followers.has(spot)) continue;
    const first = drawn.length;
    const end = draw(spot, next, census, drawn);
    const [head, last] = [drawn[first], drawn.at(-1)];
    if (!head || !last) continue;
    beginning.set(spot, head);
    if (end) ends.push([last, end]);
  }
  for (const [index, [{ out }, { out: edges }]] of ends.entries()) {
    if (index % spotsAtOnce === 0) yield;
    for (const { from, to, type, count } of edges) {
      const target = beginning.get(to);
      if (target && count > 0) out.push({ type: from instanceof Block ? type : 'selector', to: target, count });
    }
  }
  return drawn;
}

/** Draws what begins at a spot, cut where it has to be; gives the spot whose edges leave the last block, if it ran so far. */
function draw(spot: Spot, next: ReadonlyMap<Spot, Spot>, census: Census, drawn: Drawn[]): Spot | null {
  let nodes: Instruction[] = [];
  let before: Drawn | null = null;
  const close = (selector: Selector | null) => {
    const block = blockOf(nodes, selector, census);
    before?.out.push({ type: 'normal', to: block, count: block.executions });
    drawn.push(block);
    before = block;
    nodes = [];
  };
  let end = spot;
  for (let at: Spot | undefined = spot; at; at = next.get(at)) {
    end = at;
    const ran = at instanceof Block ? census.executed(at) : [];
    for (const node of ran) {
      if (isCut(nodes.at(-1), node) || nodes.length >= longestDrawn) close(null);
      nodes.push(node);
    }
    if (at instanceof Block && ran.length < at.nodes.length) {
      if (nodes.length > 0) close(null);
      return null;
    }
  }
  const selector = end instanceof Block ? null : end;
  if (selector && isCut(nodes.at(-1), null)) close(null);
  close(selector);
  return end;
}

/** What always comes next, and never comes but from this block. */
function soleSuccessor({ out, last }: Block): Spot | null {
  if (endsBlock(last) || last.next > 0xffff) return null;
  const edge = soleUsed(out);
  if (edge?.type !== 'normal' || edge.key !== last.space.keyOf(last.cs, last.next)) return null;
  const { to } = edge;
  return to.entries === 0 && soleUsed(to.in) === edge ? to : null;
}

function soleUsed(edges: readonly Edge[]): Edge | null {
  let found: Edge | null = null;
  for (const edge of edges) {
    if (edge.count === 0) continue;
    if (found) return null;
    found = edge;
  }
  return found;
}

/** True where an interrupt may come, or is kept from coming: STI and POPF end a block, CLI and POPF begin one. */
function isCut(before: Instruction | undefined, after: Instruction | null): boolean {
  if (!before) return false;
  const [left, right] = [before.form.mnemonic, after?.form.mnemonic];
  return left === 'sti' || left === 'popf' || right === 'cli' || right === 'popf';
}

function blockOf(nodes: readonly Instruction[], selector: Selector | null, census: Census): Drawn {
  const [first] = nodes;
  if (!first) return alone(selector as Selector);
  const { key, block, position } = first;
  return {
    head: first,
    key,
    nodes,
    selector,
    executions: census.executions(first),
    entries: block && position === 0 ? block.entries : 0,
    out: [],
  };
}

function alone(selector: Selector): Drawn {
  const { key, passes, entries } = selector;
  return { head: selector, key, nodes: [], selector, executions: passes, entries, out: [] };
}
