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

const everyByte = 0x0101_0101;
/** By four bits, the bytes of a word that they stand for: the leftmost pixel is the lowest byte. */
const nibbles = Int32Array.from({ length: 16 }, (_, bits) =>
  [8, 4, 2, 1].reduce((word, bit, index) => word | ((bits & bit) !== 0 ? 0xff << (index * 8) : 0), 0),
);

/** The picture, as bytes and as words of four pixels. */
export interface FrameMemory {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
}

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

/** Draws the pixels of this line up to, not including, `end`; `frame` gets them from index `start` on, a multiple of four. */
export function drawTo(s: Mos6560State, frame: FrameMemory, start: number, end: number): void {
  if (s[REVERSE] !== s[REVERSE_NEXT]) {
    if (s[REVERSE_AT] < end) {
      if (s[DRAWN] < s[REVERSE_AT]) drawEvenly(s, frame, start, s[REVERSE_AT]);
      s[REVERSE] = s[REVERSE_NEXT];
    }
  }
  if (s[DRAWN] < end) drawEvenly(s, frame, start, end);
}

/** The same, with one set of colors. */
function drawEvenly(s: Mos6560State, frame: FrameMemory, start: number, end: number): void {
  const from = s[DRAWN];
  s[DRAWN] = end;
  if (s[fields.isBlank] !== 0) {
    frame.bytes.fill(s[BORDER], start + from, start + end);
    return;
  }
  const left = s[fields.windowStart] * pixelsPerCycle;
  const right = left + s[fields.columns] * 8;
  if (from < left) frame.bytes.fill(s[BORDER], start + from, start + Math.min(end, left));
  if (end > right) frame.bytes.fill(s[BORDER], start + Math.max(from, right), start + end);
  drawColumns(s, frame, start + left, Math.max(from - left, 0), Math.min(end, right) - left);
}

/** Pixels `from` to `end` of the window. */
function drawColumns(s: Mos6560State, { bytes, words }: FrameMemory, start: number, from: number, end: number): void {
  let x = from;
  for (; x < end && (x & 7) !== 0; x += 1) bytes[start + x] = pixelAt(s, x);
  const background = s[BACKGROUND] * everyByte;
  const inversion = s[REVERSE] === 0 ? 0 : 255;
  for (; x + 8 <= end; x += 8) {
    const color = s[COLORS + (x >> 3)];
    const at = (start + x) >> 2;
    if ((color & 8) === 0) {
      const bits = s[GRAPHICS + (x >> 3)] ^ inversion;
      const foreground = color * everyByte;
      const left = nibbles[bits >> 4];
      const right = nibbles[bits & 15];
      words[at] = (foreground & left) | (background & ~left);
      words[at + 1] = (foreground & right) | (background & ~right);
    } else {
      const pairs = s[GRAPHICS + (x >> 3)];
      words[at] = twoPairs(s, pairs >> 4, color & 7);
      words[at + 1] = twoPairs(s, pairs & 15, color & 7);
    }
  }
  for (; x < end; x += 1) bytes[start + x] = pixelAt(s, x);
}

function pixelAt(s: Mos6560State, x: number): number {
  const color = s[COLORS + (x >> 3)];
  const bits = s[GRAPHICS + (x >> 3)];
  if ((color & 8) !== 0) return multicolor(s, (bits >> (6 - (x & 6))) & 3, color & 7);
  const bit = ((bits >> (7 - (x & 7))) & 1) ^ s[REVERSE];
  return bit !== 0 ? color : s[BACKGROUND];
}

/** Four pixels as a word: the lowest byte is the leftmost. */
function twoPairs(s: Mos6560State, pairs: number, color: number): number {
  return multicolor(s, pairs >> 2, color) * 0x0101 + multicolor(s, pairs & 3, color) * 0x0101_0000;
}

function multicolor(s: Mos6560State, pair: number, color: number): number {
  if (pair === 0) return s[BACKGROUND];
  if (pair === 1) return s[BORDER];
  return pair === 2 ? color : s[AUXILIARY];
}
