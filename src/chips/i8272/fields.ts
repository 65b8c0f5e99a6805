/** Every word of the controller. Counts of microseconds take two words. */
export const fields = {
  /** Digital output register (3F2h), data rate (3F7h; -1 while nobody has set it). */
  dor: 0,
  rate: 1,
  /** One of `phases`. */
  phase: 2,
  /** Bytes of the command so far, or of the result, and the next of them to read. */
  length: 3,
  position: 4,
  bytes: 5,
  irq: 15,
  /** Drives that have not told yet how a seek or a reset ended (bits), and their ST0. */
  ended: 16,
  st0: 17,
  /** Cylinder under the head of each drive, and the one that it seeks. */
  cylinders: 21,
  wanted: 25,
  /** Drives that seek now (bits). */
  seeking: 29,
  /** Lines that tell of another disk (bits). */
  changed: 30,
  /** When what is under way ends; 0: nothing is. */
  due: 32,
  stepRate: 34,
  noDma: 35,
} as const;

export const phases = { idle: 0, executing: 1, result: 2 } as const;

export const stateWords = 36;

/** Lengths of what takes more than a word, for a table of state. */
export const lengths: Readonly<Record<string, number>> = { bytes: 10, st0: 4, cylinders: 4, wanted: 4, due: 2 };
