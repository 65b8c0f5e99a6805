export const fields = {
  /** What was written to port 61h. */
  control: 0,
  /** The next sample (two words). */
  sample: 2,
} as const;

export const stateWords = 4;

type FieldIndex = (typeof fields)[keyof typeof fields];

export type PcSpeakerState = Int32Array & { [index in FieldIndex]: number };
