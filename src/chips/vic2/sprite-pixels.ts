/*
 * The sprite shift registers of one cycle: start at the X compare, stop while data is fetched, multicolour and X expansion,
 * priority against graphics and among each other, collisions. Register writes reach the units at fixed pixels of the cycle.
 */
import { cycleFlag } from './cycle-table.ts';
import { fields, type Vic2State } from './fields.ts';

const BEHIND = fields.spriteBehind;
const MULTICOLOR = fields.spriteMulticolor;
const WIDE = fields.spriteWide;
const WIDE_FLOPS = fields.spriteWideFlops;
const MC_FLOPS = fields.spriteMcFlops;
const PENDING = fields.spritePending;
const ACTIVE = fields.spriteActive;
const HALTED = fields.spriteHalted;
const CHANGED = fields.spriteChanged;
const DISPLAY = fields.spriteDisplay;
const DATA = fields.spriteData;
const SHIFT = fields.spriteShift;
const PIXEL = fields.spritePixel;
const X = fields.spriteX;
const X_LATCHED = fields.spriteXLatched;
const PIXEL_VALUES = fields.pixelValues;
const RENDER0 = fields.render0;
const RENDER1 = fields.render1;
const BLOCKED = fields.blockedCollision;
const SPRITE_SPRITE = fields.spriteSprite;
const SPRITE_BACKGROUND = fields.spriteBackground;

const COLOR0 = 0x25;
const COLOR1 = 0x26;
const OWN_COLOR = 0x27;

/** Cycles in which the sprite unit has something to do even if no sprite is shown. */
export const spriteCycles = cycleFlag.pointer | cycleFlag.spriteData | cycleFlag.spriteDisplay;

/** Overlays the eight rendered pixels with sprites. */
export function drawSprites(s: Vic2State, drawFlags: number, x: number, nmos: boolean): void {
  const sprite = (drawFlags >> cycleFlag.spriteShift) & 7;
  const pointerBit = (drawFlags & cycleFlag.pointer) !== 0 ? 1 << sprite : 0;
  const dataBit = (drawFlags & cycleFlag.spriteData) !== 0 ? 1 << sprite : 0;
  const starting = startingSprites(s, x);

  if ((s[ACTIVE] | starting | (drawFlags & cycleFlag.spriteDisplay)) === 0) {
    passSpriteAccess(s, drawFlags);
    latchMulticolor(s, nmos);
    latchWideAndBehind(s);
  } else {
    const mayStart = (starting | (drawFlags & cycleFlag.spriteDisplay)) !== 0;
    for (let pixel = 0; pixel < 8; pixel++) {
      if (pixel === 2) s[ACTIVE] &= ~dataBit;
      else if (pixel === 3) s[HALTED] |= pointerBit;
      else if (pixel === 4) {
        if ((drawFlags & cycleFlag.spriteDisplay) !== 0) s[PENDING] = s[DISPLAY];
        if (dataBit !== 0) s[SHIFT + sprite] = s[DATA + sprite];
      } else if (pixel === 6) {
        if (!nmos) latchMulticolor(s, nmos);
        latchWideAndBehind(s);
      } else if (pixel === 7) {
        if (nmos) latchMulticolor(s, nmos);
        s[HALTED] &= ~dataBit;
      }
      if (mayStart) startSprites(s, x + pixel);
      if (s[ACTIVE] !== 0) drawPixel(s, pixel, pixel === 2 && !nmos ? pointerBit : 0);
    }
  }
  if (s[CHANGED] !== 0) {
    for (let i = 0; i < 8; i++) s[X_LATCHED + i] = s[X + i];
    s[CHANGED] = 0;
  }
}

/** What a cycle with sprite accesses does to the shift registers while no sprite is shown. */
export function passSpriteAccess(s: Vic2State, drawFlags: number): void {
  const sprite = (drawFlags >> cycleFlag.spriteShift) & 7;
  if ((drawFlags & cycleFlag.pointer) !== 0) s[HALTED] |= 1 << sprite;
  if ((drawFlags & cycleFlag.spriteData) === 0) return;
  s[HALTED] &= ~(1 << sprite);
  s[SHIFT + sprite] = s[DATA + sprite];
}

/** Sprites that wait for an X within these eight pixels. */
function startingSprites(s: Vic2State, x: number): number {
  let waiting = s[PENDING] & ~s[ACTIVE];
  let found = 0;
  for (let sprite = 0; waiting !== 0; sprite++, waiting >>= 1) {
    if ((waiting & 1) !== 0 && (s[X_LATCHED + sprite] & 0x1f8) === x) found |= 1 << sprite;
  }
  return found;
}

function startSprites(s: Vic2State, x: number): void {
  let waiting = s[PENDING] & ~s[ACTIVE] & ~s[HALTED];
  for (let sprite = 0; waiting !== 0; sprite++, waiting >>= 1) {
    if ((waiting & 1) === 0 || s[X_LATCHED + sprite] !== x) continue;
    s[ACTIVE] |= 1 << sprite;
    s[WIDE_FLOPS] |= 1 << sprite;
    s[MC_FLOPS] |= 1 << sprite;
  }
}

function latchWideAndBehind(s: Vic2State): void {
  s[BEHIND] = s[fields.d01b];
  s[WIDE] = s[fields.d01d];
}

/** A change of $D01C disturbs the pairing of bits, differently on NMOS and HMOS chips. */
function latchMulticolor(s: Vic2State, nmos: boolean): void {
  const next = s[fields.d01c];
  const toggled = next ^ s[MULTICOLOR];
  if (toggled === 0) return;
  if (nmos) {
    s[MC_FLOPS] &= ~toggled;
  } else {
    const between = toggled & ~s[WIDE_FLOPS];
    s[MC_FLOPS] = (s[MC_FLOPS] ^ between) | (between & ~next);
  }
  s[MULTICOLOR] = next;
}

/** `halting`: the sprite that stops with the next pixel, on HMOS chips. */
function drawPixel(s: Vic2State, pixel: number, halting: number): void {
  let covered = 0;
  let front = 0;
  let left = s[ACTIVE];
  while (left !== 0) {
    const sprite = 31 - Math.clz32(left);
    const bit = 1 << sprite;
    left ^= bit;
    if (s[SHIFT + sprite] === 0 && s[PIXEL + sprite] === 0) {
      s[ACTIVE] &= ~bit;
      continue;
    }
    if ((s[HALTED] & bit) === 0) shiftSprite(s, sprite, bit, halting);
    if (s[PIXEL + sprite] !== 0) {
      covered |= bit;
      front = sprite;
    }
  }
  if (covered === 0) return;
  const foreground = ((s[PIXEL_VALUES] >> (14 - 2 * pixel)) & 2) !== 0;
  if (!foreground || (s[BEHIND] & (1 << front)) === 0) {
    const value = s[PIXEL + front];
    const code = value === 1 ? COLOR0 : value === 3 ? COLOR1 : OWN_COLOR + front;
    const shift = 8 * (pixel & 3);
    if (pixel < 4) s[RENDER0] = (s[RENDER0] & ~(0xff << shift)) | (code << shift);
    else s[RENDER1] = (s[RENDER1] & ~(0xff << shift)) | (code << shift);
  }
  const blocked = pixel < 4 ? s[BLOCKED] : 0;
  if (foreground && blocked !== 0x1f) s[SPRITE_BACKGROUND] |= covered;
  if ((covered & (covered - 1)) !== 0 && blocked !== 0x1e) s[SPRITE_SPRITE] |= covered;
}

function shiftSprite(s: Vic2State, sprite: number, bit: number, halting: number): void {
  if ((s[WIDE_FLOPS] & bit) !== 0) {
    const data = s[SHIFT + sprite];
    if ((s[MULTICOLOR] & bit) !== 0) {
      // A pair that begins as the register is about to stop loses its second bit (VICE's VICII/spritefetchbug).
      if ((s[MC_FLOPS] & bit) !== 0) s[PIXEL + sprite] = (data >> 22) & ((halting & bit) !== 0 ? 2 : 3);
      s[MC_FLOPS] ^= bit;
    } else {
      s[PIXEL + sprite] = (data >> 22) & 2;
    }
    s[SHIFT + sprite] = (data << 1) & 0xffffff;
  }
  if ((s[WIDE] & bit) !== 0) s[WIDE_FLOPS] ^= bit;
  else s[WIDE_FLOPS] |= bit;
}
