import { cutoffCurve } from './cutoff.ts';
import { dacTable } from './dac.ts';
import { fields, VOICE_WORDS, type VoiceState, voiceFields } from './fields.ts';
import type { Sid, SidModel } from './sid.ts';

/** The words (doubles) of the analogue side, so that sound goes on after a snapshot as if nothing had been. */
export const outputFields = {
  low: 0,
  band: 1,
  rcLow: 2,
  rcHigh: 3,
  /** Where in the current sample we are, 0 to 1, and the two samples under way. */
  position: 4,
  current: 5,
  next: 6,
} as const;

export const outputDoubles = 7;

type OutputState = Float64Array & { [index in (typeof outputFields)[keyof typeof outputFields]]: number };

export const SAMPLE_RATE = 44_100;

const LOW = outputFields.low;
const BAND = outputFields.band;
const RC_LOW = outputFields.rcLow;
const RC_HIGH = outputFields.rcHigh;
const POSITION = outputFields.position;
const CURRENT = outputFields.current;
const NEXT = outputFields.next;
const WAVE = voiceFields.waveOutput;
const ENVELOPE = voiceFields.envelope;
const FILTER_REGISTERS = fields.registers + 0x15;

/** The board's output stage: low-pass of 10 kOhm and 1 nF, high-pass of about 1 kOhm and 10 uF; in rad/s. */
const RC_LOW_PASS = 100_000;
const RC_HIGH_PASS = 100;
/** Three loud voices are just full scale. */
const GAIN = 32_767 / 3;

/**
 * Sound of a SID at 44.1 kHz: waveform and envelope DACs, the two-integrator filter, volume, the C64's output stage, all once
 * a cycle; a triangular window of two samples makes the rate. Call `catchUp` instead of the SID's own while somebody listens.
 *
 * Sources: Dag Lem's measurements (cutoff, zero levels, DC). Not emulated: the 6581's distortion (its filter is linear here),
 * spread between chips, EXT IN.
 */
export class SidOutput {
  readonly #sid: Sid;
  readonly #s: Int32Array;
  readonly #o: OutputState;
  readonly #v1: VoiceState;
  readonly #v2: VoiceState;
  readonly #v3: VoiceState;
  readonly #wave: Float64Array;
  readonly #envelope: Float64Array;
  readonly #cutoff: Float64Array;
  readonly #waveZero: number;
  readonly #voiceDc: number;
  readonly #mixerDc: number;
  readonly #perCycle: number;
  readonly #clockHz: number;
  #samples = new Int16Array(4096);
  #count = 0;

  constructor(sid: Sid, state: Int32Array, outputState: Float64Array, model: SidModel, clockHz: number) {
    this.#sid = sid;
    this.#s = state;
    this.#o = outputState as OutputState;
    const voice = (index: number) => state.subarray(index * VOICE_WORDS, (index + 1) * VOICE_WORDS) as VoiceState;
    this.#v1 = voice(0);
    this.#v2 = voice(1);
    this.#v3 = voice(2);
    this.#wave = dacTable(model, 12);
    this.#envelope = dacTable(model, 8);
    this.#cutoff = cutoffCurve(model);
    this.#clockHz = clockHz;
    this.#perCycle = SAMPLE_RATE / clockHz;
    // The 6581 sits far from its middle, which is what makes its volume register a DAC; the 8580 does not.
    this.#waveZero = model === '6581' ? (this.#wave[0x380] as number) : 0.5;
    this.#voiceDc = model === '6581' ? 0.5 : 0;
    this.#mixerDc = model === '6581' ? -1 / 18 : 0;
  }

  /** Runs the SID and keeps what it sounds like. */
  catchUp(cycles: number): void {
    const s = this.#s;
    const o = this.#o;
    const cutoffRegister = ((s[FILTER_REGISTERS] as number) & 7) | ((s[FILTER_REGISTERS + 1] as number) << 3);
    const resonance = (s[FILTER_REGISTERS + 2] as number) >> 4;
    const routed = (s[FILTER_REGISTERS + 2] as number) & 15;
    const mode = (s[FILTER_REGISTERS + 3] as number) >> 4;
    const volume = ((s[FILTER_REGISTERS + 3] as number) & 15) / 15;
    const turn = (2 * Math.PI * (this.#cutoff[cutoffRegister] as number)) / this.#clockHz;
    const damping = 1 / (Math.SQRT1_2 + resonance / 15);
    const smooth = RC_LOW_PASS / this.#clockHz;
    const drift = RC_HIGH_PASS / this.#clockHz;
    // Voice 3 can be taken out of the mix, not out of the filter.
    const muted3 = (mode & 8) !== 0 && (routed & 4) === 0;
    for (let left = cycles; left > 0; left--) {
      this.#sid.tick();
      const v1 = this.#level(this.#v1);
      const v2 = this.#level(this.#v2);
      const v3 = muted3 ? 0 : this.#level(this.#v3);
      let direct = this.#mixerDc;
      let filtered = 0;
      if ((routed & 1) !== 0) filtered += v1;
      else direct += v1;
      if ((routed & 2) !== 0) filtered += v2;
      else direct += v2;
      if ((routed & 4) !== 0) filtered += v3;
      else direct += v3;

      const high = o[BAND] * damping - o[LOW] - filtered;
      o[BAND] -= turn * high;
      o[LOW] -= turn * o[BAND];
      if ((mode & 1) !== 0) direct += o[LOW];
      if ((mode & 2) !== 0) direct += o[BAND];
      if ((mode & 4) !== 0) direct += high;

      o[RC_LOW] += smooth * (direct * volume - o[RC_LOW]);
      o[RC_HIGH] += drift * (o[RC_LOW] - o[RC_HIGH]);
      this.#resample(o[RC_LOW] - o[RC_HIGH]);
    }
  }

  /** The samples since the last call. */
  take(): Int16Array {
    const taken = this.#samples.slice(0, this.#count);
    this.#count = 0;
    return taken;
  }

  #level(v: VoiceState): number {
    const wave = (this.#wave[v[WAVE]] as number) - this.#waveZero;
    return 2 * wave * (this.#envelope[v[ENVELOPE]] as number) + this.#voiceDc;
  }

  #resample(value: number): void {
    const o = this.#o;
    const position = o[POSITION];
    const share = value * this.#perCycle;
    o[CURRENT] += share * (1 - position);
    o[NEXT] += share * position;
    const moved = position + this.#perCycle;
    if (moved < 1) {
      o[POSITION] = moved;
      return;
    }
    o[POSITION] = moved - 1;
    if (this.#count === this.#samples.length) {
      const longer = new Int16Array(this.#count * 2);
      longer.set(this.#samples);
      this.#samples = longer;
    }
    this.#samples[this.#count++] = Math.max(-32_768, Math.min(32_767, Math.round(o[CURRENT] * GAIN)));
    o[CURRENT] = o[NEXT];
    o[NEXT] = 0;
  }
}
