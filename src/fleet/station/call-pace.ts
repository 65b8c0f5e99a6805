import { MachineError } from '../../machine/errors.ts';

const seconds = 60;

/** How many calls there were in the last minute, to a second, and whether one more may be. */
export class CallPace {
  readonly #limit: number;
  readonly #now: () => number;
  /** Calls of a second, and which one it was. */
  readonly #counts = Array.from({ length: seconds }, () => ({ second: -seconds, calls: 0 }));

  constructor(limit: number, now: () => number = () => performance.now()) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts a call; why it may not be, where there were enough. */
  refuse(): MachineError | undefined {
    const second = Math.floor(this.#now() / 1000);
    const recent = this.#counts.filter((each) => each.second > second - seconds && each.calls > 0);
    const calls = recent.reduce((sum, each) => sum + each.calls, 0);
    if (calls >= this.#limit) {
      const oldest = Math.min(...recent.map((each) => each.second));
      const wait = recent.length === 0 ? seconds : oldest + seconds - second;
      return new MachineError(
        'LIMIT_REACHED',
        `The team has made ${calls} calls to this host in the last minute, which is its quota. Nothing was done.`,
        `Try again in ${wait} s; the operator of the station can start it with a higher --quota calls=NUMBER.`,
        { quota: 'calls', limit: this.#limit, used: calls, retry_after_s: wait },
      );
    }
    const slot = this.#counts[second % seconds];
    if (slot?.second === second) slot.calls++;
    else this.#counts[second % seconds] = { second, calls: 1 };
    return undefined;
  }
}
