import type { Region, Written } from '../compile.ts';
import type { Instruction } from '../instruction.ts';

export type EdgeType = 'normal' | 'call' | 'call-to-return' | 'misaligned-return' | 'cpu-fault';

/** A way from one block to another that was taken `count` times. */
export class Edge {
  from: Block | Selector;
  to: Block | Selector;
  readonly type: EdgeType;
  count = 0;
  /** Of a call: how often it came back where it should. */
  returns = 0;
  /** Of a call: how often it came back elsewhere. */
  misaligned = 0;
  /** Of a call: the way of the return that last came back from it. */
  back: Edge | null = null;
  /** Where execution may go at once; null when it has to look first. */
  target: Block | null;
  /** Address the edge leads to. */
  readonly key: number;
  /** Of a return: which entries of the tracker its type is known to go with. */
  entries = -1;

  constructor(from: Block | Selector, to: Block | Selector, type: EdgeType) {
    this.from = from;
    this.to = to;
    this.type = type;
    this.key = to.key;
    this.target = to instanceof Block ? to : null;
  }
}

/** Instructions that run one after the other; the unit of execution, and of the graph. */
export class Block {
  readonly nodes: Instruction[];
  /** Edges last used: to the instruction after the block, and to elsewhere. */
  next: Edge | null = null;
  taken: Edge | null = null;
  /** From a call to the place it returned to. */
  returned: Edge | null = null;
  readonly out: Edge[] = [];
  readonly in: Edge[] = [];
  /** How often execution came here by no edge: at the start, by an interrupt, by a debugger. */
  entries = 0;
  /** False when the bytes in memory are others: the block is kept as what ran once. */
  alive = true;
  /** Its bytes change often: nobody watches them, and whoever comes here compares them first. It has one instruction. */
  guarded = false;
  comparisons = 0;
  /** How often it was interpreted, and what it was compiled into after that. */
  heat = 0;
  region: Region | null = null;
  /** What was last compiled because of it. */
  written: Written | null = null;
  slot = 0;
  /** Where the segments began when it was first entered, and when it was first left: what absolute operands mean. */
  bases: Int32Array | null = null;
  basesAfter: Int32Array | null = null;
  readonly #byKey = new Map<number, Edge>();

  constructor(nodes: Instruction[]) {
    this.nodes = nodes;
    this.adopt();
  }

  /** Tells the nodes where they are. */
  adopt(): void {
    this.nodes.forEach((node, position) => {
      node.block = this;
      node.position = position;
    });
  }

  /** The edge to an address that may be taken at once; null when there is none. */
  find(key: number): Edge | null {
    const { taken } = this;
    if (taken !== null && taken.key === key && taken.target !== null) return taken;
    let edge = this.#byKey.get(key) ?? null;
    if (edge === null || edge.target === null || edge.from !== this) {
      edge = this.out.find((other) => other.key === key && other.target !== null && isWay(other)) ?? null;
      if (edge === null) return null;
      this.#byKey.set(key, edge);
    }
    this.taken = edge;
    return edge;
  }

  get first(): Instruction {
    return this.nodes[0] as Instruction;
  }

  get last(): Instruction {
    return this.nodes[this.nodes.length - 1] as Instruction;
  }

  get key(): number {
    return this.first.key;
  }

  /** Where a call in its last instruction should return to. */
  get returnKey(): number {
    const { cs, next, space } = this.last;
    return space.keyOf(cs, space.wrap(next));
  }

  /** How often execution came here. */
  get passes(): number {
    return arrivals(this);
  }
}

/** Edges from a call to its return are not ways: the return's own edge is counted. */
function arrivals(place: Block | Selector): number {
  let sum = place.entries;
  for (const edge of place.in) if (isArrival(edge)) sum += edge.count;
  return sum;
}

function isArrival({ type }: Edge): boolean {
  return type !== 'call-to-return' && type !== 'misaligned-return';
}

function isWay({ type }: Edge): boolean {
  return type === 'normal' || type === 'call';
}

/** Stands where programs change opcodes: looks at memory and goes to the variant that lies there. */
export class Selector {
  readonly key: number;
  readonly variants: Instruction[];
  readonly out: Edge[] = [];
  readonly in: Edge[] = [];
  entries = 0;

  constructor(key: number, variants: Instruction[]) {
    this.key = key;
    this.variants = variants;
  }

  get passes(): number {
    return arrivals(this);
  }
}

/** Puts a selector before a block: every way there leads through it from now on. */
export function leadThrough(selector: Selector, block: Block): void {
  const ways = block.in.splice(0);
  let passes = 0;
  for (const edge of ways) {
    edge.to = selector;
    edge.target = null;
    selector.in.push(edge);
    if (isArrival(edge)) passes += edge.count;
  }
  edgeBetween(selector, block, 'normal').count += passes;
}

/** Finds the edge of that kind, or draws it. */
export function edgeBetween(from: Block | Selector, to: Block | Selector, type: EdgeType): Edge {
  const known = from.out.find((edge) => edge.to === to && edge.type === type);
  if (known) return known;
  const edge = new Edge(from, to, type);
  from.out.push(edge);
  to.in.push(edge);
  return edge;
}
