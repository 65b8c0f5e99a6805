import { cutoffCurve } from './cutoff.ts';
import { dacTable } from './dac.ts';
import { fields } from './fields.ts';
import type { Sid, SidModel } from './sid.ts';
import { TRACE_CYCLES, tracedEnvelopes, tracedWaves } from './trace-space.ts';

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

/** The board's output stage: low-pass of 10 kOhm and 1 nF, high-pass of about 1 kOhm and 10 uF; in rad/s. */
const RC_LOW_PASS = 100_000;
const RC_HIGH_PASS = 100;
/** Three loud voices are just full scale. */
const GAIN = 32_767 / 3;

// Names of our own: see trace-space.ts.
const WAVES = tracedWaves;
const ENVELOPES = tracedEnvelopes;
/** By chip: twice the distance of a wave from its zero; the share of it that an envelope lets through. */
const WAVE_LEVELS = new Float64Array(2 * 4096);
const ENVELOPE_LEVELS = new Float64Array(2 * 256);
/** By cycle: what goes round the filter, and in the end all there is; what goes into the filter. */
const DIRECT = new Float64Array(TRACE_CYCLES);
const FILTERED = new Float64Array(TRACE_CYCLES);

/**
 * Sound of a SID at 44.1 kHz: waveform and envelope DACs, the two-integrator filter, volume, the C64's output stage, all once
 * a cycle; a triangular window of two samples makes the rate. Call `catchUp` instead of the SID's own while somebody listens.
 * Cycles are worked on in blocks, one part of the way after the other; the sums are those of single cycles, to the last bit.
 *
 * Sources: Dag Lem's measurements (cutoff, zero levels, DC). Not emulated: the 6581's distortion (its filter is linear here),
 * spread between chips, EXT IN.
 */
export class SidOutput {
  readonly #sid: Sid;
  readonly #s: Int32Array;
  readonly #o: OutputState;
  readonly #cutoff: Float64Array;
  readonly #waveLevels: number;
  readonly #envelopeLevels: number;
  readonly #voiceDc: number;
  readonly #mixerDc: number;
  readonly #clockHz: number;
  #samples = new Int16Array(4096);
  #count = 0;

  constructor(sid: Sid, state: Int32Array, outputState: Float64Array, model: SidModel, clockHz: number) {
    this.#sid = sid;
    this.#s = state;
    this.#o = outputState as OutputState;
    const chip = model === '6581' ? 0 : 1;
    this.#waveLevels = chip * 4096;
    this.#envelopeLevels = chip * 256;
    const wave = dacTable(model, 12);
    // The 6581 sits far from its middle, which is what makes its volume register a DAC; the 8580 does not.
    const waveZero = model === '6581' ? wave[0x380] : 0.5;
    WAVE_LEVELS.set(
      wave.map((level) => 2 * (level - waveZero)),
      this.#waveLevels,
    );
    ENVELOPE_LEVELS.set(dacTable(model, 8), this.#envelopeLevels);
    this.#cutoff = cutoffCurve(model);
    this.#clockHz = clockHz;
    this.#voiceDc = model === '6581' ? 0.5 : 0;
    this.#mixerDc = model === '6581' ? -1 / 18 : 0;
  }

  /** Runs the SID and keeps what it sounds like. */
  catchUp(cycles: number): void {
    for (let left = cycles; left > 0; left -= TRACE_CYCLES) {
      const block = Math.min(left, TRACE_CYCLES);
      this.#mix(block, this.#sid.trace(block));
      this.#filter(block);
      this.#sample(block);
    }
  }

  /** The samples since the last call. */
  take(): Int16Array {
    const taken = this.#samples.slice(0, this.#count);
    this.#count = 0;
    return taken;
  }

  #register(index: number): number {
    return this.#s[fields.registers + index];
  }

  /** Each voice goes round the filter or into it. */
  #mix(cycles: number, heard: number): void {
    const waveLevels = this.#waveLevels;
    const envelopeLevels = this.#envelopeLevels;
    const voiceDc = this.#voiceDc;
    const mixerDc = this.#mixerDc;
    const routed = this.#register(0x17);
    // Voice 3 can be taken out of the mix, not out of the filter.
    const isMuted3 = (this.#register(0x18) & 0x80) !== 0 && (routed & 4) === 0;
    const mixed = heard === 0 ? 1 : cycles;
    for (let i = 0; i < mixed; i++) {
      const wave1 = WAVE_LEVELS[waveLevels | WAVES[i]];
      const wave2 = WAVE_LEVELS[waveLevels | WAVES[i + TRACE_CYCLES]];
      const wave3 = WAVE_LEVELS[waveLevels | WAVES[i + 2 * TRACE_CYCLES]];
      const share1 = ENVELOPE_LEVELS[envelopeLevels | ENVELOPES[i]];
      const share2 = ENVELOPE_LEVELS[envelopeLevels | ENVELOPES[i + TRACE_CYCLES]];
      const share3 = ENVELOPE_LEVELS[envelopeLevels | ENVELOPES[i + 2 * TRACE_CYCLES]];
      const v1 = wave1 * share1 + voiceDc;
      const v2 = wave2 * share2 + voiceDc;
      const v3 = isMuted3 ? 0 : wave3 * share3 + voiceDc;
      let direct = mixerDc;
      let filtered = 0;
      if ((routed & 1) !== 0) filtered += v1;
      else direct += v1;
      if ((routed & 2) !== 0) filtered += v2;
      else direct += v2;
      if ((routed & 4) !== 0) filtered += v3;
      else direct += v3;
      DIRECT[i] = direct;
      FILTERED[i] = filtered;
    }
    // While all are silent, every cycle is like the first.
    if (mixed < cycles) {
      DIRECT.fill(DIRECT[0], 1, cycles);
      FILTERED.fill(FILTERED[0], 1, cycles);
    }
  }

  /** What the filter makes of its part is added to the rest. */
  #filter(cycles: number): void {
    const o = this.#o;
    let low = o[LOW];
    let band = o[BAND];
    const isAtRest = low === 0 && band === 0 && (this.#register(0x17) & 7) === 0;
    if (isAtRest) return;
    const cutoff = this.#cutoff[(this.#register(0x15) & 7) | (this.#register(0x16) << 3)];
    const turn = (2 * Math.PI * cutoff) / this.#clockHz;
    const damping = 1 / (Math.SQRT1_2 + (this.#register(0x17) >> 4) / 15);
    const mode = this.#register(0x18) >> 4;
    for (let i = 0; i < cycles; i++) {
      const high = band * damping - low - FILTERED[i];
      band -= turn * high;
      low -= turn * band;
      let sum = DIRECT[i];
      if ((mode & 1) !== 0) sum += low;
      if ((mode & 2) !== 0) sum += band;
      if ((mode & 4) !== 0) sum += high;
      DIRECT[i] = sum;
    }
    o[LOW] = low;
    o[BAND] = band;
  }

  /** Volume and output stage, and the change of rate. */
  #sample(cycles: number): void {
    const o = this.#o;
    const volume = (this.#register(0x18) & 15) / 15;
    const smooth = RC_LOW_PASS / this.#clockHz;
    const drift = RC_HIGH_PASS / this.#clockHz;
    const perCycle = SAMPLE_RATE / this.#clockHz;
    let rcLow = o[RC_LOW];
    let rcHigh = o[RC_HIGH];
    let position = o[POSITION];
    let current = o[CURRENT];
    let next = o[NEXT];
    for (let i = 0; i < cycles; i++) {
      rcLow += smooth * (DIRECT[i] * volume - rcLow);
      rcHigh += drift * (rcLow - rcHigh);
      const share = (rcLow - rcHigh) * perCycle;
      current += share * (1 - position);
      next += share * position;
      position += perCycle;
      if (position >= 1) {
        position -= 1;
        this.#keep(current);
        current = next;
        next = 0;
      }
    }
    o[RC_LOW] = rcLow;
    o[RC_HIGH] = rcHigh;
    o[POSITION] = position;
    o[CURRENT] = current;
    o[NEXT] = next;
  }

  #keep(value: number): void {
    if (this.#count === this.#samples.length) {
      const longer = new Int16Array(this.#count * 2);
      longer.set(this.#samples);
      this.#samples = longer;
    }
    this.#samples[this.#count++] = Math.max(-32_768, Math.min(32_767, Math.round(value * GAIN)));
  }
}
