import { fields, type Mos6560State } from './fields.ts';
import { pixelsPerCycle } from './models.ts';

const DRAWN = fields.drawn;
const BORDER = fields.border;
const BACKGROUND = fields.background;
const AUXILIARY = fields.auxiliary;
const REVERSE = fields.reverse;
const REVERSE_NEXT = fields.reverseNext;
const REVERSE_AT = fields.reverseAt;
const GRAPHICS = fields.graphics;
const COLORS = fields.colors;

/** A pixel leaves the chip so many cycles after the raster counter has passed its place. */
const outputDelay = 6;
/** Changes of the inversion take so many pixels longer than those of colors. */
const reverseDelay = 2;

/** The first pixel of this line that a register written now has an effect on. */
export function pixelOfWrite(s: Mos6560State): number {
  return Math.max(0, (s[fields.cycle] - outputDelay) * pixelsPerCycle + 1);
}

/** Registers 14 and 15 as pixels from this one on have them. What is left of it is drawn. */
export function takeColors(s: Mos6560State, pixel: number): void {
  const screen = s[fields.crf];
  s[AUXILIARY] = s[fields.cre] >> 4;
  s[BACKGROUND] = screen >> 4;
  s[BORDER] = screen & 7;
  s[REVERSE_NEXT] = (screen & 8) === 0 ? 1 : 0;
  s[REVERSE_AT] = pixel + reverseDelay;
}

/** Draws the pixels of this line up to, not including, `end`; `frame` gets them from index `start` on. */
export function drawTo(s: Mos6560State, frame: Uint8Array, start: number, end: number): void {
  if (s[REVERSE] !== s[REVERSE_NEXT]) {
    if (s[REVERSE_AT] < end) {
      if (s[DRAWN] < s[REVERSE_AT]) drawEvenly(s, frame, start, s[REVERSE_AT]);
      s[REVERSE] = s[REVERSE_NEXT];
    }
  }
  if (s[DRAWN] < end) drawEvenly(s, frame, start, end);
}

/** The same, with one set of colors. */
function drawEvenly(s: Mos6560State, frame: Uint8Array, start: number, end: number): void {
  const from = s[DRAWN];
  s[DRAWN] = end;
  if (s[fields.isBlank] !== 0) {
    frame.fill(s[BORDER], start + from, start + end);
    return;
  }
  const left = s[fields.windowStart] * pixelsPerCycle;
  const right = left + s[fields.columns] * 8;
  if (from < left) frame.fill(s[BORDER], start + from, start + Math.min(end, left));
  if (end > right) frame.fill(s[BORDER], start + Math.max(from, right), start + end);
  drawColumns(s, frame, start + left, Math.max(from - left, 0), Math.min(end, right) - left);
}

/** Pixels `from` to `end` of the window. */
function drawColumns(s: Mos6560State, frame: Uint8Array, start: number, from: number, end: number): void {
  const background = s[BACKGROUND];
  const inversion = s[REVERSE] === 0 ? 0 : 255;
  for (let x = from; x < end; ) {
    const column = x >> 3;
    const color = s[COLORS + column] as number;
    const last = Math.min(end, (column + 1) << 3);
    if ((color & 8) === 0) {
      let bits = ((s[GRAPHICS + column] as number) ^ inversion) << (x & 7);
      for (; x < last; x += 1, bits <<= 1) frame[start + x] = (bits & 128) !== 0 ? color : background;
    } else {
      const pairs = s[GRAPHICS + column] as number;
      for (; x < last; x += 1) frame[start + x] = multicolor(s, (pairs >> (6 - (x & 6))) & 3, color & 7);
    }
  }
}

function multicolor(s: Mos6560State, pair: number, color: number): number {
  if (pair === 0) return s[BACKGROUND];
  if (pair === 1) return s[BORDER];
  return pair === 2 ? color : s[AUXILIARY];
}
