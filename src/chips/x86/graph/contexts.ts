import type { Edge } from './block.ts';
import type { Position } from './code-graph.ts';

/** Calls deeper than this push the oldest out. */
const deepest = 4096;
const usualDepth = 16;
const noKeys = new Float64Array(0);
const noPointers = new Uint32Array(0);

/** One call under way. */
export interface Frame {
  readonly edge: Edge;
  /** Address it should return to. */
  readonly returnKey: number;
  /** Stack pointer with the return address on top. */
  readonly stackPointer: number;
}

/** The calls under way, as the processor made them: the stack in memory may say otherwise. */
export class CallStack {
  // Contexts come and go with each interrupt and fault, most without a call.
  #keys = noKeys;
  #stackPointers = noPointers;
  readonly #edges: Edge[] = [];
  depth = 0;

  push(edge: Edge, returnKey: number, stackPointer: number): void {
    if (this.depth === this.#keys.length) this.#makeRoom();
    this.#keys[this.depth] = returnKey;
    this.#stackPointers[this.depth] = stackPointer;
    this.#edges[this.depth] = edge;
    this.depth += 1;
  }

  /** The innermost call, when it should return to this address. */
  returningTo(key: number): Edge | null {
    return this.depth > 0 && this.#keys[this.depth - 1] === key ? (this.#edges[this.depth - 1] as Edge) : null;
  }

  /** True for a return that is one of a call under way, to this address or to another. Calls that it has left behind go. */
  concerns(key: number, stackPointer: number): boolean {
    if (this.depth === 0) return false;
    this.abandonBelow(stackPointer);
    const innermost = this.depth - 1;
    if (this.#stackPointers[innermost] === stackPointer || this.#keys[innermost] === key) return true;
    return this.#indexOf(key, stackPointer) >= 0;
  }

  /** The call that should return to this address with this stack pointer, after leaving those made inside it. */
  cutTo(key: number, stackPointer: number): Edge | null {
    const index = this.#indexOf(key, stackPointer);
    if (index < 0) return null;
    this.depth = index + 1;
    return this.#edges[index] as Edge;
  }

  /** The innermost call first. */
  frames(): Frame[] {
    return Array.from({ length: this.depth }, (_, index) => this.frame(index)).reverse();
  }

  /** Calls whose return address lies below the stack pointer will not return: they go, if one is left that lies there. */
  abandonBelow(stackPointer: number): void {
    const pointers = this.#stackPointers;
    let { depth } = this;
    while (depth > 0 && pointers[depth - 1] < stackPointer) depth -= 1;
    if (depth > 0 && pointers[depth - 1] === stackPointer) this.depth = depth;
  }

  frame(index: number): Frame {
    return {
      edge: this.#edges[index] as Edge,
      returnKey: this.#keys[index],
      stackPointer: this.#stackPointers[index],
    };
  }

  #indexOf(key: number, stackPointer: number): number {
    let index = this.depth - 1;
    while (index >= 0 && (this.#keys[index] !== key || this.#stackPointers[index] !== stackPointer)) index -= 1;
    return index;
  }

  #makeRoom(): void {
    const { length } = this.#keys;
    if (length === deepest) this.#dropOldest();
    else {
      const room = Math.max(usualDepth, length * 2);
      const [keys, pointers] = [new Float64Array(room), new Uint32Array(room)];
      keys.set(this.#keys);
      pointers.set(this.#stackPointers);
      this.#keys = keys;
      this.#stackPointers = pointers;
    }
  }

  #dropOldest(): void {
    const half = deepest / 2;
    this.#keys.copyWithin(0, half);
    this.#stackPointers.copyWithin(0, half);
    this.#edges.splice(0, half);
    this.depth = half;
  }
}

/** Why a context began. */
export type ContextCause = 'start' | 'interrupt' | 'fault';

/** What runs between an interrupt or fault and the return from it; the first one is the program itself. */
export interface Context {
  readonly cause: ContextCause;
  /** Interrupt vector; -1 for the program itself. */
  readonly vector: number;
  /** Address it began at. */
  readonly entry: number;
  /** Where the context outside stopped: between two instructions, or after the one that faulted. */
  readonly suspended: Position | null;
  /** Where the frame lies that its return takes from the stack. */
  readonly stackPointer: number;
  readonly calls: CallStack;
}
