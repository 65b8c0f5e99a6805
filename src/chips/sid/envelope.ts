import { type VoiceState, voiceFields } from './fields.ts';
import { tracedEnvelopes } from './trace-space.ts';

/**
 * Envelope generator: a 15 bit rate counter (a shift register in the chip, so it has 32767 states) that is compared for
 * equality, an exponential divider, and an 8 bit counter. A period set below the counter's value costs a full round: the
 * ADSR delay bug. Pipeline delays are those of the chip's die as published by the reSID and libsidplayfp authors.
 */
const ATTACK_REGISTER = voiceFields.attack;
const DECAY_REGISTER = voiceFields.decay;
const SUSTAIN = voiceFields.sustain;
const RELEASE_REGISTER = voiceFields.release;
const GATE = voiceFields.gate;
const PHASE = voiceFields.phase;
const NEXT_PHASE = voiceFields.nextPhase;
const PHASE_COUNTDOWN = voiceFields.phaseCountdown;
const RATE = voiceFields.rateCounter;
const PERIOD = voiceFields.ratePeriod;
const RATE_RESET = voiceFields.rateReset;
const DIVIDER = voiceFields.exponentialCounter;
const DIVIDER_PERIOD = voiceFields.exponentialPeriod;
const NEXT_DIVIDER_PERIOD = voiceFields.nextExponentialPeriod;
const DIVIDER_COUNTDOWN = voiceFields.exponentialCountdown;
const STEP_COUNTDOWN = voiceFields.envelopeCountdown;
const COUNTING = voiceFields.counting;
const ENVELOPE = voiceFields.envelope;
const ENV = voiceFields.env;

const ATTACK = 0;
const DECAY = 1;
const RELEASE = 2;

/** Cycles between steps, less one. */
const PERIODS = Int32Array.of(8, 31, 62, 94, 148, 219, 266, 312, 391, 976, 1953, 3125, 3906, 11719, 19531, 31250);
const period = (rate: number): number => PERIODS[rate];

export function resetEnvelope(v: VoiceState): void {
  for (let i = ATTACK_REGISTER; i < ENVELOPE; i++) v[i as typeof ATTACK_REGISTER] = 0;
  v[PHASE] = RELEASE;
  v[NEXT_PHASE] = RELEASE;
  v[RATE_RESET] = 1;
  v[DIVIDER_PERIOD] = 1;
  v[COUNTING] = 1;
  v[PERIOD] = period(0);
}

export function clockEnvelope(v: VoiceState): void {
  v[ENV] = v[ENVELOPE];
  if (v[NEXT_DIVIDER_PERIOD] !== 0) {
    v[DIVIDER_PERIOD] = v[NEXT_DIVIDER_PERIOD];
    v[NEXT_DIVIDER_PERIOD] = 0;
  }
  if (v[PHASE_COUNTDOWN] !== 0) switchPhase(v);
  if (v[STEP_COUNTDOWN] !== 0 && --v[STEP_COUNTDOWN] === 0) {
    if (v[COUNTING] !== 0) step(v);
  } else if (v[DIVIDER_COUNTDOWN] !== 0 && --v[DIVIDER_COUNTDOWN] === 0) {
    v[DIVIDER] = 0;
    if (v[PHASE] === RELEASE || (v[PHASE] === DECAY && v[ENVELOPE] !== v[SUSTAIN])) v[STEP_COUNTDOWN] = 1;
  } else if (v[RATE_RESET] !== 0) {
    v[RATE] = 0;
    v[RATE_RESET] = 0;
    if (v[PHASE] === ATTACK) {
      v[DIVIDER] = 0;
      v[STEP_COUNTDOWN] = 2;
    } else if (v[COUNTING] !== 0 && ++v[DIVIDER] === v[DIVIDER_PERIOD]) {
      v[DIVIDER_COUNTDOWN] = v[DIVIDER_PERIOD] !== 1 ? 2 : 1;
    }
  }
  if (v[RATE] === v[PERIOD]) v[RATE_RESET] = 1;
  else if (++v[RATE] === 0x8000) v[RATE] = 1;
}

/** The same as this many calls of `clockEnvelope`. */
export function catchUpEnvelope(v: VoiceState, cycles: number): void {
  let left = cycles;
  while (left > 0) left -= runEnvelope(v, left);
}

/** The same, noting the envelope of each cycle in `tracedEnvelopes`. The answer is whether it was ever above zero. */
export function traceEnvelope(v: VoiceState, cycles: number, start: number): boolean {
  let isOpen = false;
  const end = start + cycles;
  for (let at = start; at < end; ) {
    const before = v[ENVELOPE];
    const next = at + runEnvelope(v, end - at);
    tracedEnvelopes.fill(before, at, next);
    tracedEnvelopes[next - 1] = v[ENVELOPE];
    isOpen ||= (before | v[ENVELOPE]) !== 0;
    at = next;
  }
  return isOpen;
}

/** Runs at most so many cycles, and no further than the one in which the envelope changes; the answer is how many. */
function runEnvelope(v: VoiceState, limit: number): number {
  const envelope = v[ENVELOPE];
  let left = limit;
  while (left > 0 && v[ENVELOPE] === envelope) {
    const busy = v[NEXT_DIVIDER_PERIOD] | v[PHASE_COUNTDOWN] | v[STEP_COUNTDOWN] | v[DIVIDER_COUNTDOWN];
    if (busy === 0 && v[COUNTING] === 0 && v[PHASE] !== ATTACK && v[RATE] !== 0 && v[RATE] <= v[PERIOD]) {
      // Frozen at zero: the rate counter goes round, 1 to period and one cycle for the reset.
      const place = (v[RATE_RESET] !== 0 ? v[PERIOD] : v[RATE] - 1) + left;
      const turned = place % (v[PERIOD] + 1);
      v[RATE_RESET] = turned === v[PERIOD] ? 1 : 0;
      v[RATE] = turned === v[PERIOD] ? turned : turned + 1;
      v[ENV] = v[ENVELOPE];
      return limit;
    }
    if (busy === 0 && v[RATE_RESET] === 0) {
      left -= skipTurns(v, left);
      left -= skipToMatch(v, left);
      if (left === 0) return limit;
    }
    clockEnvelope(v);
    left--;
  }
  return limit - left;
}

/** Whole turns of the rate counter that only advance the divider: until its last, or for ever at the sustain level. */
function skipTurns(v: VoiceState, cycles: number): number {
  // Below 3 the divider may still be at what the last match has begun.
  if (v[RATE] < 3 || v[RATE] > v[PERIOD]) return 0;
  if (v[PHASE] === ATTACK || v[COUNTING] === 0 || v[DIVIDER] >= v[DIVIDER_PERIOD]) return 0;
  const isHeld = v[PHASE] === DECAY && v[ENVELOPE] === v[SUSTAIN];
  const possible = Math.floor(cycles / (v[PERIOD] + 1));
  const turns = isHeld ? possible : Math.min(possible, v[DIVIDER_PERIOD] - 1 - v[DIVIDER]);
  v[DIVIDER] = (v[DIVIDER] + turns) % v[DIVIDER_PERIOD];
  v[ENV] = v[ENVELOPE];
  return turns * (v[PERIOD] + 1);
}

/** The rate counter up to where it matches the period. */
function skipToMatch(v: VoiceState, cycles: number): number {
  const rate = v[RATE];
  const untilMatch = rate <= v[PERIOD] ? v[PERIOD] - rate : 0x7fff - rate + v[PERIOD];
  const skipped = Math.min(untilMatch, cycles);
  if (skipped === 0) return 0;
  v[RATE] = rate + skipped > 0x7fff ? rate + skipped - 0x7fff : rate + skipped;
  v[ENV] = v[ENVELOPE];
  return skipped;
}

export function gateEnvelope(v: VoiceState, gate: number): void {
  if (gate === v[GATE]) return;
  v[GATE] = gate;
  if (gate === 0) {
    v[NEXT_PHASE] = RELEASE;
    v[PHASE_COUNTDOWN] = v[STEP_COUNTDOWN] > 0 ? 3 : 2;
    return;
  }
  v[NEXT_PHASE] = ATTACK;
  v[PHASE_COUNTDOWN] = 2;
  if (v[RATE_RESET] !== 0 || v[DIVIDER_COUNTDOWN] === 2) {
    v[STEP_COUNTDOWN] = v[DIVIDER_PERIOD] === 1 || v[DIVIDER_COUNTDOWN] === 2 ? 2 : 4;
  } else if (v[DIVIDER_COUNTDOWN] === 1) v[PHASE_COUNTDOWN] = 3;
}

export function writeAttackDecay(v: VoiceState, value: number): void {
  v[ATTACK_REGISTER] = value >> 4;
  v[DECAY_REGISTER] = value & 15;
  if (v[PHASE] === ATTACK) v[PERIOD] = period(v[ATTACK_REGISTER]);
  else if (v[PHASE] === DECAY) v[PERIOD] = period(v[DECAY_REGISTER]);
}

export function writeSustainRelease(v: VoiceState, value: number): void {
  // Both halves of the counter are compared with the same four bits.
  v[SUSTAIN] = (value & 0xf0) | (value >> 4);
  v[RELEASE_REGISTER] = value & 15;
  if (v[PHASE] === RELEASE) v[PERIOD] = period(v[RELEASE_REGISTER]);
}

function switchPhase(v: VoiceState): void {
  const left = --v[PHASE_COUNTDOWN];
  if (v[NEXT_PHASE] === ATTACK) {
    // For one cycle the decay rate is selected.
    if (left === 1) v[PERIOD] = period(v[DECAY_REGISTER]);
    else if (left === 0) {
      v[PHASE] = ATTACK;
      v[PERIOD] = period(v[ATTACK_REGISTER]);
      v[COUNTING] = 1;
    }
  } else if (v[NEXT_PHASE] === DECAY) {
    if (left === 0) {
      v[PHASE] = DECAY;
      v[PERIOD] = period(v[DECAY_REGISTER]);
    }
  } else if ((v[PHASE] === ATTACK && left === 0) || (v[PHASE] === DECAY && left === 1)) {
    v[PHASE] = RELEASE;
    v[PERIOD] = period(v[RELEASE_REGISTER]);
  }
}

function step(v: VoiceState): void {
  if (v[PHASE] === ATTACK) {
    v[ENVELOPE] = (v[ENVELOPE] + 1) & 0xff;
    if (v[ENVELOPE] === 0xff) {
      v[NEXT_PHASE] = DECAY;
      v[PHASE_COUNTDOWN] = 3;
    }
  } else {
    v[ENVELOPE] = (v[ENVELOPE] - 1) & 0xff;
    if (v[ENVELOPE] === 0) v[COUNTING] = 0;
  }
  switch (v[ENVELOPE]) {
    case 0xff:
    case 0x00:
      v[NEXT_DIVIDER_PERIOD] = 1;
      break;
    case 0x5d:
      v[NEXT_DIVIDER_PERIOD] = 2;
      break;
    case 0x36:
      v[NEXT_DIVIDER_PERIOD] = 4;
      break;
    case 0x1a:
      v[NEXT_DIVIDER_PERIOD] = 8;
      break;
    case 0x0e:
      v[NEXT_DIVIDER_PERIOD] = 16;
      break;
    case 0x06:
      v[NEXT_DIVIDER_PERIOD] = 30;
      break;
  }
}
