import type { Core } from './core.ts';
import type { Instruction } from './instruction.ts';
import type { BeforeEach, Question } from './interpreter.ts';
import { dependsOn } from './touches.ts';

type Condition = () => number;
type Watcher = (instruction: Instruction) => void;

/** What it costs at least to ask somebody before each instruction, in rounds of a string instruction. */
const hookRounds = 20;
/** Calls after which V8 has taken note of what is called. */
const enoughCalls = 400;

/**
 * Who is asked before instructions. The functions that the interpreter calls stay the same whoever that is: V8 compiles its
 * loop for the function that it has seen there, which takes half a second, and anew when another one comes.
 */
export class Questions {
  readonly #core: Core;
  #watch: Watcher = noWatcher;
  #holds: Condition = never;
  /** A run has just begun, and may begin where the condition holds. */
  isLeaving = false;
  readonly #ofWatcher: BeforeEach;
  readonly #ofCondition: BeforeEach;
  readonly #ofBoth: BeforeEach;

  constructor(core: Core) {
    this.#core = core;
    this.#ofWatcher = (instruction) => {
      core.tire(hookRounds);
      this.#watch(instruction);
      return 0;
    };
    this.#ofCondition = () => {
      core.tire(hookRounds);
      const isFirst = this.isLeaving;
      this.isLeaving = false;
      return isFirst ? 0 : this.#holds();
    };
    this.#ofBoth = (instruction) => {
      if (this.#ofCondition(instruction) !== 0) return 1;
      this.#watch(instruction);
      return 0;
    };
    this.#prepare();
  }

  /** What the interpreter has to ask; null for nothing. */
  of(watch: Watcher | null, holds: Condition | null, depends: number): Question | null {
    this.#watch = watch ?? noWatcher;
    this.#holds = holds ?? never;
    if (!holds) return watch && { ask: this.#ofWatcher, about: dependsOn.anything };
    return watch ? { ask: this.#ofBoth, about: dependsOn.anything } : { ask: this.#ofCondition, about: depends };
  }

  /** Shows V8 that conditions and watchers are not always the same ones. */
  #prepare(): void {
    const conditions = [never, () => this.#core.effort * 0];
    const watchers = [noWatcher, (instruction: Instruction) => void instruction];
    const none = null as unknown as Instruction;
    for (let n = 0; n < enoughCalls; n += 1) {
      this.#holds = conditions[n & 1] as Condition;
      this.#watch = watchers[n & 1] as Watcher;
      // Services take any time, and most runs have a limit.
      this.#core.effort = n / 2;
      this.#core.effortLimit = n & 1 ? enoughCalls : Number.POSITIVE_INFINITY;
      this.#ofWatcher(none);
      this.#ofBoth(none);
    }
    this.#core.effort = 0;
    this.#core.effortLimit = Number.POSITIVE_INFINITY;
    this.#core.attention[0] = 0;
  }
}

function never(): number {
  return 0;
}

function noWatcher(): void {}
