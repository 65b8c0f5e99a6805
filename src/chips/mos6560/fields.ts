/** Where each word of the chip's state lies. */
export const fields = {
  /** The sixteen registers as written, by the data sheet's names. */
  cr0: 0,
  cr1: 1,
  cr2: 2,
  cr3: 3,
  cr4: 4,
  cr5: 5,
  cr6: 6,
  cr7: 7,
  cr8: 8,
  cr9: 9,
  cra: 10,
  crb: 11,
  crc: 12,
  crd: 13,
  cre: 14,
  crf: 15,
  /** The raster: cycle in the line, line in the frame, frames so far. */
  cycle: 16,
  line: 17,
  frameCount: 18,
  /** Lines of this frame or field. */
  lines: 19,
  /** Up to this cycle there is nothing to do but to count `cycle` and to fetch what is shown. */
  freeUntil: 20,
  /** The vertical and the horizontal window: see `area` and `fetch`. */
  area: 21,
  fetch: 22,
  /** The line within a row, rows so far, and how many there are in this frame. */
  rowLine: 23,
  rowCount: 24,
  rows: 25,
  /** Columns that will be fetched: latched at the start of the line, and those in use. */
  columnsLatched: 26,
  columns: 27,
  /** The place in the matrix where a row begins, and what is added to it at the end of the line. */
  matrixCounter: 28,
  matrixStep: 29,
  /** 1: nothing was fetched in the line before, and in this one so far. */
  wasBlank: 30,
  isBlank: 31,
  /** The column being fetched, the character in it, and the cycle of the line up to which all is done. */
  column: 32,
  character: 33,
  fetchedTo: 34,
  /** The byte that was fetched last, and the color that came with it. */
  fetched: 35,
  fetchedColor: 36,
  /** What the processor left on the bus it shares with the chip, or -1 where the chip has fetched since. */
  busByte: 37,
  /** The address of the processor's last read there: the color of that place came along. */
  busAddress: 38,
  /** 1: what is fetched may depend on what the processor does, so it is fetched in time. */
  seesOpenBus: 39,
  /** The cycle in which the window opened: its first pixel is four times that. */
  windowStart: 40,
  /** Pixels of this line that are drawn. */
  drawn: 41,
  /** What pixels are made of: they follow the registers a little later. */
  border: 42,
  background: 43,
  auxiliary: 44,
  reverse: 45,
  /** What `reverse` becomes at pixel `reverseAt` of this line. */
  reverseNext: 46,
  reverseAt: 47,
  /** The light pen: its line (1 = high), whether it has triggered in this frame, what it left. */
  penLine: 48,
  penTriggered: 49,
  penDue: 50,
  penX: 51,
  penY: 52,
  /** Positions of the paddles. */
  potX: 53,
  potY: 54,
  /** Only the 6560: an interlaced picture, and which of its fields. */
  interlaced: 55,
  field: 56,
  /** Graphics and colors of the columns of this line. */
  graphics: 57,
  colors: 89,
} as const;

export const fieldLengths: Readonly<Record<string, number>> = {
  graphics: 32,
  colors: 32,
};

export const stateWords = 122;

export type Mos6560State = Int32Array & Record<(typeof fields)[keyof typeof fields], number>;

/** Values of `area`: above the window, before its first line, in it, below. */
export const area = { above: 0, pending: 1, inside: 2, below: 3 } as const;

/** Values of `fetch`: left of the window, waiting for the first column, about to fetch a character or its graphics, right of it. */
export const fetch = { left: 0, waiting: 1, matrix: 2, graphics: 3, right: 4 } as const;
