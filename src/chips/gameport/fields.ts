export const fields = {
  /** Positions of the four axes, 0 to 255, or -1 where nothing is plugged in: x and y of stick 1, then of stick 2. */
  axes: 0,
  /** Buttons that are pressed, a bit each. */
  buttons: 4,
  /** Instruction counts (two words each) at which the one-shots end. */
  ends: 6,
} as const;

export const stateWords = 14;

/** Lengths of what takes more than a word, for a table of state. */
export const lengths: Readonly<Record<string, number>> = { axes: 4, ends: 8 };
