import type { CallLogCapability, CallPage, CallQuery, LoggedCall } from '../../src/machine/call-log.ts';

/** Calls that somebody made up. */
export class ToyCallLog implements CallLogCapability {
  readonly #calls: LoggedCall[] = [];

  add(call: Omit<LoggedCall, 'seq'>): void {
    this.#calls.push({ ...call, seq: this.#calls.length });
  }

  async read({ from, limit, filter = '' }: CallQuery): Promise<CallPage> {
    const matching = this.#calls.filter(
      ({ seq, what, result = '' }) =>
        seq >= (from ?? 0) && `${what} ${result}`.toLowerCase().includes(filter.toLowerCase()),
    );
    const older = from === undefined ? Math.max(0, matching.length - limit) : 0;
    const calls = matching.slice(older, older + limit);
    const left = matching.length - older - calls.length;
    const next = left > 0 ? (calls.at(-1)?.seq ?? 0) + 1 : this.#calls.length;
    return { calls, older, left, next, lost: 0, total: this.#calls.length };
  }
}
