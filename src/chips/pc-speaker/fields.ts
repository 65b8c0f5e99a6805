export const fields = {
  /** What was written to port 61h. */
  control: 0,
  /** The next sample (two words). */
  sample: 2,
  /** The timer's tick up to which the cone is known (two words). */
  known: 4,
  /** Of the next sample, as far as it is known: ticks with the cone out less those with it in. */
  part: 6,
} as const;

export const stateWords = 8;

type FieldIndex = (typeof fields)[keyof typeof fields];

export type PcSpeakerState = Int32Array & { [index in FieldIndex]: number };
