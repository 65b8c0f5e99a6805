import { SAMPLE_HZ } from '../sound-sink.ts';
import { loudest, type TedSound } from './sound.ts';

/** The words (doubles) of the analogue side, so that sound goes on after a snapshot as if nothing had been. */
export const outputFields = { low: 0, high: 1, position: 2, sum: 3 } as const;
export const outputDoubles = 4;

type OutputState = Float64Array & { [index in (typeof outputFields)[keyof typeof outputFields]]: number };

const { low: LOW, high: HIGH, position: POSITION, sum: SUM } = outputFields;

/** Time constants of the board's output stage, in seconds. */
const lowPass = 2e-5;
const highPass = 1e-2;
/** Both voices together are a little louder than twice one of them. */
const fullScale = 26_000;
const bend = 0.08;

/** Sound of the chip at 44.1 kHz. Call `catchUp` instead of the voices' own while somebody listens. */
export class TedOutput {
  readonly #sound: TedSound;
  readonly #o: OutputState;
  readonly #cyclesPerSample: number;
  readonly #listener: (level: number, cycles: number) => void;
  #samples = new Int16Array(4096);
  #count = 0;

  /** `clockHz`: half cycles in a second. */
  constructor(sound: TedSound, outputState: Float64Array, clockHz: number) {
    this.#sound = sound;
    this.#o = outputState as OutputState;
    this.#cyclesPerSample = clockHz / SAMPLE_HZ;
    this.#listener = (level, cycles) => this.#hear(level / loudest, cycles);
  }

  /** Runs the voices and keeps what they sound like. */
  catchUp(cycles: number): void {
    this.#sound.catchUp(cycles, this.#listener);
  }

  /** The samples since the last call. */
  take(): Int16Array {
    const taken = this.#samples.slice(0, this.#count);
    this.#count = 0;
    return taken;
  }

  #hear(level: number, cycles: number): void {
    const o = this.#o;
    let left = cycles;
    while (o[POSITION] + left >= this.#cyclesPerSample) {
      const share = this.#cyclesPerSample - o[POSITION];
      this.#finish((o[SUM] + level * share) / this.#cyclesPerSample);
      left -= share;
      o[POSITION] = 0;
      o[SUM] = 0;
    }
    o[POSITION] += left;
    o[SUM] += level * left;
  }

  #finish(average: number): void {
    const o = this.#o;
    const bent = average * (1 - bend + bend * average);
    o[LOW] += (bent - o[LOW]) * (1 - Math.exp(-1 / (lowPass * SAMPLE_HZ)));
    o[HIGH] += (o[LOW] - o[HIGH]) / (highPass * SAMPLE_HZ);
    if (this.#count === this.#samples.length) {
      const larger = new Int16Array(this.#count * 2);
      larger.set(this.#samples);
      this.#samples = larger;
    }
    this.#samples[this.#count] = Math.round((o[LOW] - o[HIGH]) * fullScale);
    this.#count += 1;
  }
}
