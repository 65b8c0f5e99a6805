import { EffortExceeded, TooMuch } from './source-error.ts';
import type { Token } from './tokens.ts';

/** Of all passes together; a program that fills its segment takes half of it. */
const mostEffort = 5_000_000;
/** Characters that take as long as another token. */
export const charsPerEffort = 16;

/** Counts the work that a source takes, and ends it when that is too much. A token is about one. */
export class Effort {
  readonly #allowed: number;
  #spent = 0;

  /** More than `allowed` ends in `EffortExceeded`. */
  constructor(allowed = Number.POSITIVE_INFINITY) {
    this.#allowed = allowed;
  }

  spend(effort: number): void {
    this.#spent += effort;
    if (this.#spent > this.#allowed) throw new EffortExceeded('more work than was allowed');
    if (this.#spent > mostEffort) throw new TooMuch('This takes too long: use fewer or smaller repetitions.');
  }
}

/** What it takes to look at tokens once. */
export function effortOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { text }) => sum + 1 + text.length / charsPerEffort, 3);
}
