import { SAMPLE_HZ } from './sound-sink.ts';

/** The words (doubles) of the analogue side, so that sound goes on after a snapshot as if nothing had been. */
export const outputFields = { low: 0, high: 1, position: 2, sum: 3 } as const;
export const outputDoubles = 4;

export type OutputState = Float64Array & { [index in (typeof outputFields)[keyof typeof outputFields]]: number };

const { position: POSITION, sum: SUM } = outputFields;

/** Samples at 44.1 kHz of a chip whose level is known cycle by cycle: each is the average of its cycles, which `finish` makes a sample of. */
export class SampleOutput {
  readonly #o: OutputState;
  readonly #cyclesPerSample: number;
  readonly #finish: (average: number, o: OutputState) => number;
  #samples = new Int16Array(4096);
  #count = 0;

  constructor(state: Float64Array, clockHz: number, finish: (average: number, o: OutputState) => number) {
    this.#o = state as OutputState;
    this.#cyclesPerSample = clockHz / SAMPLE_HZ;
    this.#finish = finish;
  }

  /** The samples since the last call. */
  take(): Int16Array {
    const taken = this.#samples.slice(0, this.#count);
    this.#count = 0;
    return taken;
  }

  hear(level: number, cycles: number): void {
    const o = this.#o;
    let left = cycles;
    while (o[POSITION] + left >= this.#cyclesPerSample) {
      const share = this.#cyclesPerSample - o[POSITION];
      this.#keep(this.#finish((o[SUM] + level * share) / this.#cyclesPerSample, o));
      left -= share;
      o[POSITION] = 0;
      o[SUM] = 0;
    }
    o[POSITION] += left;
    o[SUM] += level * left;
  }

  #keep(value: number): void {
    if (this.#count === this.#samples.length) {
      const longer = new Int16Array(this.#count * 2);
      longer.set(this.#samples);
      this.#samples = longer;
    }
    this.#samples[this.#count++] = Math.max(-32_768, Math.min(32_767, Math.round(value)));
  }
}
