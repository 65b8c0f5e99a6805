export type Mos6560Model = '6560' | '6561';

export interface Mos6560Timing {
  readonly cyclesPerLine: number;
  /** Of a frame that is not interlaced. */
  readonly lines: number;
  readonly clockHz: number;
  readonly mostColumns: number;
  /** The counter that programs read is so many cycles ahead of the one that the picture is made with. */
  readonly counterAhead: number;
  /** What a monitor shows of the raster, in pixels and lines. */
  readonly visible: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** 6560 is the NTSC chip, 6561 the PAL one. */
export const mos6560Models: Readonly<Record<Mos6560Model, Mos6560Timing>> = {
  '6560': {
    cyclesPerLine: 65,
    lines: 261,
    clockHz: 1_022_727,
    mostColumns: 31,
    counterAhead: 37,
    visible: { x: 8, y: 28, width: 200, height: 234 },
  },
  '6561': {
    cyclesPerLine: 71,
    lines: 312,
    clockHz: 1_108_405,
    mostColumns: 32,
    counterAhead: 0,
    visible: { x: 24, y: 28, width: 224, height: 284 },
  },
};

export const pixelsPerCycle = 4;

/** Lines of the two fields of an interlaced picture; only the 6560 makes one. */
export const fieldLines = [263, 262] as const;

/** Bytes that a frame of any model fits into. */
export function mostFrameBytes(): number {
  return Math.max(...(Object.keys(mos6560Models) as Mos6560Model[]).map(frameBytes));
}

/** Room for the longest field. */
export function frameBytes(model: Mos6560Model): number {
  const { cyclesPerLine, lines } = mos6560Models[model];
  return cyclesPerLine * pixelsPerCycle * Math.max(lines, fieldLines[0]);
}
