/** Every word of a WD1770 or WD1772. */
export const fields = {
  /** Registers. Of the status, the bits that the chip itself keeps. */
  status: 0,
  command: 1,
  track: 2,
  sector: 3,
  data: 4,
  /** The pin INTRQ: 1 is high. */
  interrupt: 5,
  /** What it is doing (see `phase`), and the ticks until that goes on, for what takes a time. */
  phase: 6,
  wait: 7,
  /** The turn of the disk: the byte that is next under the head, and the ticks until it is. */
  place: 8,
  byteLeft: 9,
  /** Index pulses since something began. */
  turns: 10,
  /** Bytes left of what is being read or written. */
  count: 11,
  crc: 12,
  /** Bytes of the sector whose header was read. */
  size: 13,
  /** 1: steps go inwards. */
  inward: 14,
  /** How many marks have just passed; while a track is written, 1 if the checksum is running. */
  marks: 15,
  /** 1: the status is that of a command that moves the head. */
  isMoving: 16,
} as const;

export const stateWords = 18;

export const phase = {
  idle: 0,
  prepare: 1,
  spinUp: 2,
  step: 3,
  settle: 4,
  findHeader: 5,
  header: 6,
  findData: 7,
  readData: 8,
  readSum: 9,
  writeGap: 10,
  writeLead: 11,
  writeData: 12,
  writeSum: 13,
  readTrack: 14,
  awaitTrack: 15,
  writeTrack: 16,
  writeTrackSum: 17,
  close: 18,
} as const;

export const status = {
  busy: 0x01,
  /** Also the index pulse, after a command that moves the head. */
  dataRequest: 0x02,
  /** Also track 0. */
  lostData: 0x04,
  checksum: 0x08,
  notFound: 0x10,
  /** Of a deleted sector; after a command that moves the head: the motor has its speed. */
  deleted: 0x20,
  protected: 0x40,
  motor: 0x80,
} as const;

type FieldIndex = (typeof fields)[keyof typeof fields];

export type Wd1770State = Int32Array & { [index in FieldIndex]: number };
