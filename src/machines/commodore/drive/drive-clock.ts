import { type MechanicsWords, mechanicsFields as m } from './processor-state.ts';

/** Turns the computer's cycles into a drive's ticks exactly: what is left of a tick is in the words. */
export class DriveClock {
  readonly #words: MechanicsWords;
  /** Ticks in a second of the computer's. */
  hz: number;

  constructor(words: MechanicsWords, hz: number) {
    this.#words = words;
    this.hz = hz;
  }

  ticksDue(now: number, computerHz: number): number {
    const words = this.#words;
    const elapsed = (now - words[m.ranTo]) | 0;
    // What was held back is due although no time has passed.
    if (elapsed < 0 || (elapsed === 0 && words[m.fraction] < computerHz)) return 0;
    words[m.ranTo] = now;
    const clocks = words[m.fraction] + elapsed * this.hz;
    // A 1541 may be ahead, see its `runWhole`.
    const ticks = Math.max(0, Math.floor(clocks / computerHz));
    words[m.fraction] = clocks - ticks * computerHz;
    return ticks;
  }

  isBehind(now: number, cycles: number): boolean {
    return ((now - this.#words[m.ranTo]) | 0) > cycles;
  }

  /** Cycles of the computer's from now on in which no more ticks become due than these. */
  cyclesFor(ticks: number, computerHz: number): number {
    return Math.floor(((ticks + 1) * computerHz - 1 - this.#words[m.fraction]) / this.hz);
  }

  holdBack(ticks: number, computerHz: number): void {
    this.#words[m.fraction] += ticks * computerHz;
  }
}
