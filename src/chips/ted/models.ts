export interface TedTiming {
  /** Half cycles of the single clock in a second. */
  readonly clockHz: number;
  readonly lines: number;
  /** Lines at which the monitor starts a new picture, and those without one. */
  readonly syncLine: number;
  readonly blankFrom: number;
  readonly blankTo: number;
  /** What a monitor shows, in rows from `syncLine` on. */
  readonly visible: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

export const cyclesPerLine = 114;
export const pixelsPerCycle = 4;
export const pixelsPerLine = cyclesPerLine * pixelsPerCycle;
/** No picture has more rows, whatever a program does to the counters. */
export const mostRows = 320;
export const frameBytes = pixelsPerLine * mostRows;

/** What is read from FF07 tells which: bit 6 is set for NTSC. */
export const tedModels = {
  pal: {
    clockHz: 1_773_447,
    lines: 312,
    syncLine: 257,
    blankFrom: 251,
    blankTo: 269,
    visible: { x: 32, y: 18, width: 384, height: 288 },
  },
  ntsc: {
    clockHz: 1_789_772,
    lines: 262,
    syncLine: 229,
    blankFrom: 226,
    blankTo: 244,
    visible: { x: 32, y: 17, width: 384, height: 242 },
  },
} as const satisfies Readonly<Record<string, TedTiming>>;

export type TedModel = keyof typeof tedModels;
