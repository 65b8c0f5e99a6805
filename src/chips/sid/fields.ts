/** The words of one voice. */
export const voiceFields = {
  accumulator: 0,
  frequency: 1,
  pulseWidth: 2,
  /** Bits 4-7 of the control register. */
  waveform: 3,
  test: 4,
  ring: 5,
  sync: 6,
  /** Bit 23 of the accumulator rose in the last cycle. */
  msbRising: 7,
  /** The noise register, what phase 1 of a shift has latched, and how many cycles a shift still takes. */
  noise: 8,
  noiseLatch: 9,
  shiftCountdown: 10,
  /** The test bit (or reset) as latched for the noise register's feedback. */
  testLatch: 11,
  /** Noise as waveform bits. */
  noiseOutput: 12,
  /** Pulse comparator of the last cycle: 0 or 0xfff. */
  pulseOutput: 13,
  /** What enters the waveform DAC, what OSC3 shows (12 bits), and the 8580's half cycle of triangle and sawtooth. */
  waveOutput: 14,
  osc: 15,
  triangleSawLatch: 16,
  /** Cycles until the noise register fades under the test bit, until a floating DAC input fades. */
  noiseFade: 17,
  floatFade: 18,
  attack: 19,
  decay: 20,
  sustain: 21,
  release: 22,
  gate: 23,
  /** 0 attack, 1 decay and sustain, 2 release; and the one that is being switched to. */
  phase: 24,
  nextPhase: 25,
  phaseCountdown: 26,
  rateCounter: 27,
  ratePeriod: 28,
  rateReset: 29,
  exponentialCounter: 30,
  exponentialPeriod: 31,
  nextExponentialPeriod: 32,
  exponentialCountdown: 33,
  envelopeCountdown: 34,
  counting: 35,
  envelope: 36,
  /** The envelope as ENV3 shows it: a cycle old. */
  env: 37,
} as const;

export const VOICE_WORDS = 38;

type VoiceName = keyof typeof voiceFields;
type Voice = 'voice1' | 'voice2' | 'voice3';

function voice<Name extends Voice>(name: Name, base: number): Record<`${Name}${Capitalize<VoiceName>}`, number> {
  const entries = Object.entries(voiceFields).map(([field, index]) => [
    `${name}${field[0]?.toUpperCase()}${field.slice(1)}`,
    base + index,
  ]);
  return Object.fromEntries(entries);
}

const GLOBALS = 3 * VOICE_WORDS;

/** Every word of a SID's state; `registers` holds the 32 bytes last written. */
export const fields = {
  ...voice('voice1', 0),
  ...voice('voice2', VOICE_WORDS),
  ...voice('voice3', 2 * VOICE_WORDS),
  busValue: GLOBALS,
  busFade: GLOBALS + 1,
  /** Inputs, set by the board. */
  potX: GLOBALS + 2,
  potY: GLOBALS + 3,
  registers: GLOBALS + 4,
} as const;

export const fieldLengths = { registers: 32 } as const;

export const stateWords = GLOBALS + 4 + 32;

/** One voice's part of the board's Int32Array, with every field known to be there. */
export type VoiceState = Int32Array & { [index in (typeof voiceFields)[VoiceName]]: number };
