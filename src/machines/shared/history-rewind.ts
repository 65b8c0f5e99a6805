import type { Cause } from './cause.ts';
import type { History, Mark } from './history.ts';
import { TimeSlice } from './time-slice.ts';

/** A moment of the past, and why the machine would have stopped there. */
export interface PastStop {
  readonly time: number;
  readonly cause: Cause;
  /** The machine's own processor may be within an instruction then, and stays there. */
  readonly isWithin?: boolean;
}

/**
 * Runs a stretch of the past again, from where the machine is up to a time. What it gives is called until it answers:
 * with the last moment of the stretch at which something would have stopped the machine, or null. `until` is when to
 * pause, as `performance.now` counts.
 */
export type Lookout = (end: number) => (until: number) => PastStop | null | undefined;

/** A machine's time as its engine lets it pass, with everything that reaches the machine from outside. */
export interface Timeline<Event, State> {
  readonly history: History<Event, State>;
  readonly now: number;
  /** How long a frame is. */
  readonly frameSpan: number;
  /** How long its picture is being drawn; left out where the picture follows from the state. */
  readonly drawnSpan?: number;
  /** Runs on exactly to this time, or until it has taken long enough. True when it is there. */
  runTo(time: number, until: number): boolean;
  /** Runs on to where the next instruction begins, on machines whose time can stand between. */
  finishInstruction?(): void;
  /** Where the instruction began that ran so many before now, or the earliest one that is remembered. May leave the machine elsewhere. */
  instructionBefore(count: number, slice: TimeSlice): Promise<{ readonly time: number; readonly missing: number }>;
}

/** Asked between two slices, when it is time for them: why the work has to end, if it has. */
export type Interruption = () => Promise<Cause | undefined>;

const theBeginning: Cause = { cause: 'limit', reason: 'the beginning of what is remembered' };

/** Thrown out of work on the past that something ends. */
class Interrupted extends Error {
  readonly reason: Cause;
  constructor(reason: Cause) {
    super(reason.reason);
    this.reason = reason;
  }
}

/** Goes to moments of the past by restoring a keyframe before them and running that stretch again. */
export class HistoryRewind {
  readonly #timeline: Timeline<unknown, unknown>;
  /** Where the machine goes back to when something interrupts. */
  #mark: Mark<unknown> | undefined;

  constructor(timeline: Timeline<unknown, unknown>) {
    this.#timeline = timeline;
  }

  /** So many instructions back. If something interrupts, the machine stays where it was. */
  steps(count: number, interruption: Interruption): Promise<Cause> {
    return this.#until(interruption, async (slice): Promise<Cause> => {
      const { time, missing } = await this.#timeline.instructionBefore(count, slice);
      await this.#arriveAt(time, slice);
      return missing === 0
        ? { cause: 'step', reason: count === 1 ? 'step back' : `${count} steps back` }
        : theBeginning;
    });
  }

  /**
   * Back over a span, or to the beginning, or to where something would have stopped the machine. Undefined when nothing
   * did and the whole span is remembered. `interruption` is asked now and then; the machine then stays at the earliest moment down to which all has been
   * looked at. `isExact`: not on to where an instruction begins.
   */
  run(
    span: number | undefined,
    lookout: Lookout | undefined,
    interruption: Interruption,
    isExact = false,
  ): Promise<Cause | undefined> {
    return this.#until(interruption, async (slice) => {
      const { now, history } = this.#timeline;
      const earliest = Math.max(history.firstTime, span === undefined ? 0 : now - span);
      const found = lookout && (await this.#find(lookout, now, earliest, slice));
      await this.#arriveAt(found?.time ?? earliest, slice);
      if (found ? !found.isWithin : !isExact) this.#timeline.finishInstruction?.();
      return found?.cause ?? (span !== undefined && earliest > now - span ? theBeginning : undefined);
    });
  }

  /** To what is found. If that is no step, or something interrupts, the machine stays where it was. */
  search(lookout: Lookout, interruption: Interruption): Promise<Cause> {
    return this.#until(interruption, async (slice): Promise<Cause> => {
      const { now, history } = this.#timeline;
      const here = this.#mark;
      const found = await this.#find(lookout, now, history.firstTime, slice, false);
      if (found?.cause.cause === 'step') await this.#arriveAt(found.time, slice);
      else if (here) history.returnTo(here);
      return found?.cause ?? theBeginning;
    });
  }

  /** Stretch by stretch, from keyframe to keyframe. `stays`: an interruption leaves the machine at the earliest one that was looked at. */
  async #find(
    lookout: Lookout,
    now: number,
    earliest: number,
    slice: TimeSlice,
    stays = true,
  ): Promise<PastStop | undefined> {
    const { history } = this.#timeline;
    for (let end = now; end > earliest; ) {
      const start = Math.max(earliest, history.previousKeyframe(end) ?? earliest);
      await this.#goTo(start, slice);
      if (slice.isOver) await slice.next();
      const before = await history.markInPieces(slice);
      const look = lookout(end);
      let found = look(slice.end);
      while (found === undefined) {
        await slice.next();
        found = look(slice.end);
      }
      if (found) return found;
      if (stays) this.#mark = before;
      end = start;
      if (slice.isOver) await slice.next();
    }
    return undefined;
  }

  /** With the picture that was on the screen then. */
  #arriveAt(time: number, slice: TimeSlice): Promise<void> {
    return this.#goTo(time, slice, this.#timeline.drawnSpan ?? 0);
  }

  async #goTo(time: number, slice: TimeSlice, before = 0): Promise<void> {
    this.#timeline.history.rewindTo(time - before);
    while (!this.#timeline.runTo(time, slice.end)) await slice.next();
  }

  async #until<T>(interruption: Interruption, go: (slice: TimeSlice) => Promise<T>): Promise<T | Cause> {
    const { history } = this.#timeline;
    const slice = new TimeSlice(async () => {
      const cause = await interruption();
      if (cause) throw new Interrupted(cause);
    });
    try {
      this.#mark = await history.markInPieces(slice);
      return await go(slice);
    } catch (error) {
      if (this.#mark) {
        // The next try finds a keyframe where this one got to, so that the way is never too long for good.
        this.#timeline.finishInstruction?.();
        history.keepHere();
        history.returnTo(this.#mark);
      }
      if (error instanceof Interrupted) return error.reason;
      throw error;
    } finally {
      this.#mark = undefined;
    }
  }
}
