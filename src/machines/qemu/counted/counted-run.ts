/** How often each instruction ran in one run, by the numbers of the table. */
export class CountedRun {
  readonly name: string;
  readonly fromMs: number;
  /** Numbers below this one had run before. */
  readonly knownBefore: number;
  #counts = new Float64Array(4096);
  toMs: number | undefined;

  constructor(name: string, fromMs: number, knownBefore: number) {
    this.name = name;
    this.fromMs = fromMs;
    this.knownBefore = knownBefore;
  }

  add(number: number, executions: number): void {
    if (number >= this.#counts.length) {
      const counts = new Float64Array(Math.max(number + 1, this.#counts.length * 2));
      counts.set(this.#counts);
      this.#counts = counts;
    }
    this.#counts[number] = (this.#counts[number] ?? 0) + executions;
  }

  executionsOf(number: number): number {
    return this.#counts[number] ?? 0;
  }

  *numbers(): Generator<number> {
    for (let number = 0; number < this.#counts.length; number++) if (this.#counts[number] !== 0) yield number;
  }
}
