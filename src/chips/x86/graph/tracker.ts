import type { Instruction } from '../instruction.ts';
import { Block, type Edge, type EdgeType, edgeBetween, type Selector } from './block.ts';
import type { CodeGraph, Position } from './code-graph.ts';
import { CallStack, type Context, type ContextCause } from './contexts.ts';

/** Contexts nested deeper than this push the oldest out: handlers that never return. */
const deepestContext = 64;
/** More entries than this are forgotten: handlers that are made up as the program runs. */
const mostEntered = 4096;

const none: readonly Context[] = [];

/** Follows execution through the graph: draws and counts edges, keeps the contexts and their calls. */
export class Tracker {
  readonly #graph: CodeGraph;
  /** Innermost last. */
  #contexts: Context[] = [];
  /** Addresses at which contexts began, and how often. */
  readonly roots = new Map<number, { readonly cause: ContextCause; readonly vector: number; count: number }>();
  /** Where services of the machine send execution when they are done: the starts of programs, handlers of the guest. */
  readonly #entered = new Set<number>();
  /** Another number for each content of that. */
  #entries = 0;

  constructor(graph: CodeGraph) {
    this.#graph = graph;
  }

  get contexts(): readonly Context[] {
    return this.#contexts;
  }

  get current(): Context {
    return this.#contexts[this.#contexts.length - 1] as Context;
  }

  /** Points inside blocks at which contexts were interrupted. */
  positions(): Position[] {
    return this.#contexts.flatMap(({ suspended }) => suspended ?? []);
  }

  /** Begins anew, at an address that no edge leads to. */
  start(cs: number, ip: number, stackPointer: number): Block {
    this.#contexts = [];
    return this.interrupt('start', -1, cs, ip, null, stackPointer);
  }

  /** A service is about to enter code at this address as a call would. */
  expectEntry(cs: number, ip: number): void {
    const key = this.#graph.keyOf(cs, ip);
    if (this.#entered.size < mostEntered && this.#entered.has(key)) return;
    if (this.#entered.size >= mostEntered) this.#entered.clear();
    this.#entered.add(key);
    this.#entries += 1;
  }

  restore(contexts: readonly Context[]): void {
    this.#contexts = [...contexts];
    this.roots.clear();
  }

  /** Execution came to an address by no edge: a debugger moved it there. */
  arrive(cs: number, ip: number): Block {
    const destination = this.#graph.destination(cs, ip);
    destination.entries += 1;
    return this.#graph.enter(destination);
  }

  /** Draws or finds the edge and counts it. Its destination may lie in the middle of the very block it comes from. */
  #follow({ last }: Block, cs: number, ip: number, type: EdgeType, caller?: Instruction): Edge & { from: Block } {
    const destination = this.#graph.destinationFrom(caller ? [last, caller] : [last], cs, ip);
    const edge = edgeBetween(last.block as Block, destination, type);
    // Instructions that were changed may be what they were again.
    if (destination instanceof Block) edge.target = destination;
    edge.count += 1;
    return edge as Edge & { from: Block };
  }

  /** Goes on to the instruction after a block. */
  fallThrough(from: Block, cs: number, ip: number): Block {
    const edge = this.#follow(from, cs, ip, 'normal');
    edge.from.next = edge;
    return this.#graph.enter(edge.to);
  }

  jump(from: Block, cs: number, ip: number): Block {
    const isEntered = from.last.form.mnemonic === 'callback' && from.last.cs !== cs;
    const edge = this.#follow(from, cs, ip, isEntered ? 'call' : 'normal');
    edge.from.taken = edge;
    return this.#graph.enter(edge.to);
  }

  call(from: Block, cs: number, ip: number, stackPointer: number): Block {
    const edge = this.#follow(from, cs, ip, 'call');
    edge.from.taken = edge;
    this.current.calls.push(edge, edge.from.returnKey, stackPointer);
    return this.#graph.enter(edge.to);
  }

  /** A return that did not simply take the way of the innermost call. */
  return(from: Block, cs: number, ip: number, stackPointer: number): Block {
    const { calls } = this.current;
    calls.abandonBelow(stackPointer);
    const key = this.#graph.keyOf(cs, ip);
    const matching = calls.returningTo(key) ?? calls.cutTo(key, stackPointer);
    if (matching) {
      calls.depth -= 1;
      return this.#returned(from, matching, cs, ip);
    }
    const top = calls.depth > 0 ? calls.frame(calls.depth - 1) : null;
    const caller = top && top.stackPointer === stackPointer ? callerOf(top.edge) : undefined;
    const edge = this.#follow(from, cs, ip, !caller && this.#entered.has(key) ? 'call' : 'normal', caller);
    edge.from.taken = edge;
    if (top && caller?.block) {
      calls.depth -= 1;
      top.edge.misaligned += 1;
      this.#drawReturn(caller.block, edge.to, 'misaligned-return');
    }
    return this.#graph.enter(edge.to);
  }

  /** A return that belongs to no call, as programs jump by it, on a way that it has taken before; null where it has to be looked at. */
  jumpByReturn(from: Block, key: number, stackPointer: number): Block | null {
    if (this.current.calls.concerns(key, stackPointer)) return null;
    const edge = from.find(key);
    const target = edge?.target;
    if (!target || (edge.entries !== this.#entries && !this.#goesWithEntries(edge))) return null;
    if (!this.#graph.isCurrent(target)) return null;
    edge.count += 1;
    return target;
  }

  /** Its type is the one it would be drawn with now. */
  #goesWithEntries(edge: Edge): boolean {
    if ((edge.type === 'call') !== this.#entered.has(edge.key)) return false;
    edge.entries = this.#entries;
    return true;
  }

  /** A return to where the innermost call came from, when its edges are not drawn yet. */
  #returned(from: Block, call: Edge, cs: number, ip: number): Block {
    const caller = callerOf(call);
    const edge = this.#follow(from, cs, ip, 'normal', caller);
    edge.from.taken = edge;
    call.returns += 1;
    if (caller?.block) caller.block.returned = this.#drawReturn(caller.block, edge.to, 'call-to-return');
    return this.#graph.enter(edge.to);
  }

  #drawReturn(call: Block, to: Block | Selector, type: EdgeType): Edge {
    const edge = edgeBetween(call, to, type);
    edge.count += 1;
    return edge;
  }

  /** True when a call of this context should return here. */
  returnsWithin(cs: number, ip: number, stackPointer: number): boolean {
    return this.current.calls.concerns(this.#graph.keyOf(cs, ip), stackPointer);
  }

  interrupt(
    cause: ContextCause,
    vector: number,
    cs: number,
    ip: number,
    suspended: Position | null,
    stackPointer: number,
  ): Block {
    this.#push(cause, vector, cs, ip, suspended, stackPointer);
    return this.arrive(cs, ip);
  }

  /** A fault: the handler runs in a context of its own, but an edge shows what it came from. */
  fault(node: Instruction, vector: number, cs: number, ip: number, stackPointer: number): Block {
    this.#graph.cutAfter(node);
    const from = node.block as Block;
    this.#push('fault', vector, cs, ip, { block: from, after: node }, stackPointer);
    return this.#graph.enter(this.#follow(from, cs, ip, 'cpu-fault').to);
  }

  /** Back from a fault, to the instruction that faulted or wherever its handler wants: drawn as the return of a call. */
  returnFromFault(from: Block, fault: Context, cs: number, ip: number): Block {
    const faulted = fault.suspended?.after ?? undefined;
    const edge = this.#follow(from, cs, ip, 'normal', faulted);
    if (faulted?.block) this.#drawReturn(faulted.block, edge.to, 'call-to-return');
    return this.#graph.enter(edge.to);
  }

  /** Ends the context that an IRET with this stack pointer returns from: that one, and those inside it. */
  leave(stackPointer: number): readonly Context[] {
    const contexts = this.#contexts;
    const innermost = contexts.length - 1;
    let index = innermost;
    while (index > 0 && contexts[index]?.stackPointer !== stackPointer) index -= 1;
    if (index <= 0) return none;
    // Mostly one, and often: a splice would make the next context find room anew.
    return index === innermost ? [contexts.pop() as Context] : contexts.splice(index);
  }

  #push(
    cause: ContextCause,
    vector: number,
    cs: number,
    ip: number,
    suspended: Position | null,
    stackPointer: number,
  ): void {
    if (this.#contexts.length === deepestContext) this.#contexts.splice(1, 1);
    const entry = this.#graph.keyOf(cs, ip);
    const root = this.roots.get(entry);
    if (root) root.count += 1;
    else this.roots.set(entry, { cause, vector, count: 1 });
    this.#contexts.push({ cause, vector, entry, suspended, stackPointer, calls: new CallStack() });
  }
}

/** The instruction that made a call. */
function callerOf({ from }: Edge): Instruction | undefined {
  return from instanceof Block ? from.last : undefined;
}
