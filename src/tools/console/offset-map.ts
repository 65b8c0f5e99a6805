/**
 * Where in the ring each character of a text came from. Text is counted in UTF-16 units from the start of the stream.
 * Stored as runs: within a run each further unit costs one byte (`step` 1) or none (`step` 0).
 */
export class OffsetMap {
  readonly #start: number;
  #units = 0;
  #firstUnits: number[] = [];
  #firstOffsets: number[] = [];
  #steps: (0 | 1)[] = [];

  constructor(start: number) {
    this.#start = start;
  }

  /** How many units were added so far. */
  get units(): number {
    return this.#units;
  }

  /** Adds `count` units, the first of which ends at the ring offset `firstOffset`. */
  add(count: number, firstOffset: number, step: 0 | 1): void {
    const last = this.#firstUnits.length - 1;
    const continues =
      step === 1 &&
      this.#steps[last] === 1 &&
      firstOffset - (this.#firstOffsets[last] ?? 0) === this.#units - (this.#firstUnits[last] ?? 0);
    if (!continues) {
      this.#firstUnits.push(this.#units);
      this.#firstOffsets.push(firstOffset);
      this.#steps.push(step);
    }
    this.#units += count;
  }

  /** The ring offset just after the first `units` units. */
  at(units: number): number {
    if (units <= 0 || this.#firstUnits.length === 0) return this.#start;
    const unit = Math.min(units, this.#units) - 1;
    const run = this.#runOf(unit);
    return (this.#firstOffsets[run] ?? 0) + (this.#steps[run] ?? 0) * Math.max(0, unit - (this.#firstUnits[run] ?? 0));
  }

  /** Frees what is only needed for units before `unit`. */
  forget(unit: number): void {
    const run = this.#runOf(unit - 1);
    if (run < 1024) return;
    this.#firstUnits = this.#firstUnits.slice(run);
    this.#firstOffsets = this.#firstOffsets.slice(run);
    this.#steps = this.#steps.slice(run);
  }

  /** The last run that begins at or before `unit`. */
  #runOf(unit: number): number {
    let low = 0;
    let high = this.#firstUnits.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#firstUnits[middle] ?? 0) <= unit) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
