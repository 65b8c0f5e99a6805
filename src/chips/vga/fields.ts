/** Every word of the chip; its 256 KiB of memory lie elsewhere. Register files have a word for each register. */
export const fields = {
  /** What the last read by the processor left: a byte of each plane, plane 0 lowest. */
  latch: 0,
  miscOutput: 1,
  featureControl: 2,
  sequencerIndex: 3,
  crtcIndex: 4,
  graphicsIndex: 5,
  /** With bit 5: the palette belongs to the picture, not to the processor. */
  attributeIndex: 6,
  /** 1: the next write to 3C0h is data. */
  attributeData: 7,
  dacMask: 8,
  dacReadIndex: 9,
  dacWriteIndex: 10,
  dacComponent: 11,
  /** What 3C7h shows: 3 reading, 0 writing. */
  dacState: 12,
  dacRed: 13,
  dacGreen: 14,
  /** The start address and the frame (two words) in which it was taken over. */
  start: 15,
  startFrame: 16,
  sequencer: 32,
  graphics: 48,
  attribute: 64,
  crtc: 96,
  dac: 128,
} as const;

export const stateWords = 128 + 768;

/** Lengths of the register files, for a table of state. */
export const lengths: Readonly<Record<string, number>> = {
  startFrame: 2,
  sequencer: 8,
  graphics: 16,
  attribute: 32,
  crtc: 32,
  dac: 768,
};

/** Bytes of display memory: four planes of 64 KiB, the four bytes of an address side by side. */
export const memoryBytes = 0x40000;

type FieldIndex = (typeof fields)[keyof typeof fields];

export type VgaState = Int32Array & { [index in FieldIndex]: number };
