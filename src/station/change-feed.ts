import type { Change } from '../api/tool-host.ts';

/** A burst of output is one change. */
const gatherMs = 5;
/** A console that prints without pause is announced this often, not with each byte. */
const quietMs = 50;

/** The one rule by which changes are told: soon, and then at most one for each console and machine in an interval. */
export class ChangeFeed {
  readonly #listeners = new Set<(change: Change) => void>();
  /** Changes that were told within the interval, and whether there has been another since. */
  readonly #resting = new Map<string, { again: boolean }>();

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(change: Change): void {
    if (this.#listeners.size === 0) return;
    const key = JSON.stringify([change.machine, change.console]);
    const resting = this.#resting.get(key);
    if (resting) {
      resting.again = true;
      return;
    }
    const rest = { again: false };
    this.#resting.set(key, rest);
    setTimeout(() => {
      rest.again = false;
      for (const listener of this.#listeners) listener(change);
      setTimeout(() => {
        this.#resting.delete(key);
        if (rest.again) this.changed(change);
      }, quietMs).unref();
    }, gatherMs).unref();
  }
}
