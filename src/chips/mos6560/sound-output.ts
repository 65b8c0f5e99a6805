import { SAMPLE_HZ } from '../sound-sink.ts';
import type { Mos6560Sound } from './sound.ts';

/** The words (doubles) of the analogue side, so that sound goes on after a snapshot as if nothing had been. */
export const outputFields = { low: 0, high: 1, position: 2, sum: 3 } as const;
export const outputDoubles = 4;

type OutputState = Float64Array & { [index in (typeof outputFields)[keyof typeof outputFields]]: number };

const LOW = outputFields.low;
const HIGH = outputFields.high;
const POSITION = outputFields.position;
const SUM = outputFields.sum;

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
  readonly #o: OutputState;
  readonly #cyclesPerSample: number;
  readonly #listener: (sum: number, cycles: number) => void;
  #samples = new Int16Array(4096);
  #count = 0;

  constructor(sound: Mos6560Sound, outputState: Float64Array, clockHz: number) {
    this.#sound = sound;
    this.#o = outputState as OutputState;
    this.#cyclesPerSample = clockHz / SAMPLE_HZ;
    this.#listener = (sum, cycles) => this.#hear(sum, cycles);
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

  #hear(sum: number, cycles: number): void {
    const o = this.#o;
    let left = cycles;
    while (o[POSITION] + left >= this.#cyclesPerSample) {
      const share = this.#cyclesPerSample - o[POSITION];
      this.#finish((o[SUM] + sum * share) / this.#cyclesPerSample);
      left -= share;
      o[POSITION] = 0;
      o[SUM] = 0;
    }
    o[POSITION] += left;
    o[SUM] += sum * left;
  }

  #finish(average: number): void {
    const o = this.#o;
    const level = fullScale * Math.tanh(((average + offset) * this.#sound.volume) / bend);
    const period = 1 / SAMPLE_HZ;
    o[LOW] += (period / (period + lowPass)) * (level - o[LOW]);
    o[HIGH] += (period / (period + highPass)) * (o[LOW] - o[HIGH]);
    this.#keep(o[LOW] - o[HIGH]);
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
