import { cycleTable } from './cycle-table.ts';

export type Vic2Model =
  | '6569R1'
  | '6569'
  | '8565'
  | '8565early'
  | '8565late'
  | '6567'
  | '8562'
  | '8562early'
  | '6567R56A';

/** What the first pixel of a cycle shows whose colour register was written in the cycle before: its old or new colour, or light grey. */
export type FirstPixel = 'old' | 'new' | 'grey';

/** What differs between the chips. */
export interface Vic2Timing {
  readonly cyclesPerLine: number;
  readonly lines: number;
  /** NMOS chips (65xx) and HMOS chips (85xx) differ in when register writes reach the pixels. */
  readonly nmos: boolean;
  readonly firstPixel: FirstPixel;
  /** Of the 6569: MCM that falls while ECM is on reaches the shift register and pixels of value 1 later. */
  readonly lateMulticolor: boolean;
  /** In the cycle after BMM has risen, a g-access that stays in RAM has the low byte of the old mode's address. */
  readonly tornBitmap: boolean;
  /** 6569R1 and 6567R56A raise the light pen interrupt only when the line is low as a frame begins. */
  readonly oldLightPen: boolean;
  /** The X a light pen that is still low at the start of a frame latches. */
  readonly lightPenRestartX: number;
  /** Per cycle (index 0 = cycle 1): what happens in it. */
  readonly flags: Int32Array;
  /** Per cycle: sprite X coordinate of its first pixel. */
  readonly x: Int32Array;
  /** The part of the frame a monitor shows; lines beyond the last continue at line 0. */
  readonly visible: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

const pal = { cyclesPerLine: 63, lines: 312, visible: { x: 104, y: 16, width: 384, height: 272 } };
const ntsc = { cyclesPerLine: 65, lines: 263, visible: { x: 104, y: 28, width: 384, height: 247 } };
const ntscOld = { ...ntsc, cyclesPerLine: 64, lines: 262 };

const palTable = cycleTable({ cycles: 63, sprite0: 58, spriteCheck: 55, spriteDisplay: 58, repeatedX: 0 });
const ntscTable = cycleTable({ cycles: 65, sprite0: 59, spriteCheck: 56, spriteDisplay: 59, repeatedX: 63 });
const ntscOldTable = cycleTable({ cycles: 64, sprite0: 59, spriteCheck: 56, spriteDisplay: 58, repeatedX: 0 });

const nmos = { nmos: true, firstPixel: 'old', lateMulticolor: false, tornBitmap: false } as const;
const nmosPal = { ...nmos, lateMulticolor: true } as const;
const hmos = { nmos: false, firstPixel: 'grey', lateMulticolor: false, tornBitmap: false } as const;

export const vic2Models: Readonly<Record<Vic2Model, Vic2Timing>> = {
  '6569R1': { ...pal, ...palTable, ...nmosPal, oldLightPen: true, lightPenRestartX: 0xd1 },
  '6569': { ...pal, ...palTable, ...nmosPal, oldLightPen: false, lightPenRestartX: 0xd1 },
  '8565': { ...pal, ...palTable, ...hmos, oldLightPen: false, lightPenRestartX: 0xd1 },
  '8565early': { ...pal, ...palTable, ...hmos, firstPixel: 'new', oldLightPen: false, lightPenRestartX: 0xd1 },
  '8565late': { ...pal, ...palTable, ...hmos, firstPixel: 'old', oldLightPen: false, lightPenRestartX: 0xd1 },
  '6567': { ...ntsc, ...ntscTable, ...nmos, tornBitmap: true, oldLightPen: false, lightPenRestartX: 0xd5 },
  '8562': { ...ntsc, ...ntscTable, ...hmos, oldLightPen: false, lightPenRestartX: 0xd5 },
  '8562early': { ...ntsc, ...ntscTable, ...hmos, firstPixel: 'new', oldLightPen: false, lightPenRestartX: 0xd5 },
  '6567R56A': { ...ntscOld, ...ntscOldTable, ...nmos, oldLightPen: true, lightPenRestartX: 0xd1 },
};

/** Bytes that a frame of any model fits into. */
export function mostFrameBytes(): number {
  return Math.max(...(Object.keys(vic2Models) as Vic2Model[]).map(frameBytes));
}

/** Bytes of a frame of the model: one palette index a pixel, all cycles of all lines. */
export function frameBytes(model: Vic2Model): number {
  const { cyclesPerLine, lines } = vic2Models[model];
  return cyclesPerLine * 8 * lines;
}
