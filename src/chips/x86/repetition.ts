import type { Core } from './core.ts';
import { Block, type Edge } from './graph/block.ts';
import type { Frame } from './graph/contexts.ts';
import type { Instruction } from './instruction.ts';
import { countIn, fields, setCount, stateWords } from './registers.ts';
import type { RunEnd } from './run-end.ts';
import type { X86Engine } from './x86-engine.ts';

/** Calls under way that are compared; with more nobody waits. */
const mostCalls = 64;

/** What one pass adds to an edge. */
interface Addition {
  readonly edge: Edge;
  readonly count: number;
  readonly returns: number;
  readonly misaligned: number;
}

/**
 * Code that repeats itself: the processor is again as it was, and nothing but the count of instructions has moved on. Whoever
 * asks sees to memory and devices. What further passes would add to the graph is then a multiplication.
 */
export class Repetition {
  readonly #core: Core;
  readonly #engine: X86Engine;
  readonly #run: (until: number) => RunEnd;
  readonly #wires: Core['wires'];
  readonly #before = new Int32Array(stateWords);
  #nodes = new Set<Instruction>();
  #additions: readonly Addition[] = [];
  #length = 0;
  /** An interrupt or fault came, or code was changed. */
  #disturbed = false;

  constructor(core: Core, engine: X86Engine, run: (until: number) => RunEnd) {
    this.#core = core;
    this.#engine = engine;
    this.#run = run;
    this.#wires = core.wires;
  }

  /** Nobody wants to know of single instructions, accesses or interrupts, and no mode makes anything special. */
  get isPossible(): boolean {
    const { words, space, memory, onInterrupt, wires, debug } = this.#core;
    if (this.#engine.question || !this.#engine.breakpoints.addresses.isEmpty || onInterrupt) return false;
    if (memory.isWatched || debug.hasCode || debug.hasData || wires !== this.#wires || !space.plain) return false;
    return words[fields.halted] === 0 && words[fields.interruptLine] === 0 && words[fields.nmiPending] === 0;
  }

  /** Runs until the processor is as it is now: so many instructions later, or 0 where that takes more than `most`. */
  find(most: number, given: () => boolean): number {
    const { words } = this.#core;
    const { tracker } = this.#engine;
    const context = tracker.current;
    const { calls } = context;
    if (calls.depth > mostCalls) return 0;
    const frames = calls.frames();
    this.#before.set(words.subarray(0, stateWords));
    this.#nodes = new Set();
    this.#length = 0;
    return this.#observed(() => {
      for (let length = 1; length <= most; length += 1) {
        if (this.#run(countIn(words) + 1).reason !== 'count' || this.#disturbed || given()) return 0;
        const { lastExecuted } = this.#engine;
        if (lastExecuted === null) return 0;
        this.#nodes.add(lastExecuted);
        if (!this.#isAsBefore()) continue;
        if (tracker.current !== context || !isSame(frames, calls.frames())) return 0;
        this.#length = length;
        return length;
      }
      return 0;
    });
  }

  /** Goes through it once more, and finds out what that adds to the graph. False where it was not the same again. */
  measure(): boolean {
    const { words } = this.#core;
    const { tracker } = this.#engine;
    const { calls } = tracker.current;
    const frames = calls.frames();
    const context = tracker.current;
    const blocks = new Set<Block>();
    for (const { block } of this.#nodes) if (block) blocks.add(block);
    const edges = [...blocks].flatMap(({ out }) => out);
    const entries = [...blocks].map((block) => block.entries);
    const before = edges.map(({ count, returns, misaligned }) => ({ count, returns, misaligned }));
    const rounds = this.#core.extraRounds;
    const isAgain = this.#observed(() => {
      if (this.#run(countIn(words) + this.#length).reason !== 'count' || this.#disturbed) return false;
      return this.#isAsBefore() && tracker.current === context && isSame(frames, calls.frames());
    });
    if (!isAgain) return false;
    if ([...blocks].some((block, index) => !block.alive || block.guarded || block.entries !== entries[index]))
      return false;
    this.#additions = edges.flatMap((edge, index): Addition[] => {
      const old = before[index] as (typeof before)[number];
      const addition = {
        edge,
        count: edge.count - old.count,
        returns: edge.returns - old.returns,
        misaligned: edge.misaligned - old.misaligned,
      };
      return addition.count + addition.returns + addition.misaligned === 0 ? [] : [addition];
    });
    return this.#instructionsCounted() + this.#core.extraRounds - rounds === this.#length;
  }

  /** As if it had run so many times more. */
  skip(times: number): void {
    const { words } = this.#core;
    for (const { edge, count, returns, misaligned } of this.#additions) {
      edge.count += count * times;
      edge.returns += returns * times;
      edge.misaligned += misaligned * times;
    }
    setCount(words, countIn(words) + this.#length * times);
  }

  /** What the edges say that has run: all of it, if none is missing. */
  #instructionsCounted(): number {
    let sum = 0;
    for (const { edge, count } of this.#additions) {
      const { to, type } = edge;
      if (!(to instanceof Block)) return -1;
      if (type === 'normal' || type === 'call') sum += count * to.nodes.length;
    }
    return sum;
  }

  #isAsBefore(): boolean {
    const { words } = this.#core;
    if (words[fields.eip] !== this.#before[fields.eip]) return false;
    for (let index = 0; index < stateWords; index += 1) {
      if (words[index] !== this.#before[index] && index !== fields.countLow && index !== fields.countHigh) return false;
    }
    return true;
  }

  #observed<Result>(work: () => Result): Result {
    const core = this.#core;
    const { memory } = core;
    const { onCodeChange } = memory;
    this.#disturbed = false;
    core.onInterrupt = (_vector, cause) => {
      if (cause !== 'software') this.#disturbed = true;
    };
    memory.onCodeChange = (address) => {
      this.#disturbed = true;
      onCodeChange(address);
    };
    try {
      return work();
    } finally {
      core.onInterrupt = null;
      memory.onCodeChange = onCodeChange;
    }
  }
}

function isSame(one: readonly Frame[], other: readonly Frame[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ edge, returnKey, stackPointer }, index) => {
      const also = other[index] as Frame;
      return edge === also.edge && returnKey === also.returnKey && stackPointer === also.stackPointer;
    })
  );
}
