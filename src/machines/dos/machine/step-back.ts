import type { DosSystem } from '../board/dos-system.ts';
import type { Cause } from '../debug/stop-judge.ts';
import type { History } from './history.ts';

/** Goes to moments of the past by restoring a keyframe before them and running that stretch again. */
export class StepBack {
  readonly #system: DosSystem;
  readonly #history: History;
  readonly #limit: (until: number) => number;

  constructor(system: DosSystem, history: History, limit = (until: number) => until) {
    this.#limit = limit;
    this.#system = system;
    this.#history = history;
  }

  /** So many instructions back. */
  steps(count: number): Cause {
    const target = this.#now - count;
    const first = this.#history.firstTime;
    this.goTo(Math.max(target, first));
    return target >= first
      ? { cause: 'step', reason: count === 1 ? 'step back' : `${count} steps back` }
      : { cause: 'limit', reason: 'the beginning of what is remembered' };
  }

  /** Back until something would have stopped the machine, or over so many instructions. `each` looks at every one. */
  async run(span: number | undefined, stops: () => Cause | undefined, each: boolean): Promise<Cause> {
    const here = this.#now;
    const earliest = Math.max(this.#history.firstTime, span === undefined ? 0 : here - span);
    for (let end = here; end > earliest; ) {
      const start = Math.max(earliest, this.#history.previousKeyframe(end) ?? earliest);
      const hit = this.#lastStop(start, end, stops, each);
      if (hit) {
        this.goTo(hit.time);
        return hit.cause;
      }
      end = start;
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.goTo(earliest);
    return { cause: 'limit', reason: span === undefined ? 'nothing stopped it on the way back' : 'went back' };
  }

  /** Exactly to this instruction, which must lie in the past. */
  goTo(time: number): void {
    this.#history.rewindTo(time);
    this.#runTo(time);
  }

  #lastStop(
    start: number,
    end: number,
    stops: () => Cause | undefined,
    each: boolean,
  ): { readonly time: number; readonly cause: Cause } | undefined {
    this.goTo(start);
    let last: { time: number; cause: Cause } | undefined;
    let leaving = false;
    while (this.#now < end) {
      const next = each ? this.#now + 1 : Math.min(end, this.#history.nextTime);
      const ended = this.#system.board.run(this.#limit(next), leaving);
      this.#history.reached();
      leaving = ended.reason !== 'count';
      const cause = this.#now < end && (each || ended.reason !== 'count') ? stops() : undefined;
      if (cause) last = { time: this.#now, cause };
    }
    return last;
  }

  #runTo(time: number): void {
    while (this.#now < time) {
      this.#system.board.run(Math.min(time, this.#history.nextTime), true);
      this.#history.reached();
    }
  }

  get #now(): number {
    return this.#system.board.instructions;
  }
}
