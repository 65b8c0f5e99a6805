/*
 * Sprites in cycles in which nothing happens to them but starting and shifting: eight pixels of each at once, over one cycle
 * or a run of them. The same as `drawSprites`, which takes them pixel by pixel.
 */
import { fields, type Vic2State } from './fields.ts';
import { bitsWhere, hiresLeft, hiresRight, mask1, mask2, mask3, upperBits } from './pixel-tables.ts';
import { nextSpriteStart, startsWithin } from './quiet-cycles.ts';

const BEHIND = fields.spriteBehind;
const MULTICOLOR = fields.spriteMulticolor;
const WIDE = fields.spriteWide;
const WIDE_FLOPS = fields.spriteWideFlops;
const MC_FLOPS = fields.spriteMcFlops;
const PENDING = fields.spritePending;
const ACTIVE = fields.spriteActive;
const HALTED = fields.spriteHalted;
const SHIFT = fields.spriteShift;
const PIXEL = fields.spritePixel;
const X_LATCHED = fields.spriteXLatched;
const PIXEL_VALUES = fields.pixelValues;
const RENDER0 = fields.render0;
const RENDER1 = fields.render1;
const SPRITE_SPRITE = fields.spriteSprite;
const SPRITE_BACKGROUND = fields.spriteBackground;
const COLORS = fields.colors;

const COLOR0 = 0x25;
const COLOR1 = 0x26;
const OWN_COLOR = 0x27;
const FOUR = 0x01010101;

/** Of a sprite that is not expanded. */
const ROW_PIXELS = 24;
/** So many cycles after the one in which it starts such a sprite is through. */
const LAST_OF_ROW = 4;
/** Of a line, of all models. */
const LEAST_PIXELS = 500;

/** Pixel values of each sprite in this cycle, two bits a pixel, leftmost in bits 15-14. Nothing remains in it. */
const rows = new Int32Array(8);

/** Sprites' pixels of this cycle, four in each word, and where there are any. Nothing remains in them. */
const over = { mask0: 0, mask1: 0, pixels0: 0, pixels1: 0 };

/** Which of four pixels (eight bits of values) are not 0. */
const setBits = bitsWhere((value) => value !== 0);
/** Pixel values of the bits of a byte: 2 where a bit is set. */
const plainValues = Int32Array.from({ length: 0x100 }, (_, byte) => {
  let values = 0;
  for (let bit = 7; bit >= 0; bit--) values = (values << 2) | (((byte >> bit) & 1) << 1);
  return values;
});

/** Whether this cycle, which must be none with sprite accesses, is such a one; `x` is the X of its first pixel. */
export function areSpritesPlain(s: Vic2State, x: number): boolean {
  if (!isUnchanged(s)) return false;
  // One that is through might start again within these pixels, or wait to be let go.
  let either = s[PENDING] & (s[ACTIVE] | s[HALTED]);
  for (let sprite = 0; either !== 0; sprite++, either >>= 1) {
    if ((either & 1) !== 0 && (s[X_LATCHED + sprite] & 0x1f8) === x) return false;
  }
  return true;
}

/** Whether the cycles `from` to `to`, which must be none with sprite accesses, are all such ones. */
export function areSpritesPlainIn(s: Vic2State, starts: Int32Array, from: number, to: number): boolean {
  if (!isUnchanged(s)) return false;
  let waiting = s[PENDING];
  for (let sprite = 0; waiting !== 0; sprite++, waiting >>= 1) {
    if ((waiting & 1) === 0) continue;
    const most = (((s[ACTIVE] | s[HALTED]) >> sprite) & 1) === 0 ? 1 : 0;
    if (startsWithin(starts, s[X_LATCHED + sprite], from, to) > most) return false;
  }
  return true;
}

/** Nothing that was written is still on its way. */
function isUnchanged(s: Vic2State): boolean {
  return (
    (s[fields.spriteChanged] | s[fields.blockedCollision] | (s[ACTIVE] & s[HALTED])) === 0 &&
    s[fields.d01c] === s[MULTICOLOR] &&
    s[fields.d01d] === s[WIDE] &&
    s[fields.d01b] === s[BEHIND]
  );
}

/** Overlays the eight rendered pixels with sprites. */
export function drawSpriteRows(s: Vic2State, x: number): void {
  const any = shiftRows(s, x);
  if (any === 0) return;
  const graphics = s[PIXEL_VALUES];
  overlay(s, any, (upperBits[graphics >> 8] << 4) | upperBits[graphics & 0xff], false);
  putOver(s);
}

/** Where sprites begin: X of each cycle's first pixel, and the cycles in which they start (`spriteStarts`). */
export interface SpritePlaces {
  readonly x: Int32Array;
  readonly starts: Int32Array;
}

/**
 * Overlays the cycles `from` to `to` with sprites, all but the last in the frame, where those of `from` begin at `position`. `front`: their
 * pixels of foreground, one bit each. Those before the cycle `shown` are hidden by the border.
 */
export function drawSpriteRun(
  s: Vic2State,
  { x, starts }: SpritePlaces,
  front: Uint8Array,
  frame: Int32Array,
  position: number,
  from: number,
  to: number,
  shown: number,
): void {
  for (let cycle = from; cycle <= to; cycle++) {
    if (s[ACTIVE] === 0) cycle = nextSpriteStart(s, starts, cycle);
    if (cycle > to) return;
    const any = shiftRows(s, x[cycle - 2]);
    if (any === 0) continue;
    overlay(s, any, front[cycle] as number, cycle < to);
    if (cycle < shown) continue;
    if (cycle === to) putOver(s);
    else {
      const at = position + 2 * (cycle - from);
      frame[at] = (frame[at] & ~over.mask0) | over.pixels0;
      frame[at + 1] = (frame[at + 1] & ~over.mask1) | over.pixels1;
    }
  }
}

/**
 * What cycles whose pixels nobody sees, and in which no sprite can collide with the foreground, do to sprites that are through within
 * them. False if one is not, or may collide with another. They must be such cycles as `areSpritesPlainIn` says.
 */
export function passSprites(s: Vic2State, starts: Int32Array, from: number, to: number): boolean {
  if (s[ACTIVE] !== 0 || (s[PENDING] & (s[WIDE] | s[MULTICOLOR])) !== 0) return false;
  let passed = 0;
  for (let sprite = 0, waiting = s[PENDING]; waiting !== 0; sprite++, waiting >>= 1) {
    if ((waiting & 1) === 0) continue;
    const x = s[X_LATCHED + sprite];
    if (startsWithin(starts, x, from, to) === 0) continue;
    if (startsWithin(starts, x, from, to - LAST_OF_ROW) === 0) return false;
    const isMet = ((s[SPRITE_SPRITE] >> sprite) & 1) !== 0;
    const others = isMet ? passed & ~s[SPRITE_SPRITE] : passed;
    if (others !== 0 && areNear(s, others, x)) return false;
    passed |= 1 << sprite;
  }
  for (let sprite = 0, left = passed; left !== 0; sprite++, left >>= 1) {
    if ((left & 1) === 0) continue;
    s[SHIFT + sprite] = 0;
    s[PIXEL + sprite] = 0;
  }
  s[WIDE_FLOPS] |= passed;
  s[MC_FLOPS] |= passed;
  return true;
}

/** Whether one of these sprites may have pixels where one at this X has. */
function areNear(s: Vic2State, sprites: number, x: number): boolean {
  for (let sprite = 0, left = sprites; left !== 0; sprite++, left >>= 1) {
    if ((left & 1) === 0) continue;
    const apart = Math.abs(s[X_LATCHED + sprite] - x);
    // X jumps somewhere in the line.
    if (apart < ROW_PIXELS || apart > LEAST_PIXELS - ROW_PIXELS) return true;
  }
  return false;
}

/** Overlays what is rendered. */
function putOver(s: Vic2State): void {
  s[RENDER0] = (s[RENDER0] & ~over.mask0) | over.pixels0;
  s[RENDER1] = (s[RENDER1] & ~over.mask1) | over.pixels1;
}

/** Eight pixels of each sprite into `rows`. The answer has a bit for each sprite that has any. */
function shiftRows(s: Vic2State, x: number): number {
  let any = 0;
  let all = s[ACTIVE] | startSprites(s, x);
  for (let sprite = 0; all !== 0; sprite++, all >>= 1) {
    if ((all & 1) === 0) continue;
    const bit = 1 << sprite;
    const from = (s[ACTIVE] & bit) !== 0 ? 0 : s[X_LATCHED + sprite] - x;
    s[ACTIVE] |= bit;
    const row =
      ((s[WIDE] | s[MULTICOLOR]) & bit) === 0 && (s[WIDE_FLOPS] & bit) !== 0
        ? shiftPlain(s, sprite, bit, from)
        : shiftPixels(s, sprite, bit, from);
    rows[sprite] = row;
    if (row !== 0) any |= bit;
  }
  return any;
}

/** Sprites that start within these pixels; their flip-flops are set. */
function startSprites(s: Vic2State, x: number): number {
  let waiting = s[PENDING] & ~s[ACTIVE];
  let found = 0;
  for (let sprite = 0; waiting !== 0; sprite++, waiting >>= 1) {
    if ((waiting & 1) !== 0 && (s[X_LATCHED + sprite] & 0x1f8) === x) found |= 1 << sprite;
  }
  s[WIDE_FLOPS] |= found;
  s[MC_FLOPS] |= found;
  return found;
}

/** Neither multicolour nor expanded. */
function shiftPlain(s: Vic2State, sprite: number, bit: number, from: number): number {
  const data = s[SHIFT + sprite];
  const before = s[PIXEL + sprite];
  if (data === 0 && before === 0) {
    s[ACTIVE] &= ~bit;
    return 0;
  }
  const count = 8 - from;
  const taken = data >> (16 + from);
  const rest = (data << count) & 0xffffff;
  const last = (taken & 1) << 1;
  s[SHIFT + sprite] = rest;
  s[PIXEL + sprite] = last;
  // It is through as soon as a pixel begins with nothing left: a row whose last pixels are empty has had such a one.
  if (rest === 0 && (taken & 3) === 0 && count > 1) s[ACTIVE] &= ~bit;
  return plainValues[taken];
}

/** Pixel by pixel. */
function shiftPixels(s: Vic2State, sprite: number, bit: number, from: number): number {
  const isMulticolor = (s[MULTICOLOR] & bit) !== 0;
  const isWide = (s[WIDE] & bit) !== 0;
  let wideFlop = (s[WIDE_FLOPS] & bit) !== 0;
  let mcFlop = (s[MC_FLOPS] & bit) !== 0;
  let data = s[SHIFT + sprite];
  let value = s[PIXEL + sprite];
  let row = 0;
  for (let pixel = from; pixel < 8; pixel++) {
    if (data === 0 && value === 0) {
      s[ACTIVE] &= ~bit;
      break;
    }
    if (wideFlop) {
      if (isMulticolor) {
        if (mcFlop) value = (data >> 22) & 3;
        mcFlop = !mcFlop;
      } else value = (data >> 22) & 2;
      data = (data << 1) & 0xffffff;
    }
    wideFlop = isWide ? !wideFlop : true;
    row |= value << (14 - 2 * pixel);
  }
  s[SHIFT + sprite] = data;
  s[PIXEL + sprite] = value;
  s[WIDE_FLOPS] = wideFlop ? s[WIDE_FLOPS] | bit : s[WIDE_FLOPS] & ~bit;
  s[MC_FLOPS] = mcFlop ? s[MC_FLOPS] | bit : s[MC_FLOPS] & ~bit;
  return row;
}

/** Priorities and collisions of the sprites that have pixels in this cycle; their pixels as colours or as colour codes. */
function overlay(s: Vic2State, any: number, front: number, asColors: boolean): void {
  let covered = 0;
  let shared = 0;
  let leftMask = 0;
  let rightMask = 0;
  let pixels0 = 0;
  let pixels1 = 0;
  const color0 = (asColors ? s[COLORS + COLOR0] : COLOR0) * FOUR;
  const color1 = (asColors ? s[COLORS + COLOR1] : COLOR1) * FOUR;
  for (let sprite = 0, left = any; left !== 0; sprite++, left >>= 1) {
    if ((left & 1) === 0) continue;
    const row = rows[sprite];
    const pixels = (setBits[row >> 8] << 4) | setBits[row & 0xff];
    if ((pixels & front) !== 0) s[SPRITE_BACKGROUND] |= 1 << sprite;
    let shown = pixels & ~covered;
    shared |= pixels & covered;
    covered |= pixels;
    if ((s[BEHIND] & (1 << sprite)) !== 0) shown &= ~front;
    if (shown === 0) continue;
    const own = (asColors ? s[COLORS + OWN_COLOR + sprite] : OWN_COLOR + sprite) * FOUR;
    const left4 = hiresLeft[shown];
    const right4 = hiresRight[shown];
    leftMask |= left4;
    rightMask |= right4;
    pixels0 |= colored(row >> 8, color0, own, color1) & left4;
    pixels1 |= colored(row & 0xff, color0, own, color1) & right4;
  }
  over.mask0 = leftMask;
  over.mask1 = rightMask;
  over.pixels0 = pixels0;
  over.pixels1 = pixels1;
  if (shared === 0) return;
  for (let sprite = 0, left = any; left !== 0; sprite++, left >>= 1) {
    if ((left & 1) === 0) continue;
    const row = rows[sprite];
    const pixels = (setBits[row >> 8] << 4) | setBits[row & 0xff];
    if ((pixels & shared) !== 0) s[SPRITE_SPRITE] |= 1 << sprite;
  }
}

/** Four pixels; those of value 0 are 0. */
function colored(values: number, one: number, two: number, three: number): number {
  return (one & mask1[values]) | (two & mask2[values]) | (three & mask3[values]);
}
