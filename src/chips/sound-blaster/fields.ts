/** Every word of the card's DSP and mixer. Ticks of a microsecond take two words. */
export const fields = {
  resetting: 0,
  /** The command whose parameters are awaited (-1: none), and those there are. */
  command: 1,
  parameters: 2,
  parameter1: 3,
  parameter2: 4,
  speaker: 5,
  timeConstant: 6,
  /** The level on the DAC, in 16 bits; of a stereo sound the left one. */
  level: 7,
  /** One of `playingModes`; 0 for nothing. */
  playing: 8,
  /** 1: from the microphone to memory. */
  recording: 9,
  /** Samples in a byte: 1, or those of ADPCM. */
  samplesPerByte: 10,
  samplesLeft: 11,
  paused: 12,
  ending: 13,
  /** Of a block: bytes, or words in 16 bits. */
  blockBytes: 14,
  bytesLeft: 15,
  irq: 16,
  testRegister: 17,
  mixerIndex: 18,
  nextTick: 20,
  /** The next sample of the sink (two words). */
  sample: 22,
  /** The microsecond at which a reset is done (two words); 1 while one is under way. */
  readyTick: 42,
  waking: 44,
  /** 0 for bytes that are levels, else how they are packed: see adpcm.ts. */
  format: 45,
  /** The byte whose samples are being played, the step and the level they change. */
  adpcmData: 46,
  adpcmStep: 47,
  adpcmLevel: 19,
  mixer: 48,
  /** What command E2h answers with, and what it is mixed with. */
  identity: 304,
  identityKey: 305,
  /** How samples lie in memory; the next one goes to the right. */
  stereo: 306,
  wide: 307,
  signed: 308,
  right: 309,
  levelRight: 310,
  /** Samples a second where a program has said that, and parts of a microsecond that are left over. */
  rate: 311,
  tickPart: 312,
  irq16: 313,
  /** Deaf to commands until a block ends or a reset. */
  highSpeed: 314,
  parameter3: 315,
  replies: 316,
} as const;

export const playingModes = { oneBlock: 1, endless: 2, silence: 3 } as const;

export const repliesMost = 48;
export const stateWords = 316 + repliesMost + 2;

/** Lengths of what takes more than a word, for a table of state. */
export const lengths: Readonly<Record<string, number>> = {
  nextTick: 2,
  readyTick: 2,
  sample: 2,
  replies: repliesMost + 2,
  mixer: 256,
};

type FieldIndex = (typeof fields)[keyof typeof fields];

export type SoundBlasterState = Int32Array & { [index in FieldIndex]: number };
