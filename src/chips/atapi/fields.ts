/** Every word of the channel. Counts of microseconds take two words. */
export const fields = {
  features: 0,
  error: 1,
  /** The interrupt reason: bit 0 a command packet, bit 1 to the host. */
  reason: 2,
  sector: 3,
  /** Bytes that the next block may have, and then that it has. */
  countLow: 4,
  countHigh: 5,
  /** Bit 4 chooses the drive. */
  drive: 6,
  status: 7,
  control: 8,
  irq: 9,
  /** The ATA command that is under way. */
  command: 10,
  /** One of `phases`. */
  phase: 11,
  /** In the buffer: the next byte, the end of the present block, the end of all. */
  position: 12,
  blockEnd: 13,
  length: 14,
  /** Bytes of a block at most, as the host has asked. */
  limit: 15,
  /** Of a read: the next sector, those that are left, 1 for whole ones. */
  next: 16,
  left: 17,
  whole: 18,
  /** When what is under way goes on; 0: nothing is. */
  due: 20,
  /** For each drive: the failure that REQUEST SENSE tells, switched on a moment ago, changes of discs that were told. */
  sense: 22,
  awakened: 24,
  changes: 26,
  packet: 28,
  buffer: 40,
} as const;

export const phases = { none: 0, packet: 1, execute: 2, toHost: 3, fromHost: 4, sectors: 5 } as const;

export const packetBytes = 12;
/** As much as a whole sector of sound. */
export const bufferBytes = 2352;

export const stateWords = fields.buffer + bufferBytes;

/** Lengths of what takes more than a word, for a table of state. */
export const lengths: Readonly<Record<string, number>> = {
  due: 2,
  sense: 2,
  awakened: 2,
  changes: 2,
  packet: packetBytes,
  buffer: bufferBytes,
};
