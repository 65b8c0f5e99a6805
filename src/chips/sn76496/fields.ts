/** Every word of the chip. */
export const fields = {
  /** Tone 0, volume 0, tone 1 … noise, volume 3, as they were last written. */
  registers: 0,
  /** The register that data bytes go to. */
  latch: 8,
  /** The next sample of the sink (two words). */
  sample: 10,
} as const;

export const stateWords = 12;

/** Lengths of what takes more than a word, for a table of state. */
export const lengths: Readonly<Record<string, number>> = { registers: 8, sample: 2 };
