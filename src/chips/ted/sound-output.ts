import { type OutputState, outputFields, SampleOutput } from '../sample-output.ts';
import { SAMPLE_HZ } from '../sound-sink.ts';
import { loudest, type TedSound } from './sound.ts';

const { low: LOW, high: HIGH } = outputFields;

/** Time constants of the board's output stage, in seconds. */
const lowPass = 2e-5;
const highPass = 1e-2;
/** Both voices together are a little louder than twice one of them. */
const fullScale = 26_000;
const bend = 0.08;

/** Sound of the chip at 44.1 kHz. Call `catchUp` instead of the voices' own while somebody listens. */
export class TedOutput {
  readonly #sound: TedSound;
  readonly #output: SampleOutput;
  readonly #listener: (level: number, cycles: number) => void;

  /** `clockHz`: half cycles in a second. */
  constructor(sound: TedSound, outputState: Float64Array, clockHz: number) {
    this.#sound = sound;
    this.#output = new SampleOutput(outputState, clockHz, finish);
    this.#listener = (level, cycles) => this.#output.hear(level / loudest, cycles);
  }

  /** Runs the voices and keeps what they sound like. */
  catchUp(cycles: number): void {
    this.#sound.catchUp(cycles, this.#listener);
  }

  /** The samples since the last call. */
  take(): Int16Array {
    return this.#output.take();
  }
}

function finish(average: number, o: OutputState): number {
  const bent = average * (1 - bend + bend * average);
  o[LOW] += (bent - o[LOW]) * (1 - Math.exp(-1 / (lowPass * SAMPLE_HZ)));
  o[HIGH] += (o[LOW] - o[HIGH]) / (highPass * SAMPLE_HZ);
  return (o[LOW] - o[HIGH]) * fullScale;
}
