import { fields, type OperatorState, type Opl2State, operatorFields } from './fields.ts';
import {
  channelOfOperator,
  envelopeSteps,
  keyScaleLevels,
  keyScaleShifts,
  logSine,
  multipliers,
  offsetOf,
  pairedChannels,
  powers,
} from './tables.ts';

const PHASE = operatorFields.phase;
const LEVEL = operatorFields.level;
const STAGE = operatorFields.stage;
const KEYS = operatorFields.keys;
const STEP = operatorFields.step;
const ATTENUATION = operatorFields.attenuation;
const SUSTAIN_LEVEL = operatorFields.sustainLevel;
const ATTACK_RATE = operatorFields.attackRate;
const DECAY_RATE = operatorFields.decayRate;
const SUSTAIN_RATE = operatorFields.sustainRate;
const RELEASE_RATE = operatorFields.releaseRate;
const WAVEFORM = operatorFields.waveform;
const FLAGS = operatorFields.flags;

export const ATTACK = 0;
const DECAY = 1;
const SUSTAIN = 2;
export const RELEASE = 3;
export const SILENT = 511;

const TREMOLO = 0x80;
const VIBRATO = 0x40;

const register = (s: Opl2State, index: number) => s[fields.registers + index];

/** The note of a channel: frequency number and octave. */
const frequencyOf = (s: Opl2State, channel: number) =>
  register(s, 0xa0 + channel) | ((register(s, 0xb0 + channel) & 3) << 8);
const blockOf = (s: Opl2State, channel: number) => (register(s, 0xb0 + channel) >> 2) & 7;

const phaseStep = (frequency: number, block: number, flags: number) =>
  (((frequency << block) >> 1) * multipliers[flags & 15]) >> 1;

/** The channel whose note an operator plays: of four together, the first channel's. */
function noteChannel(s: Opl2State, operator: number): number {
  const channel = channelOfOperator[operator];
  const isSecond = channel >= pairedChannels && channel < 2 * pairedChannels;
  return isSecond && ((s[fields.fours] >> (channel - pairedChannels)) & 1) !== 0 ? channel - pairedChannels : channel;
}

/** Works out what follows from the registers. */
export function refresh(s: Opl2State, o: OperatorState, operator: number): void {
  const offset = offsetOf[operator];
  const channel = noteChannel(s, operator);
  const frequency = frequencyOf(s, channel);
  const block = blockOf(s, channel);
  const flags = register(s, 0x20 + offset);
  o[FLAGS] = flags;
  o[STEP] = phaseStep(frequency, block, flags);
  const levels = register(s, 0x40 + offset);
  const scale = (keyScaleLevels[frequency >> 6] << 2) - ((8 - block) << 5);
  o[ATTENUATION] = ((levels & 63) << 2) + (Math.max(0, scale) >> keyScaleShifts[levels >> 6]);
  const select = register(s, 0xe0 + offset);
  o[WAVEFORM] = s[fields.isNew] !== 0 ? select & 7 : (register(s, 1) & 0x20) !== 0 ? select & 3 : 0;

  const split = (register(s, 0x08) & 0x40) !== 0 ? 8 : 9;
  const keyCode = (block << 1) | ((frequency >> split) & 1);
  const scaling = (flags & 0x10) !== 0 ? keyCode : keyCode >> 2;
  const rate = (speed: number) => (speed === 0 ? 0 : Math.min(63, (speed << 2) + scaling));
  const attackDecay = register(s, 0x60 + offset);
  const sustainRelease = register(s, 0x80 + offset);
  o[ATTACK_RATE] = rate(attackDecay >> 4);
  o[DECAY_RATE] = rate(attackDecay & 15);
  // A sound that does not sustain goes on falling.
  o[SUSTAIN_RATE] = (flags & 0x20) !== 0 ? 0 : rate(sustainRelease & 15);
  o[RELEASE_RATE] = rate(sustainRelease & 15);
  const sustain = sustainRelease >> 4;
  o[SUSTAIN_LEVEL] = (sustain === 15 ? 31 : sustain) << 4;
}

/** A key goes down or up; `key` tells whose. */
export function setKey(o: OperatorState, key: number, down: boolean): void {
  const before = o[KEYS];
  o[KEYS] = down ? before | key : before & ~key;
  if (before === 0 && down) {
    o[STAGE] = ATTACK;
    o[PHASE] = 0;
  } else if (before !== 0 && o[KEYS] === 0) o[STAGE] = RELEASE;
}

/** A sample further: phase, and envelope. `clock` counts samples. */
export function advance(s: Opl2State, o: OperatorState, operator: number, clock: number): void {
  let step = o[STEP];
  if ((o[FLAGS] & VIBRATO) !== 0) {
    const channel = noteChannel(s, operator);
    const frequency = frequencyOf(s, channel);
    step = phaseStep(frequency + vibrato(s, frequency, clock), blockOf(s, channel), o[FLAGS]);
  }
  o[PHASE] = (o[PHASE] + step) & 0x7ffff;
  advanceEnvelope(o, clock);
}

/** 6.1 Hz, of 7 or 14 cents. */
function vibrato(s: Opl2State, frequency: number, clock: number): number {
  const position = (clock >> 10) & 7;
  let range = (position & 3) === 0 ? 0 : (frequency >> 7) & 7;
  if ((position & 1) !== 0) range >>= 1;
  if ((register(s, 0xbd) & 0x40) === 0) range >>= 1;
  return (position & 4) !== 0 ? -range : range;
}

/** 3.7 Hz, of 1 or 4.8 dB. */
function tremolo(s: Opl2State, clock: number): number {
  const position = Math.floor(clock / 64) % 210;
  const depth = position < 105 ? position : 210 - position;
  return depth >> ((register(s, 0xbd) & 0x80) !== 0 ? 2 : 4);
}

function advanceEnvelope(o: OperatorState, clock: number): void {
  const level = o[LEVEL];
  if (o[STAGE] === ATTACK) {
    if (level === 0) o[STAGE] = DECAY;
    else {
      const rate = o[ATTACK_RATE];
      if (rate >= 60) o[LEVEL] = 0;
      else if (rate !== 0) o[LEVEL] = Math.max(0, level + ((~level * envelopeStep(rate, clock)) >> 3));
      return;
    }
  }
  if (o[STAGE] === DECAY && level >= o[SUSTAIN_LEVEL]) o[STAGE] = SUSTAIN;
  const stage = o[STAGE];
  const rate = stage === DECAY ? o[DECAY_RATE] : stage === SUSTAIN ? o[SUSTAIN_RATE] : o[RELEASE_RATE];
  if (rate !== 0) o[LEVEL] = Math.min(SILENT, level + envelopeStep(rate, clock));
}

/** Rates below 52 step by at most one at intervals of powers of two, those above by more at every sample. */
function envelopeStep(rate: number, clock: number): number {
  const group = rate >> 2;
  if (group >= 13) {
    if (group === 15) return 4;
    return 1 << (group - 13 + envelopeSteps[((rate & 3) << 3) | (clock & 7)]);
  }
  const shift = 12 - group;
  if ((clock & ((1 << shift) - 1)) !== 0) return 0;
  return envelopeSteps[((rate & 3) << 3) | ((clock >> shift) & 7)];
}

/** The wave at a place (ten bits), attenuated by envelope, level and scaling. */
export function output(s: Opl2State, o: OperatorState, place: number, clock: number): number {
  const level = o[LEVEL];
  if (level >= SILENT) return 0;
  let attenuation = level + o[ATTENUATION];
  if ((o[FLAGS] & TREMOLO) !== 0) attenuation += tremolo(s, clock);
  return wave(o[WAVEFORM], place & 1023, Math.min(SILENT, attenuation));
}

/**
 * 0 sine, 1 its upper half, 2 both halves upwards, 3 the rising quarters of those; of an OPL3 alone: 4 a sine of half the length
 * and then nothing, 5 the same upwards, 6 a square, 7 a sawtooth that falls by powers.
 */
function wave(waveform: number, place: number, attenuation: number): number {
  const lower = (place & 512) !== 0;
  if (waveform >= 4) return laterWave(waveform, place, attenuation);
  if (waveform === 1 && lower) return 0;
  if (waveform === 3 && (place & 256) !== 0) return 0;
  const quarter = (place & 256) !== 0 ? 255 - (place & 255) : place & 255;
  const size = power(logSine[quarter] + (attenuation << 3));
  return waveform === 0 && lower ? -size : size;
}

function laterWave(waveform: number, place: number, attenuation: number): number {
  const lower = (place & 512) !== 0;
  if (waveform === 6) return lower ? -power(attenuation << 3) : power(attenuation << 3);
  if (waveform === 7) {
    const falling = (lower ? 511 - (place & 511) : place & 511) << 3;
    return lower ? -power(falling + (attenuation << 3)) : power(falling + (attenuation << 3));
  }
  if (lower) return 0;
  const quick = (place << 1) & 1023;
  const quarter = (quick & 256) !== 0 ? 255 - (quick & 255) : quick & 255;
  const size = power(logSine[quarter] + (attenuation << 3));
  return waveform === 4 && (quick & 512) !== 0 ? -size : size;
}

function power(level: number): number {
  return ((powers[(level & 255) ^ 255] | 1024) << 1) >> (level >> 8);
}
