import { type VoiceState, voiceFields } from './fields.ts';
import { fadeNoise, NOISE_MASK, shiftNoise, writeBack, writeBackOnShift } from './noise-register.ts';
import { combinedWaves, plainWaves } from './waveforms.ts';

/** Figures that differ between chips; fading times vary with temperature and are those of a warm chip. */
export interface OscillatorModel {
  readonly old: boolean;
  /** Where the chip's part of `combinedWaves` begins. */
  readonly combinedWaves: number;
  readonly noiseFadeStart: number;
  readonly noiseFadeStep: number;
  readonly floatFadeStart: number;
  readonly floatFadeStep: number;
}

// Names of our own: see trace-space.ts.
const PLAIN = plainWaves;
const COMBINED = combinedWaves;

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

export function resetOscillator(v: VoiceState): void {
  for (let i: number = FREQUENCY; i <= FLOAT_FADE; i++) if (i !== TRIANGLE_SAW) v[i] = 0;
  v[PULSE_OUTPUT] = 0xfff;
  // Reset holds all bits high; releasing it shifts once.
  v[NOISE_LATCH] = NOISE_MASK;
  v[TEST_LATCH] = 1;
  shiftNoise(v);
}

/** First half of a cycle: the counter, and the noise register that its bit 19 clocks. */
export function clockOscillator(v: VoiceState, model: OscillatorModel): void {
  if (v[TEST] !== 0) {
    if (v[NOISE_FADE] !== 0 && --v[NOISE_FADE] === 0) fadeNoise(v, model.noiseFadeStep);
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
      shiftNoise(v);
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
    const plainValue = PLAIN[((waveform & 3) << 12) | (index >>> 12)];
    const pulled = model.combinedWaves | (waveform << 12);
    const value = COMBINED[pulled | (plainValue & mask)];
    v[WAVE_OUTPUT] = value;
    if ((waveform & 3) !== 0 && !model.old) {
      v[OSC] = COMBINED[pulled | (v[TRIANGLE_SAW] & mask)];
      v[TRIANGLE_SAW] = plainValue;
    } else v[OSC] = value;
    // The 6581's sawtooth selector is a plain switch: a low output pulls the counter's top bit down.
    if (model.old && (waveform & 2) !== 0 && (value & 0x800) === 0) v[ACCUMULATOR] &= 0x7fffff;
    if (waveform > 8) writeBack(v, value, model.old);
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
    shiftNoise(v);
  }
}
