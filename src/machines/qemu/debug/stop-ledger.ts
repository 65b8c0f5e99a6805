import type { ReportedEvent } from '../../../machine/events.ts';
import type { Stop } from '../../../machine/state.ts';
import type { Cause } from '../../shared/cause.ts';
import { Deferred, within } from './deferred.ts';

/** The stops of a machine, numbered, for those who wait for one; what nobody waits for becomes an event. */
export class StopLedger {
  readonly #report: (event: ReportedEvent) => void;
  #next = new Deferred<Stop>();
  #awaiting = 0;
  #last: Stop | undefined;
  #count: number;

  /** Numbers continue after those of an earlier process. */
  constructor(report: (event: ReportedEvent) => void, stopsBefore: number) {
    this.#report = report;
    this.#count = stopsBefore;
  }

  get count(): number {
    return this.#count;
  }

  get last(): Stop | undefined {
    return this.#last;
  }

  /** It counts no longer, since the machine is another now. */
  forgetLast(): void {
    this.#last = undefined;
  }

  enter(cause: Cause): Stop {
    const stop: Stop = { seq: ++this.#count, ...cause };
    this.#last = stop;
    if (this.#awaiting === 0) this.#report({ type: 'stop', text: cause.reason, data: { ...stop } });
    this.#next.resolve(stop);
    this.#next = new Deferred();
    return stop;
  }

  /** The stop after that of this number, or undefined when the time is up or the call was cancelled. */
  after(count: number, wallMs: number, signal: AbortSignal): Promise<Stop | undefined> {
    if (this.#count !== count && this.#last) return Promise.resolve(this.#last);
    return this.awaited(() => within(this.#next.promise, wallMs, signal));
  }

  next(): Promise<Stop> {
    return this.awaited(() => this.#next.promise);
  }

  /** Stops that come during the action are its answer and no events. */
  async awaited<T>(action: () => Promise<T>): Promise<T> {
    this.#awaiting++;
    try {
      return await action();
    } finally {
      this.#awaiting--;
    }
  }
}
