/** Every word of the chip; its memory lies elsewhere. Register files have a word for each register. */
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
  /** See svga.ts. */
  svgaIndex: 18,
  /** 1 as soon as such a mode was on: until then memory beyond the first 256 KiB is empty. */
  svgaUsed: 19,
  svga: 20,
  /** What they mean for every access to memory: 1 where pixels are packed; what a plane's addresses begin with. */
  packed: 29,
  planeBank: 30,
  sequencer: 32,
  graphics: 48,
  attribute: 64,
  crtc: 96,
  dac: 128,
  /** What changed within frames: see line-log.ts. The frame (two words), whose turn it is, how many, the changes. */
  logFrame: 896,
  logBank: 898,
  logCounts: 899,
  log: 904,
} as const;

/** Without the log. */
export const registerWords = fields.logFrame;
export const stateWords = 904 + 2 * 2048 * 3;

/** Lengths of the register files, for a table of state. */
export const lengths: Readonly<Record<string, number>> = {
  startFrame: 2,
  svga: 9,
  sequencer: 8,
  graphics: 16,
  attribute: 32,
  crtc: 32,
  dac: 768,
  logFrame: 2,
  logCounts: 2,
  log: 2 * 2048 * 3,
};

/** Bytes of display memory: four planes, the four bytes of an address side by side. A VGA has the first 64 KiB of each. */
export const memoryBytes = 0x200000;
/** Where the same memory lies in one piece, far above all RAM. */
export const linearBuffer = 0xe0000000;
export const vgaMemoryBytes = 0x40000;

type FieldIndex = (typeof fields)[keyof typeof fields];

export type VgaState = Int32Array & { [index in FieldIndex]: number };
