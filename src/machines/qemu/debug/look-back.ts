import type { Cause } from '../../shared/cause.ts';
import type { WideReading } from '../../shared/condition/wide-condition.ts';
import type { Execution } from './execution.ts';
import type { LiveTarget } from './live-target.ts';
import type { Patience, Playback } from './playback.ts';

interface Moment {
  readonly position: number;
  readonly cause: Cause;
}

interface Condition {
  readonly holds: WideReading;
  readonly text: string;
}

const firstWindow = 64;
const growth = 8;
/** So many moments in one stretch: the last of them is looked for in its second half. */
const manyMoments = 200;
const shortStretch = 64;
const sliceMs = 500;
/** To get back to where the search began. */
const returnMs = 30_000;

/**
 * Finds the last moment before the present one at which something would have stopped the machine: stretches of the past
 * are played forward, the latest first and each longer than the one after it.
 */
export class LookBack {
  readonly #playback: Playback;
  readonly #execution: Execution;
  readonly #target: LiveTarget;
  readonly #patience: Patience;
  readonly #condition: Condition | undefined;
  #interruption: Cause | undefined;

  constructor(
    playback: Playback,
    execution: Execution,
    target: LiveTarget,
    patience: Patience,
    condition: Condition | undefined,
  ) {
    this.#playback = playback;
    this.#execution = execution;
    this.#target = target;
    this.#patience = patience;
    this.#condition = condition;
  }

  /** Leaves the machine at that moment. Undefined when there is none from `first` on. */
  async from(first: number): Promise<Cause | undefined> {
    const present = await this.#playback.position();
    let end = present;
    for (let width = firstWindow; end > first; width *= growth) {
      const start = Math.max(first, end - width);
      const found = await this.#lastWithin(start, end);
      if (this.#interruption) return this.#giveUp(this.#interruption, present, end);
      if (found) return (await this.#playback.goTo(found.position, this.#patience)) ?? found.cause;
      end = start;
    }
    return undefined;
  }

  async #giveUp({ cause, reason }: Cause, present: number, searched: number): Promise<Cause> {
    const missed = await this.#playback.goTo(present, { end: performance.now() + returnMs });
    return missed ?? { cause, reason: `${reason}; nothing was found back to instruction ${searched}` };
  }

  async #lastWithin(start: number, end: number): Promise<Moment | undefined> {
    if (this.#isInterrupted() || (await this.#playback.goTo(start, this.#patience))) return undefined;
    let last: Moment | undefined;
    for (let count = 1; ; count++) {
      const next = await (this.#condition ? this.#nextTrue(this.#condition, end) : this.#nextHit(end));
      if (!next) return last;
      last = next;
      const rest = end - next.position;
      if (count < manyMoments || rest < shortStretch) continue;
      const middle = next.position + Math.floor(rest / 2);
      return (await this.#lastWithin(middle, end)) ?? (await this.#lastWithin(next.position + 1, middle)) ?? last;
    }
  }

  async #nextHit(end: number): Promise<Moment | undefined> {
    while (!this.#isInterrupted() && (await this.#playback.position()) < end) {
      await this.#playback.stopAt(end);
      const reply = await this.#execution.ground.move(() => this.#target.gdb.continue(), sliceMs);
      const position = await this.#playback.position();
      if (!reply || position >= end) continue;
      const cause = await this.#execution.ground.pass(reply);
      if (cause) return { position, cause };
    }
    return undefined;
  }

  async #nextTrue({ holds, text }: Condition, end: number): Promise<Moment | undefined> {
    for (;;) {
      const position = await this.#playback.position();
      if (position >= end || this.#isInterrupted()) return undefined;
      const isTrue = (await holds()) !== 0n;
      const other = await this.#execution.ground.pass();
      if (isTrue) return { position, cause: { cause: 'breakpoint', reason: `condition ${text}` } };
      if (other) return { position, cause: other };
    }
  }

  #isInterrupted(): boolean {
    this.#interruption ??= this.#execution.interruption(this.#patience);
    return this.#interruption !== undefined;
  }
}
