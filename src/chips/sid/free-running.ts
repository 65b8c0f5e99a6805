import { type VoiceState, voiceFields } from './fields.ts';
import { nextNoise, noiseOutput } from './noise-register.ts';
import type { OscillatorModel } from './oscillator.ts';
import { tracedWaves } from './trace-space.ts';
import { combinedWaves, plainWaves } from './waveforms.ts';

const PLAIN = plainWaves;
const COMBINED = combinedWaves;
const WAVES = tracedWaves;

const ACCUMULATOR = voiceFields.accumulator;
const FREQUENCY = voiceFields.frequency;
const PULSE_WIDTH = voiceFields.pulseWidth;
const WAVEFORM = voiceFields.waveform;
const TEST = voiceFields.test;
const RING = voiceFields.ring;
const SYNC = voiceFields.sync;
const NOISE = voiceFields.noise;
const NOISE_LATCH = voiceFields.noiseLatch;
const SHIFT = voiceFields.shiftCountdown;
const TEST_LATCH = voiceFields.testLatch;
const NOISE_OUTPUT = voiceFields.noiseOutput;
const PULSE_OUTPUT = voiceFields.pulseOutput;
const WAVE_OUTPUT = voiceFields.waveOutput;
const NOISE_FADE = voiceFields.noiseFade;
const FLOAT_FADE = voiceFields.floatFade;

const FOR_EVER = 0x7fffffff;
const NOISE_ALONE = 8;

/** For so many cycles nothing but counting happens, and the other functions here may be used. */
export function freeCycles(v: VoiceState, source: VoiceState, model: OscillatorModel): number {
  const waveform = v[WAVEFORM];
  if (waveform > NOISE_ALONE || v[SHIFT] !== 0) return 0;
  if (model.old && (waveform & 2) !== 0 && waveform !== 2) return 0;
  let free = FOR_EVER;
  if (waveform === 0 && v[FLOAT_FADE] !== 0) free = v[FLOAT_FADE] - 1;
  if (v[TEST] !== 0 && v[NOISE_FADE] !== 0) free = Math.min(free, v[NOISE_FADE] - 1);
  if (v[SYNC] !== 0) free = Math.min(free, cyclesUntilSync(source) - 1);
  return free;
}

/** Cycles until bit 23 of the counter rises. */
function cyclesUntilSync(source: VoiceState): number {
  const frequency = frequencyOf(source);
  if (frequency === 0) return FOR_EVER;
  return Math.ceil((0x1000000 - ((source[ACCUMULATOR] + 0x800000) & 0xffffff)) / frequency);
}

function frequencyOf(v: VoiceState): number {
  return v[TEST] !== 0 ? 0 : v[FREQUENCY];
}

/**
 * The counters and the noise register after this many cycles, at least three; of the outputs, what the next cycle needs. The
 * others are right again after two ordinary cycles.
 */
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
  let shifts = shifted - rounds(0);
  if (shifts > 0) {
    for (; shifts > 0; shifts--) {
      v[NOISE_LATCH] = v[NOISE];
      v[NOISE] = nextNoise(v[NOISE]);
    }
    v[TEST_LATCH] = 0;
    v[NOISE_OUTPUT] = noiseOutput(v[NOISE]);
  }
  if (rounds(cycles - 1) !== shifted) {
    v[SHIFT] = 1;
    v[TEST_LATCH] = 0;
    v[NOISE_LATCH] = v[NOISE];
  } else if (rounds(cycles) !== shifted) v[SHIFT] = 2;
  v[ACCUMULATOR] = (v[ACCUMULATOR] + cycles * frequency) % 0x1000000;
  v[PULSE_OUTPUT] = v[ACCUMULATOR] >>> 12 >= v[PULSE_WIDTH] ? 0xfff : 0;
}

/** Notes in `tracedWaves`, from `start` on, what the next cycles put on the waveform DAC. Leaves the voice as it is. */
export function traceOscillator(
  v: VoiceState,
  source: VoiceState,
  cycles: number,
  model: OscillatorModel,
  start: number,
): void {
  const waveform = v[WAVEFORM];
  if (waveform === 0) WAVES.fill(v[WAVE_OUTPUT], start, start + cycles);
  else if (waveform === NOISE_ALONE) traceNoise(v, cycles, start);
  else {
    const shape = (waveform & 3) << 12;
    const pulled = model.combinedWaves | (waveform << 12);
    const frequency = frequencyOf(v);
    const ring = v[RING] !== 0 && (waveform & 2) === 0 ? 0x800000 : 0;
    const sourceFrequency = frequencyOf(source);
    const isPulse = (waveform & 4) !== 0 && v[TEST] === 0;
    const width = isPulse ? v[PULSE_WIDTH] : 0;
    let mask = isPulse ? v[PULSE_OUTPUT] : 0xfff;
    let accumulator = v[ACCUMULATOR];
    let modulator = source[ACCUMULATOR];
    for (let i = start; i < start + cycles; i++) {
      accumulator = (accumulator + frequency) & 0xffffff;
      modulator = (modulator + sourceFrequency) & 0xffffff;
      const index = (accumulator ^ (~modulator & ring)) >>> 12;
      WAVES[i] = COMBINED[pulled | (PLAIN[shape | index] & mask)];
      mask = accumulator >>> 12 >= width ? 0xfff : 0;
    }
  }
}

function traceNoise(v: VoiceState, cycles: number, start: number): void {
  const frequency = frequencyOf(v);
  let noise = v[NOISE];
  let output = v[NOISE_OUTPUT];
  // A shift is done two cycles after bit 19 has risen.
  let counter = (v[ACCUMULATOR] + 0x080000) & 0x0fffff;
  let shiftAt = FOR_EVER;
  for (let i = start; i < start + cycles; i++) {
    counter += frequency;
    if (counter >= 0x100000) {
      counter -= 0x100000;
      shiftAt = i + 2;
    }
    if (i === shiftAt) {
      noise = nextNoise(noise);
      output = noiseOutput(noise);
    }
    WAVES[i] = output;
  }
}
