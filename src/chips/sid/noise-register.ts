import { type VoiceState, voiceFields } from './fields.ts';

const WAVEFORM = voiceFields.waveform;
const TEST = voiceFields.test;
const NOISE = voiceFields.noise;
const NOISE_LATCH = voiceFields.noiseLatch;
const SHIFT = voiceFields.shiftCountdown;
const TEST_LATCH = voiceFields.testLatch;
const NOISE_OUTPUT = voiceFields.noiseOutput;
const WAVE_OUTPUT = voiceFields.waveOutput;
const NOISE_FADE = voiceFields.noiseFade;

/** Noise register bits that are waveform bits 11-4. */
const TAPS = (1 << 20) | (1 << 18) | (1 << 14) | (1 << 11) | (1 << 9) | (1 << 5) | (1 << 2) | 1;
export const NOISE_MASK = 0x7fffff;

/** The register after a shift that nothing disturbs. */
export function nextNoise(noise: number): number {
  return ((noise << 1) & NOISE_MASK) | (((noise >> 22) ^ (noise >> 17)) & 1);
}

/** What the register shows, as waveform bits. */
export function noiseOutput(noise: number): number {
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
export function shiftNoise(v: VoiceState): void {
  const latch = v[NOISE_LATCH];
  const feedback = ((latch >> 22) | v[TEST_LATCH]) ^ (latch >> 17);
  v[NOISE] = ((latch << 1) & NOISE_MASK) | (feedback & 1);
  v[NOISE_OUTPUT] = noiseOutput(v[NOISE]);
}

/** The test bit is on for long: ones creep up. */
export function fadeNoise(v: VoiceState, stepCycles: number): void {
  v[NOISE] |= ((v[NOISE] << 1) & NOISE_MASK) | 1;
  v[NOISE_LATCH] = v[NOISE];
  v[NOISE_OUTPUT] = noiseOutput(v[NOISE]);
  if (v[NOISE] !== NOISE_MASK) v[NOISE_FADE] = stepCycles;
}

/** Noise combined with other waveforms: the output pulls register bits low, or drives them while they are floating. */
export function writeBack(v: VoiceState, wave: number, old: boolean): void {
  const floating = v[SHIFT] === 1 || v[TEST] !== 0;
  if (v[WAVEFORM] === 12 && !old) {
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
  if (old && v[WAVEFORM] === 12) return;
  v[NOISE] &= ~TAPS | tapsFrom(wave);
}

/** A shift completes: what a combined waveform leaves in the latch. */
export function writeBackOnShift(v: VoiceState, before: number, after: number, old: boolean): void {
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
