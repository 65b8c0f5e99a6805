import { type OutputState, outputFields, SampleOutput } from '../sample-output.ts';
import { SAMPLE_HZ } from '../sound-sink.ts';
import type { Mos6560Sound } from './sound.ts';

const { low: LOW, high: HIGH } = outputFields;

/** The board's output stage: a low-pass of 1 kOhm and 100 nF, a high-pass of 1 kOhm and 1 uF; in seconds. */
const lowPass = 1e-4;
const highPass = 1e-3;
/** Four voices at full volume are just full scale; the output bends below that, as a hyperbolic tangent does. */
const fullScale = 29_500;
const bend = 24;
/** What all voices together add when none of them sounds: the volume alone is heard as a click. */
const offset = 1 / 7;

/**
 * Sound of the chip at 44.1 kHz. Call `catchUp` instead of the voices' own while somebody listens. The bits of the four voices
 * are averaged over each sample, then come volume, the chip's output transistor and the filters of the board.
 */
export class Mos6560Output {
  readonly #sound: Mos6560Sound;
  readonly #output: SampleOutput;
  readonly #listener: (sum: number, cycles: number) => void;

  constructor(sound: Mos6560Sound, outputState: Float64Array, clockHz: number) {
    this.#sound = sound;
    this.#output = new SampleOutput(outputState, clockHz, (average, o) => this.#finish(average, o));
    this.#listener = (sum, cycles) => this.#output.hear(sum, cycles);
  }

  /** Runs the voices and keeps what they sound like. */
  catchUp(cycles: number): void {
    this.#sound.catchUp(cycles, this.#listener);
  }

  /** The samples since the last call. */
  take(): Int16Array {
    return this.#output.take();
  }

  #finish(average: number, o: OutputState): number {
    const level = fullScale * Math.tanh(((average + offset) * this.#sound.volume) / bend);
    const period = 1 / SAMPLE_HZ;
    o[LOW] += (period / (period + lowPass)) * (level - o[LOW]);
    o[HIGH] += (period / (period + highPass)) * (o[LOW] - o[HIGH]);
    return o[LOW] - o[HIGH];
  }
}
