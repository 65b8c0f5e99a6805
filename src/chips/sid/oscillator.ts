import { type VoiceState, voiceFields } from './fields.ts';
import type { Waveforms } from './waveforms.ts';

/** Figures that differ between chips; fading times vary with temperature and are those of a warm chip. */
export interface OscillatorModel {
  readonly old: boolean;
  readonly waveforms: Waveforms;
  readonly noiseFadeStart: number;
  readonly noiseFadeStep: number;
  readonly floatFadeStart: number;
  readonly floatFadeStep: number;
}

const ACCUMULATOR = voiceFields.accumulator;
const FREQUENCY = voiceFields.frequency;
const PULSE_WIDTH = voiceFields.pulseWidth;
const WAVEFORM = voiceFields.waveform;
const TEST = voiceFields.test;
const RING = voiceFields.ring;
const SYNC = voiceFields.sync;
const MSB_RISING = voiceFields.msbRising;
const NOISE = voiceFields.noise;
const NOISE_LATCH = voiceFields.noiseLatch;
const SHIFT = voiceFields.shiftCountdown;
const TEST_LATCH = voiceFields.testLatch;
const NOISE_OUTPUT = voiceFields.noiseOutput;
const PULSE_OUTPUT = voiceFields.pulseOutput;
const WAVE_OUTPUT = voiceFields.waveOutput;
const OSC = voiceFields.osc;
const TRIANGLE_SAW = voiceFields.triangleSawLatch;
const NOISE_FADE = voiceFields.noiseFade;
const FLOAT_FADE = voiceFields.floatFade;

/** Noise register bits that are waveform bits 11-4. */
const TAPS = (1 << 20) | (1 << 18) | (1 << 14) | (1 << 11) | (1 << 9) | (1 << 5) | (1 << 2) | 1;
const NOISE_MASK = 0x7fffff;

export function resetOscillator(v: VoiceState): void {
  for (let i: number = FREQUENCY; i <= FLOAT_FADE; i++) if (i !== TRIANGLE_SAW) v[i] = 0;
  v[PULSE_OUTPUT] = 0xfff;
  // Reset holds all bits high; releasing it shifts once.
  v[NOISE_LATCH] = NOISE_MASK;
  v[TEST_LATCH] = 1;
  shift(v);
}

/** First half of a cycle: the counter, and the noise register that its bit 19 clocks. */
export function clockOscillator(v: VoiceState, model: OscillatorModel): void {
  if (v[TEST] !== 0) {
    if (v[NOISE_FADE] !== 0 && --v[NOISE_FADE] === 0) fadeNoise(v, model);
    v[TEST_LATCH] = 1;
    v[PULSE_OUTPUT] = 0xfff;
    v[MSB_RISING] = 0;
    return;
  }
  const before = v[ACCUMULATOR];
  const after = (before + v[FREQUENCY]) & 0xffffff;
  const rising = ~before & after;
  v[ACCUMULATOR] = after;
  v[MSB_RISING] = rising & 0x800000;
  if ((rising & 0x080000) !== 0) v[SHIFT] = 2;
  else if (v[SHIFT] !== 0) {
    if (--v[SHIFT] === 0) {
      writeBackOnShift(v, v[WAVEFORM], v[WAVEFORM], model.old);
      shift(v);
    } else {
      v[TEST_LATCH] = 0;
      v[NOISE_LATCH] = v[NOISE];
    }
  }
}

/** Hard sync, after all three were clocked. A source that is itself synced in the cycle its bit 23 rises syncs nobody. */
export function synchronize(v: VoiceState, source: VoiceState, destination: VoiceState): void {
  if (v[MSB_RISING] === 0 || destination[SYNC] === 0) return;
  if (v[SYNC] !== 0 && source[MSB_RISING] !== 0) return;
  destination[ACCUMULATOR] = 0;
}

/** Second half: what the selected waveforms put on the DAC, and what that does to the noise register. */
export function outputOscillator(v: VoiceState, source: VoiceState, model: OscillatorModel): void {
  const waveform = v[WAVEFORM];
  if (waveform !== 0) {
    let index = v[ACCUMULATOR];
    if (v[RING] !== 0 && (waveform & 2) === 0) index ^= ~source[ACCUMULATOR] & 0x800000;
    let mask = 0xfff;
    if ((waveform & 4) !== 0) mask = v[PULSE_OUTPUT];
    if ((waveform & 8) !== 0) mask &= v[NOISE_OUTPUT];
    const { plain, combined } = model.waveforms;
    const plainValue = plain[((waveform & 3) << 12) | (index >>> 12)] as number;
    const pulled = waveform << 12;
    const value = combined[pulled | (plainValue & mask)] as number;
    v[WAVE_OUTPUT] = value;
    if ((waveform & 3) !== 0 && !model.old) {
      v[OSC] = combined[pulled | (v[TRIANGLE_SAW] & mask)] as number;
      v[TRIANGLE_SAW] = plainValue;
    } else v[OSC] = value;
    // The 6581's sawtooth selector is a plain switch: a low output pulls the counter's top bit down.
    if (model.old && (waveform & 2) !== 0 && (value & 0x800) === 0) v[ACCUMULATOR] &= 0x7fffff;
    if (waveform > 8) writeBack(v, value, model);
  } else if (v[FLOAT_FADE] !== 0 && --v[FLOAT_FADE] === 0) {
    const faded = v[WAVE_OUTPUT] & (v[WAVE_OUTPUT] >> 1);
    v[WAVE_OUTPUT] = faded;
    v[OSC] = faded;
    if (faded !== 0) v[FLOAT_FADE] = model.floatFadeStep;
  }
  v[PULSE_OUTPUT] = v[TEST] !== 0 || v[ACCUMULATOR] >>> 12 >= v[PULSE_WIDTH] ? 0xfff : 0;
}

export function controlOscillator(v: VoiceState, value: number, model: OscillatorModel): void {
  const before = v[WAVEFORM];
  const waveform = value >> 4;
  const test = value & 8;
  v[WAVEFORM] = waveform;
  v[RING] = value & 4;
  v[SYNC] = value & 2;
  if (waveform === 0 && before !== 0) v[FLOAT_FADE] = model.floatFadeStart;
  if (test === v[TEST]) return;
  v[TEST] = test;
  if (test !== 0) {
    v[ACCUMULATOR] = 0;
    v[SHIFT] = 0;
    v[NOISE_LATCH] = v[NOISE];
    v[NOISE_FADE] = model.noiseFadeStart;
  } else {
    writeBackOnShift(v, before, waveform, model.old);
    shift(v);
  }
}

/** True if nothing but counting happens, so that `skipOscillator` may be used. */
export function countsFreely(v: VoiceState, cycles: number, model: OscillatorModel): boolean {
  const waveform = v[WAVEFORM];
  if (waveform > 8 || v[SYNC] !== 0 || v[SHIFT] !== 0) return false;
  if (model.old && (waveform & 2) !== 0 && waveform !== 2) return false;
  if (waveform === 0 && v[FLOAT_FADE] !== 0 && v[FLOAT_FADE] <= cycles) return false;
  return v[TEST] === 0 || v[NOISE_FADE] === 0 || v[NOISE_FADE] > cycles;
}

/** The counter and the noise register after this many cycles; outputs are right again after two more ordinary cycles. */
export function skipOscillator(v: VoiceState, cycles: number): void {
  if (v[WAVEFORM] === 0 && v[FLOAT_FADE] !== 0) v[FLOAT_FADE] -= cycles;
  if (v[TEST] !== 0) {
    if (v[NOISE_FADE] !== 0) v[NOISE_FADE] -= cycles;
    v[TEST_LATCH] = 1;
    return;
  }
  const start = v[ACCUMULATOR] + 0x080000;
  const frequency = v[FREQUENCY];
  // Bit 19 rises once in 2^20; the shift is done two cycles later.
  const rounds = (done: number) => Math.floor((start + done * frequency) / 0x100000);
  const shifted = rounds(cycles - 2);
  for (let left = shifted - rounds(0); left > 0; left--) {
    const noise = v[NOISE];
    v[NOISE_LATCH] = noise;
    v[NOISE] = ((noise << 1) & NOISE_MASK) | (((noise >> 22) ^ (noise >> 17)) & 1);
    v[TEST_LATCH] = 0;
  }
  v[NOISE_OUTPUT] = noiseOutput(v[NOISE]);
  if (rounds(cycles - 1) !== shifted) {
    v[SHIFT] = 1;
    v[TEST_LATCH] = 0;
    v[NOISE_LATCH] = v[NOISE];
  } else if (rounds(cycles) !== shifted) v[SHIFT] = 2;
  v[ACCUMULATOR] = (v[ACCUMULATOR] + cycles * frequency) % 0x1000000;
}

function noiseOutput(noise: number): number {
  return (
    ((noise & (1 << 20)) >> 9) |
    ((noise & (1 << 18)) >> 8) |
    ((noise & (1 << 14)) >> 5) |
    ((noise & (1 << 11)) >> 3) |
    ((noise & (1 << 9)) >> 2) |
    ((noise & (1 << 5)) << 1) |
    ((noise & (1 << 2)) << 3) |
    ((noise & 1) << 4)
  );
}

function tapsFrom(wave: number): number {
  return (
    ((wave & 0x800) << 9) |
    ((wave & 0x400) << 8) |
    ((wave & 0x200) << 5) |
    ((wave & 0x100) << 3) |
    ((wave & 0x080) << 2) |
    ((wave & 0x040) >> 1) |
    ((wave & 0x020) >> 3) |
    ((wave & 0x010) >> 4)
  );
}

/** Phase 2 of a shift: what was latched moves up, feedback enters below. */
function shift(v: VoiceState): void {
  const latch = v[NOISE_LATCH];
  const feedback = ((latch >> 22) | v[TEST_LATCH]) ^ (latch >> 17);
  v[NOISE] = ((latch << 1) & NOISE_MASK) | (feedback & 1);
  v[NOISE_OUTPUT] = noiseOutput(v[NOISE]);
}

function fadeNoise(v: VoiceState, model: OscillatorModel): void {
  v[NOISE] |= ((v[NOISE] << 1) & NOISE_MASK) | 1;
  v[NOISE_LATCH] = v[NOISE];
  v[NOISE_OUTPUT] = noiseOutput(v[NOISE]);
  if (v[NOISE] !== NOISE_MASK) v[NOISE_FADE] = model.noiseFadeStep;
}

/** Noise combined with other waveforms: the output pulls register bits low, or drives them while they are floating. */
function writeBack(v: VoiceState, wave: number, model: OscillatorModel): void {
  const floating = v[SHIFT] === 1 || v[TEST] !== 0;
  if (v[WAVEFORM] === 12 && !model.old) {
    // The 8580's pulse line reaches only the two cells next to the grounded low bits (VICE's SID/wf12nsr).
    if (!floating) {
      v[NOISE] &= ~5;
      v[NOISE_OUTPUT] &= ~0x30;
    }
    return;
  }
  if (floating) {
    v[NOISE_OUTPUT] = wave & 0xff0;
    return;
  }
  v[NOISE_OUTPUT] &= wave;
  // On the 6581 noise with pulse alone pulls the output down but is too weak to turn the register's cells over.
  if (model.old && v[WAVEFORM] === 12) return;
  v[NOISE] &= ~TAPS | tapsFrom(wave);
}

/** A shift completes: what a combined waveform leaves in the latch. */
function writeBackOnShift(v: VoiceState, before: number, after: number, old: boolean): void {
  const driven = drivenWave(v, before, after, old);
  if (driven >= 0) v[NOISE_LATCH] = (v[NOISE] & ~TAPS) | tapsFrom(driven);
}

/**
 * The wave that drives the floating register when the waveform changes with the test bit (or stays, in an ordinary shift), -1
 * for none. Triangle or sawtooth selected on both sides drive; pulse alone is weak. From the table in VICE's SID/wb_testsuite.
 */
function drivenWave(v: VoiceState, before: number, after: number, old: boolean): number {
  if (before <= 8 || after < 8) return -1;
  const stays = before & after;
  const isFull = (v[NOISE] & TAPS) === TAPS;
  if (old) {
    if ((stays & 3) !== 0) return v[WAVE_OUTPUT];
    if ((before & 4) === 0) return -1;
    if (stays === 12 && before !== 12) return 0xf80;
    return isFull ? -1 : 0;
  }
  if (before === 12) return after === 9 || after === 14 ? 0xfc0 : after === 15 ? 0 : -1;
  if (after === 8) return before === 15 && !isFull ? v[WAVE_OUTPUT] : -1;
  return after === 12 ? -1 : v[WAVE_OUTPUT];
}
