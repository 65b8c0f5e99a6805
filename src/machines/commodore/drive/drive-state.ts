import { processorWords } from './processor-state.ts';

/** Channels 0-14 carry files; 15 is the command channel and has no words of its own. */
export const fileChannels = 15;
export const buffersOfDrive = 5;
export const commandBytes = 64;

/** What the words of one channel mean; they belong to it while `kind` is not 0. */
export const channelFields = {
  kind: 0,
  /** Which of the drive's buffers it holds. */
  buffer: 1,
  pointer: 2,
  /** Index of the last byte that can be read. */
  last: 3,
  /** The block in the buffer. */
  track: 4,
  sector: 5,
  /** Where the directory entry of a file being written lies. */
  entryTrack: 6,
  entrySector: 7,
  entryIndex: 8,
  blocks: 9,
  /** The type byte that the entry gets when the file is closed. */
  type: 10,
  /** 1 if an older file of the same name goes then. */
  replaces: 11,
  /** Relative files: the record it stands at, and whether bytes are being written to it. */
  record: 12,
  touched: 13,
} as const;

const channelWords = 14;

export type ChannelWords = Int32Array & Record<(typeof channelFields)[keyof typeof channelFields], number>;

export const driveFields = {
  connected: 0,
  /** Protocol: what it does on the bus, and the cycle (its low 32 bits) at which it does something on its own. */
  phase: 1,
  armed: 2,
  due: 3,
  pullsClock: 4,
  pullsData: 5,
  /** The bus as last seen. */
  lines: 6,
  role: 7,
  secondary: 8,
  /** $60, $E0 or $F0: what the secondary address was sent for. */
  purpose: 9,
  byte: 10,
  bitCount: 11,
  endOfInformation: 12,
  /** The disk: which contents it has at the moment (a hash, see DiskShelf). */
  hasDisk: 13,
  readOnly: 14,
  diskLow: 15,
  diskHigh: 16,
  /** The error channel. */
  statusCode: 17,
  statusTrack: 18,
  statusSector: 19,
  statusPosition: 20,
  commandLength: 21,
  /** 1 if the last byte under attention was meant for this drive, or for all. */
  concerned: 22,
  /** Which of `driveModels` it is, counted from 1; the words from `processor` on are its. 0: one without a processor of its own. */
  real: 23,
  command: 24,
  channels: 40,
  buffers: 250,
  /** With a processor: the image file that the disk came from. */
  sourceLow: 570,
  sourceHigh: 571,
  /** What it shall be where the disk allows it: 0 what suits the disk, a model as in `real`, or one after them: none with a processor. */
  wanted: 572,
  processor: 574,
} as const;

const driveFieldLengths: Readonly<Record<string, number>> = {
  command: commandBytes / 4,
  channels: fileChannels * channelWords,
  buffers: buffersOfDrive * 64,
  processor: processorWords,
};

const driveWords = driveFields.processor + processorWords;

export type DriveWords = Int32Array & Record<(typeof driveFields)[keyof typeof driveFields], number>;

export const driveUnits = [8, 9, 10, 11] as const;
export type DriveUnit = (typeof driveUnits)[number];

/** What stays of a drive while the power is off. */
export interface DrivePresence {
  readonly connected: boolean;
  readonly readOnly: boolean;
  readonly real: number;
  readonly wanted: number;
  /** Of one with a processor of its own: which file its disk came from. */
  readonly source: { readonly low: number; readonly high: number };
}

/** Words that the drives share, then those of each drive. */
export const busFields = {
  /** The lines as the computer drives them. */
  computer: 0,
  /** A bit for each drive that waits for a moment. */
  armed: 1,
} as const;

const busWords = 2;

export type BusWords = Int32Array & Record<(typeof busFields)[keyof typeof busFields], number>;

const placed = driveUnits.map((unit, index) => ({ unit, start: busWords + index * driveWords }));

/** All drives as one part of a machine's buffer. */
export const drivesPart = {
  words: busWords + driveUnits.length * driveWords,
  fields: {
    ...busFields,
    ...Object.fromEntries(
      placed.flatMap(({ unit, start }) =>
        Object.entries(driveFields).map(([name, at]) => [`unit${unit}.${name}`, start + at]),
      ),
    ),
  },
  lengths: Object.fromEntries(
    placed.flatMap(({ unit }) =>
      Object.entries(driveFieldLengths).map(([name, length]) => [`unit${unit}.${name}`, length]),
    ),
  ),
} as const;

export function wordsOfDrive(all: Int32Array, unit: DriveUnit): DriveWords {
  const start = busWords + (unit - 8) * driveWords;
  return all.subarray(start, start + driveWords) as DriveWords;
}

export function wordsOfChannel(drive: DriveWords, channel: number): ChannelWords {
  const start = driveFields.channels + channel * channelWords;
  return drive.subarray(start, start + channelWords) as ChannelWords;
}

/** Bytes that lie in the words of a drive from `field` on. */
export function bytesOfDrive(drive: DriveWords, field: number, length: number): Uint8Array {
  return new Uint8Array(drive.buffer, drive.byteOffset + field * 4, length);
}
