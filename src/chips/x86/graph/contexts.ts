import type { Edge } from './block.ts';
import type { Position } from './code-graph.ts';

/** Calls deeper than this push the oldest out. */
const deepest = 4096;

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
  readonly #keys = new Int32Array(deepest);
  readonly #stackPointers = new Int32Array(deepest);
  readonly #edges: Edge[] = [];
  depth = 0;

  push(edge: Edge, returnKey: number, stackPointer: number): void {
    if (this.depth === deepest) this.#dropOldest();
    this.#keys[this.depth] = returnKey;
    this.#stackPointers[this.depth] = stackPointer;
    this.#edges[this.depth] = edge;
    this.depth += 1;
  }

  /** The innermost call, when it should return to this address. */
  returningTo(key: number): Edge | null {
    return this.depth > 0 && this.#keys[this.depth - 1] === key ? (this.#edges[this.depth - 1] as Edge) : null;
  }

  /** The innermost call first. */
  frames(): Frame[] {
    return Array.from({ length: this.depth }, (_, index) => this.frame(index)).reverse();
  }

  frame(index: number): Frame {
    return {
      edge: this.#edges[index] as Edge,
      returnKey: this.#keys[index] as number,
      stackPointer: this.#stackPointers[index] as number,
    };
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
  /** Where the context outside stopped; null after a fault, which comes back by its own way. */
  readonly suspended: Position | null;
  /** Stack pointer as the handler found it. */
  readonly stackPointer: number;
  readonly calls: CallStack;
}
