/*
 * Quiet cycles: as long as no register is written and no sprite begins, a cycle has nothing to do but its access, which can be made later, as its pixels can be drawn later. Which cycles can be quiet, and what
 * is left to do in them.
 */
import { cycleFlag } from './cycle-table.ts';
import { fields, type Vic2State } from './fields.ts';
import { interrupt } from './interrupts.ts';

const SPRITE_ACCESS = cycleFlag.pointer | cycleFlag.spriteData;
/** A work flag: the cycle before had sprite accesses. */
export const afterSpriteAccess = 0x2000_0000;

const spriteStart = cycleFlag.spriteDmaCheck | cycleFlag.spriteExpansion;
const always =
  (7 << cycleFlag.spriteShift) |
  cycleFlag.spriteExpansion |
  SPRITE_ACCESS |
  cycleFlag.refresh |
  cycleFlag.updateVc |
  cycleFlag.updateRc |
  cycleFlag.spriteDisplay;

/** Bits of $D01A. */
export const COLLISIONS = interrupt.spriteBackground | interrupt.spriteSprite;

/** Shorter spans are not worth the test whether they are quiet. */
const SHORTEST = 2;

/** Between these cycles no model has anything to do with the accesses of sprites. */
const AFTER_SPRITES = 11;
const BEFORE_SPRITES = 54;
/** Groups of eight X. */
const GROUPS = 64;
/** Of a line, of all models. */
const LEAST_PIXELS = 500;
/** Not less than the cycles of a line. */
const LAST = 72;

/** Values of the state word `quietKind`: a line of the vertical border, one with graphics, a bad line. */
export const quietKind = { border: 0, graphics: 1, badLine: 2 } as const;

/** The cycle before the 40 columns. */
export const BEFORE_COLUMNS = 15;
/** The cycle in which RC is counted, which ends the idle state or begins it: what comes before is drawn first. */
export const COUNT_RC = 58;

/** What is left to do in quiet cycles outside the 40 columns. */
export interface QuietWork {
  readonly cycles: Int32Array;
  /** All of the first cycles together, in lines without sprites: whose accesses they are, one bit each; 0 if one of them is not whole. */
  readonly firstSprites: number;
  readonly refreshes: number;
  /** The same of the cycles from the one that counts RC to the end, but for the sprite whose last access is left to the next line. */
  readonly lastSprites: number;
  readonly openSprite: number;
  /** The cycle of the p-access of each sprite. */
  readonly pointerCycles: Int32Array;
}

export function quietWork(flags: Int32Array): QuietWork {
  const cycles = Int32Array.from({ length: flags.length + 1 }, (_, cycle) => {
    if (cycle === 0) return 0;
    const before = flags[cycle === 1 ? flags.length - 1 : cycle - 2];
    const after = (before & SPRITE_ACCESS) !== 0 ? afterSpriteAccess : 0;
    return (flags[cycle - 1] & always) | after;
  });
  const first = cycles.subarray(1, BEFORE_COLUMNS + 1);
  const last = cycles.subarray(COUNT_RC);
  const end = last[last.length - 1];
  // Of some models the accesses of a sprite begin in the last cycle.
  const isWhole = (first[0] & cycleFlag.spriteData) === 0 && (end & cycleFlag.spriteData) !== 0;
  const openSprite = spriteOf(end);
  return {
    cycles,
    firstSprites: isWhole ? spritesIn(first) : 0,
    refreshes: first.filter((work) => (work & cycleFlag.refresh) !== 0).length,
    lastSprites: isWhole ? spritesIn(last) & ~(1 << openSprite) : 0,
    openSprite,
    pointerCycles: pointerCycles(cycles),
  };
}

function spriteOf(work: number): number {
  return (work >> cycleFlag.spriteShift) & 7;
}

/** Whose accesses begin in these cycles, one bit each. */
function spritesIn(cycles: Int32Array): number {
  let sprites = 0;
  for (const work of cycles) if ((work & cycleFlag.pointer) !== 0) sprites |= 1 << spriteOf(work);
  return sprites;
}

function pointerCycles(cycles: Int32Array): Int32Array {
  const found = new Int32Array(8);
  for (let cycle = 1; cycle < cycles.length; cycle++) {
    if ((cycles[cycle] & cycleFlag.pointer) !== 0) found[spriteOf(cycles[cycle])] = cycle;
  }
  return found;
}

/** The last quiet cycle after each one (index = cycle), 0 if there are too few. `withSprites`: one begins in this line. */
export function quietSpans(flags: Int32Array, withSprites: boolean): Int32Array {
  const busy = cycleFlag.firstOfLine | (withSprites ? spriteStart : 0);
  const table = new Int32Array(flags.length + 1);
  let last = flags.length;
  for (let cycle = flags.length; cycle >= 1; cycle--) {
    table[cycle] = last - cycle >= SHORTEST ? last : 0;
    if ((flags[cycle - 1] & busy) !== 0) last = cycle - 1;
  }
  return table;
}

/**
 * The cycles in which a sprite whose X is in the given group of eight starts (index = X / 8), 0 if it never does. On the 6567R8
 * one X comes in two cycles: the second half of the table has the later one.
 */
export function spriteStarts(x: Int32Array): Int32Array {
  const starts = new Int32Array(2 * GROUPS);
  for (let cycle = 1; cycle <= x.length; cycle++) {
    const group = x[cycle === 1 ? x.length - 1 : cycle - 2] >> 3;
    starts[starts[group] === 0 ? group : GROUPS + group] = cycle;
  }
  return starts;
}

/** How many of the cycles `from` to `to` are such ones for this X. */
export function startsWithin(starts: Int32Array, x: number, from: number, to: number): number {
  const start = starts[x >> 3];
  const again = starts[GROUPS + (x >> 3)];
  return (start >= from && start <= to ? 1 : 0) + (again >= from && again <= to ? 1 : 0);
}

/** The next cycle, from the given one on, in which a sprite that waits for its X starts; beyond the line if there is none. */
export function nextSpriteStart(s: Vic2State, starts: Int32Array, cycle: number): number {
  return nextStartOf(s, s[fields.spritePending], starts, cycle);
}

/** The same of these sprites, one bit each. */
export function nextStartOf(s: Vic2State, sprites: number, starts: Int32Array, cycle: number): number {
  let next = LAST + 1;
  let waiting = sprites;
  for (let sprite = 0; waiting !== 0; sprite++, waiting >>= 1) {
    if ((waiting & 1) === 0) continue;
    const group = s[fields.spriteXLatched + sprite] >> 3;
    const start = starts[group];
    const again = starts[GROUPS + group];
    if (start >= cycle && start < next) next = start;
    else if (again >= cycle && again < next) next = again;
  }
  return next;
}

/**
 * Where collisions are to interrupt, lines with sprites are quiet only between their accesses and up to the next sprite.
 * Returns the last cycle that may be quiet, 0 if there is none. `watched`: collisions that somebody waits for, as $D01A has them.
 */
export function quietBetweenSprites(s: Vic2State, starts: Int32Array, cycle: number, watched: number): number {
  if (((s[fields.d01a] | watched) & COLLISIONS) === 0) return LAST;
  if (cycle < AFTER_SPRITES) return 0;
  const until = Math.min(BEFORE_SPRITES, nextSpriteStart(s, starts, cycle + 1) - 1);
  return until - cycle >= SHORTEST ? until : 0;
}

const SPRITE_PIXELS = 24;
/** A sprite that is drawn while its own accesses are made is halted for so many pixels. */
const HALTED_PIXELS = 16;
/** Up to this X no sprite is, of any model, expanded or not. */
const LAST_UNHALTED = 288;

/** Of the collisions that somebody waits for, those that can come while the registers stay as they are: as $D01A has them. */
export function possibleCollisions(s: Vic2State, watched: number): number {
  const shown = s[fields.spriteDma] | s[fields.spriteDisplay] | s[fields.spritePending] | s[fields.spriteActive];
  let possible = 0;
  if ((shown & ~s[fields.spriteBackground]) !== 0) possible |= interrupt.spriteBackground;
  if ((shown & ~s[fields.spriteSprite]) !== 0 && doSpritesMeet(s, shown)) possible |= interrupt.spriteSprite;
  return watched & possible;
}

/** Whether two of these sprites may have pixels in the same place. */
function doSpritesMeet(s: Vic2State, shown: number): boolean {
  const active = s[fields.spriteActive];
  for (let one = 0; one < 7; one++) {
    if (((shown >> one) & 1) === 0) continue;
    for (let other = one + 1; other < 8; other++) {
      if (((shown >> other) & 1) === 0) continue;
      const isWide = ((s[fields.d01d] >> one) | (s[fields.d01d] >> other)) & 1;
      const [x, otherX] = [s[fields.spriteX + one], s[fields.spriteX + other]];
      if (areNear(x, SPRITE_PIXELS << isWide, otherX, SPRITE_PIXELS << isWide, isWide)) return true;
      // What is being drawn stays where it began, and as long as it was, whatever has been written since.
      if (((active >> one) & 1) !== 0 && meetsDrawn(s, one, other)) return true;
      if (((active >> other) & 1) !== 0 && meetsDrawn(s, other, one)) return true;
    }
  }
  return false;
}

/** Whether the pixels that a sprite has left in this line may be where another one has its own. */
function meetsDrawn(s: Vic2State, drawn: number, other: number): boolean {
  const left = pixelsLeft(s, drawn);
  if (left === 0) return false;
  const isOtherDrawn = ((s[fields.spriteActive] >> other) & 1) !== 0;
  if (isOtherDrawn) return pixelsLeft(s, other) !== 0;
  const isOtherWide = (s[fields.d01d] >> other) & 1;
  return areNear(s[fields.drawX], left, s[fields.spriteX + other], SPRITE_PIXELS << isOtherWide, 1);
}

/** Not less than those that the sprite is still to be drawn with. */
function pixelsLeft(s: Vic2State, sprite: number): number {
  const data = s[fields.spriteShift + sprite];
  if (data === 0 && s[fields.spritePixel + sprite] === 0) return 0;
  const bits = data === 0 ? 0 : 24 - (31 - Math.clz32(data & -data));
  // A pair or a wide pixel that is being shown takes a few more.
  return (bits + 2) << ((s[fields.d01d] >> sprite) & 1);
}

/** Whether pixels from `x` on may be among those from `otherX` on. */
function areNear(x: number, width: number, otherX: number, otherWidth: number, isWide: number): boolean {
  if (x <= LAST_UNHALTED && otherX <= LAST_UNHALTED) return x < otherX + otherWidth && otherX < x + width;
  // The raster is a circle of 504 to 520 pixels, in which X jumps.
  const apart = Math.abs(x - otherX);
  return Math.min(apart, LEAST_PIXELS - apart) < (SPRITE_PIXELS + HALTED_PIXELS) << isWide;
}

/** Whether nothing is on its way: no write but that of a colour, no collision to clear, none that might interrupt. */
export function isSettled(s: Vic2State, watched: number): boolean {
  return (
    (s[fields.spriteChanged] | s[fields.startOfFrame]) === 0 &&
    (s[fields.spriteActive] === 0 || ((s[fields.d01a] | watched) & COLLISIONS) === 0) &&
    (s[fields.clearCollision] | s[fields.blockedCollision]) === 0 &&
    s[fields.modeMcm] === s[fields.modeMcmShift] &&
    (s[fields.modeEcmBmm] | s[fields.modeMcm]) === ((s[fields.d011] & 0x60) | (s[fields.d016] & 0x10)) >> 2
  );
}
