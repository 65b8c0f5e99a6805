/** Every word of the channel. Counts of microseconds take two words. */
export const fields = {
  features: 0,
  error: 1,
  count: 2,
  sector: 3,
  cylinderLow: 4,
  cylinderHigh: 5,
  /** Bit 4 chooses the drive, bit 6 addresses by number. */
  drive: 6,
  status: 7,
  control: 8,
  irq: 9,
  /** What a data transfer is for: one of `transfers`. */
  transfer: 10,
  /** Sectors that are still to come, the next one, those of a block that are left, and bytes of the present one so far. */
  left: 11,
  next: 12,
  block: 13,
  position: 14,
  /** For each drive: heads and sectors as a program has set them, sectors of READ MULTIPLE. */
  heads: 16,
  sectors: 18,
  multiple: 20,
  /** When what is under way goes on; 0: nothing is. */
  due: 22,
  /** The command that is under way. */
  command: 24,
  buffer: 25,
} as const;

export const transfers = { none: 0, toHost: 1, toDisk: 2, identity: 3 } as const;

export const stateWords = 25 + 512;

/** Lengths of what takes more than a word, for a table of state. */
export const lengths: Readonly<Record<string, number>> = { heads: 2, sectors: 2, multiple: 2, due: 2, buffer: 512 };
