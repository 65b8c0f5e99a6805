/** One of the eighteen operators. */
export const operatorFields = {
  /** 19 bits; the upper ten are the place in the wave. */
  phase: 0,
  /** Attenuation by the envelope: 0 loud, 511 silent. */
  level: 1,
  stage: 2,
  /** Output of this sample and of the one before (feedback takes both). */
  output: 3,
  before: 4,
  /** Keys that hold it down: 1 by its channel, 2 by the rhythm section. */
  keys: 5,
  /** What follows from the registers: phase step, attenuation, level at which decay ends, rates of the four stages. */
  step: 6,
  attenuation: 7,
  sustainLevel: 8,
  attackRate: 9,
  decayRate: 10,
  sustainRate: 11,
  releaseRate: 12,
  waveform: 13,
  /** Register 20h: vibrato and tremolo are worked out at every sample. */
  flags: 14,
} as const;

export const OPERATOR_WORDS = 16;

/** The rest of the chip. */
export const fields = {
  /** Bit 8: of the second set. */
  index: 288,
  noise: 289,
  /** Samples of 49,716 Hz worked out so far (two words). */
  sample: 290,
  /** The last sample's value. */
  value: 292,
  status: 293,
  /** Ticks of the master clock at which the timers were started (two words each); whether they run. */
  timer1Start: 294,
  timer2Start: 296,
  timersRun: 298,
  /** A bit for each operator that can be heard, or will be: its envelope is open. */
  open: 299,
  /** Ticks of the master clock at the last read of the status (two words). */
  lastRead: 300,
  /** OPL3: its new features are on; pairs of this set's channels that are one of four operators (3 bits). */
  isNew: 302,
  fours: 303,
  registers: 304,
} as const;

export const stateWords = 304 + 256;

/** Lengths of what takes more than a word, for a table of state. */
export const lengths: Readonly<Record<string, number>> = {
  sample: 2,
  timer1Start: 2,
  timer2Start: 2,
  lastRead: 2,
  registers: 256,
};

type FieldIndex = (typeof fields)[keyof typeof fields];
type OperatorIndex = (typeof operatorFields)[keyof typeof operatorFields];

export type Opl2State = Int32Array & { [index in FieldIndex]: number };
export type OperatorState = Int32Array & { [index in OperatorIndex]: number };
