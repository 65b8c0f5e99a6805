/** Where each word of the chip's state lies. */
export const fields = {
  /** The 32 registers as written. Those that count are kept below. */
  registers: 0,
  /** The horizontal counter, in half cycles of the single clock: 0 is the left edge of 40 columns. The processor's are even. */
  horizontal: 32,
  /** The line counter, what programs read of it half a cycle later, and what the rest of the chip knows of it two later. */
  line: 33,
  lineRead: 34,
  lineKnown: 35,
  /** The row of the monitor that is drawn, and pictures so far. */
  row: 36,
  frameCount: 37,
  /** 1: badlines can happen. */
  dmaEnabled: 38,
  /** Which fetches this line makes: bit 0 attributes, bit 1 characters, bit 7 it is time for them. */
  dma: 39,
  /** The way to the bus: 0 not wanted, 1 to 4 on the way, 5 the chip has it. */
  dmaStep: 40,
  /** $400 while characters are fetched, else 0. */
  dmaBase: 41,
  dmaPosition: 42,
  dmaReload: 43,
  dmaCounts: 44,
  /** Why there is only the single clock: bit 0 the picture is fetched, bit 1 $FF13 says so, bit 7 memory is refreshed. */
  single: 45,
  /** 1: the part of the line in which the picture may be fetched. */
  isFetchTime: 46,
  /** 1: from the line that enables badlines to the last of the picture. */
  renderWindow: 47,
  /** 1: not above or below the picture; and not left or right of it either. */
  displayWindow: 48,
  displayActive: 49,
  /** Blanking: bit 0 horizontal, bit 1 vertical. */
  blank: 50,
  /** Why no graphics are fetched: bit 0 left or right of the picture, bit 1 above or below it. */
  noGraphics: 51,
  /** The line within a row of characters, what it was in the line before, and whether it counts. */
  rowLine: 52,
  rowLineBefore: 53,
  rowLineCounts: 54,
  /** The character whose graphics are fetched ($3FF between pictures), where the row begins, and whether it counts. */
  position: 55,
  positionNow: 56,
  positionReload: 57,
  positionCounts: 58,
  /** The place in the buffers that is at work; 40: none, 60 to 63: before the first. */
  slot: 59,
  /** Scrolling and the mode as they are in effect, which is half a cycle or one after the registers. */
  scrollX: 60,
  scrollY: 61,
  mode: 62,
  /** Graphics on their way to the screen: fetched, waiting, and being shifted out, with what belongs to them. */
  nextGraphics: 63,
  nextAttribute: 64,
  nextCharacter: 65,
  nextCursor: 66,
  graphics: 67,
  attribute: 68,
  character: 69,
  cursor: 70,
  shownGraphics: 71,
  shownAttribute: 72,
  shownCharacter: 73,
  shownCursor: 74,
  /** Pixels of it that are out. */
  shownPixels: 75,
  isShifting: 76,
  /** Colour registers that were written in this half cycle, a bit each: their first pixel is white. */
  glitch: 77,
  /** $FF while flashing characters and the cursor are to be seen, else 0; and the counter. */
  flash: 78,
  flashCounter: 79,
  /** What is to be done in the next even half cycle, and in the next odd one: see `due`. */
  dueEven: 80,
  dueOdd: 81,
  irqFlags: 82,
  /** 1: the line counter has reached the line of the interrupt, which was told. */
  lineMatched: 83,
  /** Outputs: IRQ (1 = pulled), whether this half cycle is one of the processor's, and whether it may read in it. */
  irq: 84,
  clocked: 85,
  rdy: 86,
  /** 1: $FF3E, the processor sees ROM; 0: $FF3F. */
  romSelected: 87,
  /** What the keyboard said when it was asked. */
  keyboard: 88,
  timers: 89,
  timerReload: 92,
  /** A bit each. */
  timersRun: 93,
  /** The byte that was last on the bus. */
  bus: 94,
  refreshRow: 95,
  /** Attributes that are being fetched, those in use, and characters. */
  attributesNew: 96,
  attributes: 160,
  characters: 224,
} as const;

export const fieldLengths: Readonly<Record<string, number>> = {
  registers: 32,
  timers: 3,
  attributesNew: 64,
  attributes: 64,
  characters: 64,
};

export const stateWords = 288;

export type TedState = Int32Array & Record<(typeof fields)[keyof typeof fields], number>;

/** Bits of `dueEven` and `dueOdd`. */
export const due = {
  initialize: 1,
  rowLine: 2,
  single: 4,
  stopDma: 8,
  startTimer2: 16,
  scrollY: 32,
  scrollX: 64,
  mode: 128,
  clock: 256,
  resetRowLine: 512,
} as const;
