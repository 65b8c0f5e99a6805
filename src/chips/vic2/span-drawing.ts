/*
 * Draws the graphics of several quiet cycles at once: no register was written, the border does not change.
 * The last cycle of a span is always drawn by the exact code, which leaves the pipeline as it has to be.
 */
import { fieldLengths, fields, type Vic2State } from './fields.ts';
import {
  hiresLeft,
  hiresRight,
  mask1,
  mask2,
  mask3,
  pixelValuesOf,
  plainCycles,
  scrolled0,
  scrolled1,
  serial,
  upperBits,
} from './pixel-tables.ts';

const COLORS = fields.colors;
const G_LINE = fields.gLine;
const ECM_BMM = fields.modeEcmBmm;
const MCM = fields.modeMcm;
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
const DISPLAY_INDEX = fields.displayIndex;
const MATRIX_LINE = fields.matrixLine;
const COLOR_LINE = fields.colorLine;
const D016 = fields.d016;
const IDLE = fields.idle;
const MULTICOLOR = serial.multicolor;
const FOUR = 0x01010101;
/** The last cycle in which graphics come in. */
const LAST_COLUMN = 55;
/** From a cycle in which graphics come in to the one in which they are drawn. */
const DELAY = 2;
/** Fewer cycles of text are not worth a loop of their own. */
const FEWEST_TEXT = 4;

/** Which pixels of the last span are foreground, by cycle, leftmost in bit 7; of all chips in this thread. */
export const foreground = new Uint8Array(fieldLengths.gLine);

/**
 * Draws the cycles `from` to `to` (of a line; flags are those of the cycle before) into the words of the frame from `position` on, which
 * are also given as numbers of eight pixels.
 * Only for spans whose cycles are columns outside the vertical border, or the two after them in which the pipeline runs empty.
 */
export function drawSpan(
  s: Vic2State,
  frame: Int32Array,
  wholeCycles: Float64Array,
  position: number,
  from: number,
  to: number,
): void {
  const mode = s[ECM_BMM] | s[MCM];
  const scroll = s[D016] & 7;
  const idle = s[IDLE] !== 0;
  const background = s[COLORS + 0x21] * FOUR;
  const color1 = s[COLORS + 0x22] * FOUR;
  const color2 = s[COLORS + 0x23] * FOUR;
  const from0 = scrolled0[scroll];
  const from1 = scrolled1[scroll];
  const byte = mode & 8;
  let index = s[DISPLAY_INDEX];
  let oldG = s[G_SHIFT];
  let oldC = s[C_SHIFT];
  let oldV = s[V_SHIFT];
  let flop = s[G_FLOP];
  let pixel = s[G_PIXEL];
  let g0 = s[G0];
  let c0 = s[C0];
  let v0 = s[V0];
  let g = s[G1];
  let c = s[C1];
  let v = s[V1];
  let out = position;
  // What comes in within the span is shown two cycles later.
  const lastText = (mode | scroll) === 0 ? Math.min(to, LAST_COLUMN) : 0;
  for (let cycle = from; cycle <= to; cycle++) {
    if (cycle === from + DELAY && cycle + FEWEST_TEXT <= lastText) {
      const count = lastText - from - DELAY;
      if (isBlank(s, cycle, count)) drawBlank(s, wholeCycles, out >> 1, cycle, count);
      else drawText(s, frame, out, cycle, count, idle ? -1 : index - DELAY);
      cycle += count;
      out += 2 * count;
      if (!idle) index += count;
      oldG = 0;
      oldC = idle ? 0 : s[COLOR_LINE + index - 3];
      oldV = idle ? 0 : s[MATRIX_LINE + index - 3];
      g = s[G_LINE + cycle - 2];
      c = idle ? 0 : s[COLOR_LINE + index - 2];
      v = idle ? 0 : s[MATRIX_LINE + index - 2];
      g0 = s[G_LINE + cycle - 1];
      c0 = idle ? 0 : s[COLOR_LINE + index - 1];
      v0 = idle ? 0 : s[MATRIX_LINE + index - 1];
    }
    let word0 = 0;
    let word1 = 0;
    if ((mode & 4) === 0) {
      const bits = scroll === 0 ? g : (oldG & ~(0xff >> scroll)) | (g >> scroll);
      const left = hiresLeft[bits];
      const right = hiresRight[bits];
      let paper = background;
      let ink = c * FOUR;
      if (mode === 0x08) {
        paper = (v & 15) * FOUR;
        ink = (v >> 4) * FOUR;
      } else if (mode === 0x10) {
        paper = s[COLORS + 0x21 + (v >> 6)] * FOUR;
      }
      word0 = paper ^ ((paper ^ ink) & left);
      word1 = paper ^ ((paper ^ ink) & right);
      if (scroll !== 0) {
        let oldPaper = background;
        let oldInk = oldC * FOUR;
        if (mode === 0x08) {
          oldPaper = (oldV & 15) * FOUR;
          oldInk = (oldV >> 4) * FOUR;
        } else if (mode === 0x10) {
          oldPaper = s[COLORS + 0x21 + (oldV >> 6)] * FOUR;
        }
        word0 = (word0 & from0) | ((oldPaper ^ ((oldPaper ^ oldInk) & left)) & ~from0);
        word1 = (word1 & from1) | ((oldPaper ^ ((oldPaper ^ oldInk) & right)) & ~from1);
      }
      foreground[cycle] = bits;
      pixel = (bits & 1) === 0 ? 0 : ((byte | c) & 8) !== 0 ? 2 : 3;
    } else {
      const kind = 0x200 | (((byte | c) & 8) << 5);
      let values = pixelValuesOf[kind | g];
      if (scroll !== 0) {
        const oldKind = 0x200 | (((byte | oldC) & 8) << 5);
        let old = pixelValuesOf[oldKind | oldG];
        if (oldKind === MULTICOLOR && flop === 0) {
          old = (pixel << 14) | (pixelValuesOf[MULTICOLOR | ((oldG << 1) & 0xff)] >> 2);
        }
        values = (old & ~(0xffff >> (2 * scroll))) | (values >> (2 * scroll));
      }
      pixel = values & 3;
      const left = values >> 8;
      const right = values & 0xff;
      foreground[cycle] = (upperBits[left] << 4) | upperBits[right];
      const one = byte === 0 ? color1 : (v >> 4) * FOUR;
      const two = byte === 0 ? color2 : (v & 15) * FOUR;
      const three = (byte === 0 ? c & 7 : c) * FOUR;
      word0 = select(background, one, two, three, left);
      word1 = select(background, one, two, three, right);
      if (scroll !== 0) {
        const oldOne = byte === 0 ? color1 : (oldV >> 4) * FOUR;
        const oldTwo = byte === 0 ? color2 : (oldV & 15) * FOUR;
        const oldThree = (byte === 0 ? oldC & 7 : oldC) * FOUR;
        word0 = (word0 & from0) | (select(background, oldOne, oldTwo, oldThree, left) & ~from0);
        word1 = (word1 & from1) | (select(background, oldOne, oldTwo, oldThree, right) & ~from1);
      }
    }
    frame[out] = word0;
    frame[out + 1] = word1;
    out += 2;
    oldG = (g << (8 - scroll)) & 0xff;
    flop = (scroll & 1) ^ 1;
    oldC = c;
    oldV = v;
    g = g0;
    c = c0;
    v = v0;
    if (cycle > LAST_COLUMN) {
      g0 = 0;
      index = 0;
      continue;
    }
    g0 = s[G_LINE + cycle];
    if (idle) {
      c0 = 0;
      v0 = 0;
    } else {
      v0 = s[MATRIX_LINE + index];
      c0 = s[COLOR_LINE + index];
      index++;
    }
  }
  s[DISPLAY_INDEX] = index;
  s[G_SHIFT] = oldG;
  s[G_FLOP] = flop;
  s[G_PIXEL] = pixel;
  s[C_SHIFT] = oldC;
  s[V_SHIFT] = oldV;
  s[G0] = g0;
  s[C0] = c0;
  s[V0] = v0;
  s[G1] = g;
  s[C1] = c;
  s[V1] = v;
}

/** Whether so many cycles of text show nothing but the background. */
function isBlank(s: Vic2State, cycle: number, count: number): boolean {
  const graphics = G_LINE + cycle - DELAY;
  let bits = 0;
  for (let at = graphics; at < graphics + count; at++) bits |= s[at];
  return bits === 0;
}

/** Those cycles, into the numbers from `position` on. */
function drawBlank(s: Vic2State, wholeCycles: Float64Array, position: number, cycle: number, count: number): void {
  const pixels = plainCycles[s[COLORS + 0x21]];
  for (let at = 0; at < count; at++) {
    foreground[cycle + at] = 0;
    wholeCycles[position + at] = pixels;
  }
}

/** So many cycles of text without scrolling, the first of them `cycle`; `index`: of its colour in the line, -1 in idle state. */
function drawText(
  s: Vic2State,
  frame: Int32Array,
  position: number,
  cycle: number,
  count: number,
  index: number,
): void {
  const background = s[COLORS + 0x21] * FOUR;
  const graphics = G_LINE + cycle - DELAY;
  for (let at = 0; at < count; at++) {
    const bits = s[graphics + at];
    const difference = background ^ ((index < 0 ? 0 : s[COLOR_LINE + index + at]) * FOUR);
    foreground[cycle + at] = bits;
    frame[position + 2 * at] = background ^ (difference & hiresLeft[bits]);
    frame[position + 2 * at + 1] = background ^ (difference & hiresRight[bits]);
  }
}

function select(c0: number, c1: number, c2: number, c3: number, values: number): number {
  const m1 = mask1[values];
  const m2 = mask2[values];
  const m3 = mask3[values];
  return (c0 & ~(m1 | m2 | m3)) | (c1 & m1) | (c2 & m2) | (c3 & m3);
}
