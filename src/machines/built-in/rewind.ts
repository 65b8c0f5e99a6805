import { setImmediate } from 'node:timers/promises';
import type { Cause } from './cause.ts';
import type { History } from './history.ts';

/** A moment of the past, and why the machine would have stopped there. */
export interface PastStop {
  readonly time: number;
  readonly cause: Cause;
}

/** Runs a stretch of the past again, up to a time; gives the last moment before it at which something would have stopped. */
export type Lookout = (end: number) => PastStop | undefined;

/** A machine's time as its engine lets it pass, with everything that reaches the machine from outside. */
export interface Timeline<Event, State> {
  readonly history: History<Event, State>;
  readonly now: number;
  /** How long a frame is. */
  readonly frameSpan: number;
  /** Runs on exactly to this time. */
  runTo(time: number): void;
  /** Runs on to where the next instruction begins, on machines whose time can stand between. */
  finishInstruction?(): void;
  /** Where the instruction began that ran so many before now, or the earliest one that is remembered. May leave the machine elsewhere. */
  instructionBefore(count: number): { readonly time: number; readonly missing: number };
}

/** Goes to moments of the past by restoring a keyframe before them and running that stretch again. */
export class Rewind {
  readonly #timeline: Timeline<unknown, unknown>;

  constructor(timeline: Timeline<unknown, unknown>) {
    this.#timeline = timeline;
  }

  /** So many instructions back. */
  steps(count: number): Cause {
    const { time, missing } = this.#timeline.instructionBefore(count);
    this.#goTo(time);
    return missing === 0
      ? { cause: 'step', reason: count === 1 ? 'step back' : `${count} steps back` }
      : { cause: 'limit', reason: 'the beginning of what is remembered' };
  }

  /**
   * Back over a span, or to the beginning, or to where something would have stopped the machine. Undefined when nothing
   * did. `interruption` is asked now and then; the machine stays where it has got to by then.
   */
  async run(
    span: number | undefined,
    lookout: Lookout | undefined,
    interruption: () => Cause | undefined,
  ): Promise<Cause | undefined> {
    const { now, history } = this.#timeline;
    const earliest = Math.max(history.firstTime, span === undefined ? 0 : now - span);
    for (let end = now; lookout && end > earliest; ) {
      const start = Math.max(earliest, history.previousKeyframe(end) ?? earliest);
      this.#goTo(start);
      const found = lookout(end);
      const cause = found?.cause ?? interruption();
      if (cause) {
        this.#goTo(found?.time ?? start);
        this.#timeline.finishInstruction?.();
        return cause;
      }
      end = start;
      await setImmediate();
    }
    this.#goTo(earliest);
    this.#timeline.finishInstruction?.();
    return undefined;
  }

  #goTo(time: number): void {
    this.#timeline.history.rewindTo(time);
    this.#timeline.runTo(time);
  }
}
