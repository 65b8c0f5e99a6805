/** Where each word of the VIC-II's state lives. Registers $D000-$D03F are words 0-63 as last written. */
export const fields = {
  regs: 0,
  d010: 0x10,
  d011: 0x11,
  d012: 0x12,
  d015: 0x15,
  d016: 0x16,
  d017: 0x17,
  d018: 0x18,
  d01a: 0x1a,
  d01b: 0x1b,
  d01c: 0x1c,
  d01d: 0x1d,

  // pins
  ba: 64,
  aec: 65,
  irq: 66,
  /** Input: 1 = line high, 0 = pulled low (light pen, fire button of port 1, or CIA 1 PB4). */
  lightPen: 67,

  // raster position
  cycle: 68,
  rasterLine: 69,
  frameCount: 70,
  startOfFrame: 71,
  framePosition: 72,
  /** Up to this cycle of the line BA and IRQ stay as they are and nothing needs a call (0 = not known). */
  freeUntil: 73,
  drawFlags: 74,
  drawX: 75,

  // interrupts
  irqStatus: 76,
  rasterIrqLine: 77,
  rasterMatch: 78,

  // bus
  /** Cycles until the VIC may use phi2 (4 while BA is high). */
  busDelay: 79,
  /** Read it with `phi1Byte()`: in quiet cycles it is kept up only to `workedCycle`. */
  lastPhi1Byte: 80,
  /** What the CPU put on the chip's data pins in the last phi2; $FF if it did not access the chip. */
  lastPhi2Byte: 81,
  refreshCounter: 82,
  /** $D011 as it was one cycle ago. */
  d011Before: 83,

  // graphics counters
  vc: 84,
  vcBase: 85,
  rc: 86,
  vmli: 87,
  idle: 88,
  badLine: 89,
  badLinesAllowed: 90,

  // border unit
  verticalBorder: 91,
  verticalBorderSet: 92,
  mainBorder: 93,
  borderShown: 94,

  // graphics pipeline
  gByte: 95,
  displayIndex: 96,
  g0: 97,
  c0: 98,
  v0: 99,
  g1: 100,
  c1: 101,
  v1: 102,
  xScroll: 103,
  /** ECM and BMM as the sequencer sees them, as bits 4 and 3. */
  modeEcmBmm: 104,
  /** MCM as the colour selector (bit 2) and, later, the shift register see it. */
  modeMcm: 105,
  modeMcmShift: 106,
  gShift: 107,
  gFlop: 108,
  gPixel: 109,
  cShift: 110,
  vShift: 111,

  // eight pixels in work: 2-bit values (leftmost in bits 15-14) and colour codes (leftmost in the low byte)
  pixelValues: 112,
  render0: 113,
  render1: 114,
  delayed0: 115,
  delayed1: 116,
  colorRegister: 117,
  colorValue: 118,
  colorRegisterLatched: 119,
  colorValueLatched: 120,

  // sprites
  spriteDma: 121,
  spriteDisplay: 122,
  spriteExpansion: 123,
  spritePending: 124,
  spriteActive: 125,
  spriteHalted: 126,
  spriteBehind: 127,
  spriteMulticolor: 128,
  spriteWide: 129,
  spriteWideFlops: 130,
  spriteMcFlops: 131,
  spriteChanged: 132,
  spriteSprite: 133,
  spriteBackground: 134,
  /** $1E or $1F when that collision register was read and is to be cleared. */
  clearCollision: 135,
  /** The register that was cleared a cycle ago: it takes no collisions in the first four pixels. */
  blockedCollision: 140,

  // light pen
  lightPenBefore: 136,
  lightPenTriggered: 137,
  lightPenX: 138,
  lightPenY: 139,

  // drawing that waits (see quiet-cycles.ts)
  /** Up to this cycle of the line only accesses and counters change (0 = not known). */
  quietUntil: 141,
  /** Where the work of a quiet cycle is found: a line of the vertical border, one with graphics, a bad line. */
  quietKind: 142,
  /** The last cycle of the line whose pixels are drawn. */
  drawnCycle: 143,
  /** The last cycle of the line whose accesses are done. */
  workedCycle: 408,
  /** 1 while the quiet cycles are those of lines with sprites. */
  quietSprites: 409,

  mc: 144,
  mcBase: 152,
  spritePointer: 160,
  spriteData: 168,
  spriteX: 176,
  spriteXLatched: 184,
  spriteShift: 192,
  spritePixel: 200,
  /** Colour codes to colours: 0-15 are themselves, $20-$2E the registers as the pixels see them. */
  colors: 208,
  matrixLine: 256,
  colorLine: 296,
  /** Graphics bytes fetched in the cycles of this line whose pixels are not drawn yet, by cycle. */
  gLine: 336,
  /** Line * 128 + cycle in which DMA of sprite 0 last began: BA falls late in that cycle. */
  spriteZeroStart: 410,
  /** HMOS chips: the video mode last asked for, where in the frame that was, and whether the one before had lasted long. */
  modeAsked: 411,
  modeSince: 412,
  modeLate: 413,
} as const;

/** Lengths in words of the fields that are arrays. */
export const fieldLengths = {
  regs: 64,
  mc: 8,
  mcBase: 8,
  spritePointer: 8,
  spriteData: 8,
  spriteX: 8,
  spriteXLatched: 8,
  spriteShift: 8,
  spritePixel: 8,
  colors: 48,
  matrixLine: 40,
  colorLine: 40,
  gLine: 72,
} as const;

export const stateWords = 414;

type FieldIndex = (typeof fields)[keyof typeof fields];

/** The state words; those with a name are known to be there. */
export type Vic2State = Int32Array & Record<FieldIndex, number>;
