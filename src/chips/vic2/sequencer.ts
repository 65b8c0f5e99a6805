/*
 * The graphics data sequencer: the pipeline from the g-access to eight pixels (a 2-bit value and a colour code each).
 * While the video mode is settled, four pixels are coloured at a time; in the one or two cycles after a mode write each
 * pixel goes its own way, because ECM, BMM and MCM reach the units at different pixels (and differ NMOS/HMOS).
 */
import { cycleFlag } from './cycle-table.ts';
import { fields, type Vic2State } from './fields.ts';
import type { Vic2Timing } from './models.ts';
import { mask1, mask2, mask3, maskForeground, pixelValuesOf, scrolled0, scrolled1, serial } from './pixel-tables.ts';

const D011 = fields.d011;
const D016 = fields.d016;
const D011_BEFORE = fields.d011Before;
const X_SCROLL = fields.xScroll;
const ECM_BMM = fields.modeEcmBmm;
const MCM = fields.modeMcm;
const MCM_SHIFT = fields.modeMcmShift;
const G_SHIFT = fields.gShift;
const G_FLOP = fields.gFlop;
const G_PIXEL = fields.gPixel;
const C_SHIFT = fields.cShift;
const V_SHIFT = fields.vShift;
const G0 = fields.g0;
const C0 = fields.c0;
const V0 = fields.v0;
const G1 = fields.g1;
const C1 = fields.c1;
const V1 = fields.v1;
const G_BYTE = fields.gByte;
const DISPLAY_INDEX = fields.displayIndex;
const VERTICAL_BORDER = fields.verticalBorder;
const IDLE = fields.idle;
const MATRIX_LINE = fields.matrixLine;
const COLOR_LINE = fields.colorLine;
const PIXEL_VALUES = fields.pixelValues;
const MODE_ASKED = fields.modeAsked;
const MODE_SINCE = fields.modeSince;
const MODE_LATE = fields.modeLate;
const FRAME_POSITION = fields.framePosition;
const RENDER0 = fields.render0;
const RENDER1 = fields.render1;
const MATRIX = cycleFlag.matrix;
const MULTICOLOR = serial.multicolor;

const BACKGROUND = 0x21;
/** Cycles after which bits of a mode fall late on an HMOS chip. */
const LONG = 8;
const FOUR = 0x01010101;

/** Eight pixels. `hidden`: the border covers them all, so that only their values matter. */
export function drawGraphics(s: Vic2State, drawFlags: number, timing: Vic2Timing, hidden: boolean): void {
  const mode = s[ECM_BMM] | s[MCM];
  if (mode === ((s[D011] & 0x60) | (s[D016] & 0x10)) >> 2 && s[MCM] === s[MCM_SHIFT]) drawSettled(s, mode, hidden);
  else drawExact(s, timing);

  s[V1] = s[V0];
  s[C1] = s[C0];
  s[G1] = s[G0];
  if ((drawFlags & MATRIX) === 0 || s[VERTICAL_BORDER] !== 0) {
    s[G0] = 0;
    s[DISPLAY_INDEX] = 0;
    return;
  }
  s[G0] = s[G_BYTE];
  s[X_SCROLL] = s[D016] & 7;
  if (s[IDLE] !== 0) {
    s[V0] = 0;
    s[C0] = 0;
    return;
  }
  const index = s[DISPLAY_INDEX];
  s[V0] = s[MATRIX_LINE + index];
  s[C0] = s[COLOR_LINE + index];
  s[DISPLAY_INDEX] = index + 1;
}

function drawSettled(s: Vic2State, mode: number, hidden: boolean): void {
  const scroll = s[X_SCROLL];
  const oldC = s[C_SHIFT];
  const oldV = s[V_SHIFT];
  const c = s[C1];
  const v = s[V1];
  const g = s[G1];
  const kind = serialKind(mode, c);
  let values = pixelValuesOf[kind | g];
  if (scroll !== 0) {
    const oldG = s[G_SHIFT];
    const oldKind = serialKind(mode, oldC);
    let old = pixelValuesOf[oldKind | oldG];
    if (oldKind === MULTICOLOR && s[G_FLOP] === 0) {
      old = (s[G_PIXEL] << 14) | (pixelValuesOf[MULTICOLOR | ((oldG << 1) & 0xff)] >> 2);
    }
    values = (old & ~(0xffff >> (2 * scroll))) | (values >> (2 * scroll));
  }
  s[PIXEL_VALUES] = values;
  s[G_SHIFT] = (g << (8 - scroll)) & 0xff;
  s[G_FLOP] = (scroll & 1) ^ 1;
  s[G_PIXEL] = values & 3;
  s[C_SHIFT] = c;
  s[V_SHIFT] = v;
  if (hidden) return;

  const left = values >> 8;
  const right = values & 0xff;
  let word0 = colorGroup(mode, v, c, left);
  let word1 = colorGroup(mode, v, c, right);
  if (scroll !== 0) {
    const from0 = scrolled0[scroll];
    const from1 = scrolled1[scroll];
    word0 = (word0 & from0) | (colorGroup(mode, oldV, oldC, left) & ~from0);
    word1 = (word1 & from1) | (colorGroup(mode, oldV, oldC, right) & ~from1);
  }
  s[RENDER0] = word0;
  s[RENDER1] = word1;
}

/** Bits 9-8 of the table index: MCM, and whether BMM or bit 3 of the colour asks for multicolour. */
function serialKind(mode: number, c: number): number {
  return ((mode & 4) << 7) | (((mode | c) & 8) << 5);
}

/** Colour codes of four pixels. */
function colorGroup(mode: number, v: number, c: number, values: number): number {
  switch (mode) {
    case 0x00:
      return twoColors(BACKGROUND * FOUR, c * FOUR, values);
    case 0x04:
      return fourColors(BACKGROUND * FOUR, (BACKGROUND + 1) * FOUR, (BACKGROUND + 2) * FOUR, (c & 7) * FOUR, values);
    case 0x08:
      return twoColors((v & 15) * FOUR, (v >> 4) * FOUR, values);
    case 0x0c:
      return fourColors(BACKGROUND * FOUR, (v >> 4) * FOUR, (v & 15) * FOUR, c * FOUR, values);
    case 0x10:
      return twoColors((BACKGROUND + (v >> 6)) * FOUR, c * FOUR, values);
    default:
      return 0;
  }
}

function twoColors(background: number, foreground: number, values: number): number {
  return background ^ ((background ^ foreground) & maskForeground[values]);
}

function fourColors(c0: number, c1: number, c2: number, c3: number, values: number): number {
  const m1 = mask1[values];
  const m2 = mask2[values];
  const m3 = mask3[values];
  return (c0 & ~(m1 | m2 | m3)) | (c1 & m1) | (c2 & m2) | (c3 & m3);
}

function drawExact(s: Vic2State, timing: Vic2Timing): void {
  if (timing.nmos) drawExactNmos(s, timing.lateMulticolor);
  else drawExactHmos(s, timing);
}

function drawExactNmos(s: Vic2State, lateMulticolor: boolean): void {
  let values = 0;
  let word0 = 0;
  let word1 = 0;
  const target = (s[D011] & 0x60) >> 2;
  const mcm = (s[D016] & 0x10) >> 2;
  // Two splits of the test programs show single pixels elsewhere: ECM+BMM off (vicii_timing), MCM off while ECM is on
  // (videomode-z: the shift register is later, and a pixel of value 1 stays black for one more).
  const fallPixel = s[ECM_BMM] === 0x18 && target === 0 ? 5 : 6;
  const isLateMcm = lateMulticolor && mcm === 0 && s[MCM] !== 0 && s[ECM_BMM] === 0x10;
  for (let pixel = 0; pixel < 8; pixel++) {
    if (pixel === 4) {
      s[MCM] = mcm;
      s[ECM_BMM] |= target;
    }
    if (pixel === fallPixel) s[ECM_BMM] &= target;
    if (pixel === 7 && !isLateMcm) switchShift(s, mcm);
    const value = shiftPixel(s, pixel);
    values = (values << 2) | value;
    const colorMcm = isLateMcm && pixel === 4 && value === 1 ? 4 : s[MCM];
    const code = colorCode(s[ECM_BMM] | colorMcm, s[V_SHIFT], s[C_SHIFT], value);
    if (pixel < 4) word0 |= code << (8 * pixel);
    else word1 |= code << (8 * pixel - 32);
  }
  s[MCM_SHIFT] = mcm;
  s[PIXEL_VALUES] = values;
  s[RENDER0] = word0;
  s[RENDER1] = word1;
}

/**
 * After a mode that has lasted long (videomode: eight cycles and more) a bit falls a pixel later than it rises, after a short
 * one it does not (modesplit, vicii_timing: six and four), unless ECM and BMM fall together (vicii_timing). Of MCM that
 * holds for pixels of value 1, and for all pixels of an illegal mode.
 */
function drawExactHmos(s: Vic2State, timing: Vic2Timing): void {
  let values = 0;
  let word0 = 0;
  let word1 = 0;
  const mcm = (s[D016] & 0x10) >> 2;
  const target = (s[D011] & 0x60) >> 2;
  if ((target | mcm) !== s[MODE_ASKED]) askMode(s, target | mcm, timing);
  const staying = (s[D011_BEFORE] & 0x60) >> 2;
  const fallPixel = s[MODE_LATE] !== 0 || (s[ECM_BMM] & ~staying) === 0x18 ? 1 : 0;
  const isLateMcm = mcm === 0 && s[MCM] !== 0 && s[MODE_LATE] !== 0;
  for (let pixel = 0; pixel < 8; pixel++) {
    if (pixel === fallPixel) s[ECM_BMM] &= staying;
    if (pixel === 4) s[MCM] = mcm;
    if (pixel === 7) switchShift(s, mcm);
    const value = shiftPixel(s, pixel);
    values = (values << 2) | value;
    const isLate = isLateMcm && pixel === 4 && (value === 1 || (s[ECM_BMM] & 0x10) !== 0);
    const code = colorCode(s[ECM_BMM] | (isLate ? 4 : s[MCM]), s[V_SHIFT], s[C_SHIFT], value);
    if (pixel < 4) word0 |= code << (8 * pixel);
    else word1 |= code << (8 * pixel - 32);
  }
  s[ECM_BMM] |= target;
  s[MCM_SHIFT] = mcm;
  s[PIXEL_VALUES] = values;
  s[RENDER0] = word0;
  s[RENDER1] = word1;
}

function askMode(s: Vic2State, mode: number, { cyclesPerLine, lines }: Vic2Timing): void {
  const position = s[FRAME_POSITION];
  const words = position - s[MODE_SINCE];
  s[MODE_LATE] = (words < 0 ? words + 2 * cyclesPerLine * lines : words) >= 2 * LONG ? 1 : 0;
  s[MODE_SINCE] = position;
  s[MODE_ASKED] = mode;
}

/** MCM reaches the shift register. */
function switchShift(s: Vic2State, mcm: number): void {
  if (mcm !== 0 && s[MCM_SHIFT] === 0) s[G_FLOP] = 0;
  s[MCM_SHIFT] = mcm;
}

/** Takes the next pixel value out of the shift register. */
function shiftPixel(s: Vic2State, pixel: number): number {
  if (pixel === s[X_SCROLL]) {
    s[V_SHIFT] = s[V1];
    s[C_SHIFT] = s[C1];
    s[G_SHIFT] = s[G1];
    s[G_FLOP] = 1;
  }
  const bit = s[G_SHIFT] & 0x80;
  const pairs = ((s[ECM_BMM] | s[C_SHIFT]) & 8) !== 0;
  if (s[MCM_SHIFT] === 0) s[G_PIXEL] = bit === 0 ? 0 : pairs ? 2 : 3;
  else if (!pairs) s[G_PIXEL] = bit === 0 ? 0 : 3;
  else if (s[G_FLOP] !== 0) s[G_PIXEL] = s[G_SHIFT] >> 6;
  s[G_SHIFT] = (s[G_SHIFT] << 1) & 0xff;
  s[G_FLOP] ^= 1;
  return s[G_PIXEL];
}

function colorCode(mode: number, v: number, c: number, value: number): number {
  return colorGroup(mode, v, c, value << 6) & 0xff;
}
