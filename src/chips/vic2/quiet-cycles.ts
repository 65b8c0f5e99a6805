/*
 * Quiet cycles: as long as no register is written, no sprite is fetched or shown and the border does not change, a cycle has
 * nothing to do but its access, and its pixels can be drawn later. Which cycles can be quiet, and what is left to do in them.
 */
import { cycleFlag } from './cycle-table.ts';
import { fields, type Vic2State } from './fields.ts';
import { graphicsAddressNow, idleAddressNow, type Vic2Wires } from './memory-access.ts';

const CYCLE = fields.cycle;
const IDLE = fields.idle;
const VC = fields.vc;
const VMLI = fields.vmli;
const G_LINE = fields.gLine;
const LAST_PHI2 = fields.lastPhi2Byte;
const REFRESH_COUNTER = fields.refreshCounter;

const D018 = fields.d018;
const POINTER = fields.spritePointer;
const DATA = fields.spriteData;
const SHIFT = fields.spriteShift;
const HALTED = fields.spriteHalted;
const SPRITE_SHIFT = cycleFlag.spriteShift;
const POINTER_ACCESS = cycleFlag.pointer;
const SPRITE_ACCESS = cycleFlag.pointer | cycleFlag.spriteData;
const GRAPHICS = cycleFlag.graphics;
const REFRESH = cycleFlag.refresh;
const MATRIX = cycleFlag.matrix;
const MATRIX_BA = cycleFlag.matrixBa;
/** A work flag: the cycle before had sprite accesses. */
const AFTER_ACCESS = 0x2000_0000;
/** A work flag: a cycle of a bad line that wants the bus or lets go of it. */
export const quietBus = 0x4000_0000;

const borderX = cycleFlag.borderLeft | cycleFlag.borderRight;
const spriteStart = cycleFlag.spriteDmaCheck | cycleFlag.spriteExpansion;
const always =
  (7 << cycleFlag.spriteShift) |
  SPRITE_ACCESS |
  REFRESH |
  cycleFlag.updateVc |
  cycleFlag.updateRc |
  cycleFlag.spriteMcBase |
  cycleFlag.spriteDisplay;

/** Shorter spans are not worth the test whether they are quiet. */
const SHORTEST = 2;

/** Between these cycles no model has anything to do with the accesses of sprites. */
const AFTER_SPRITES = 11;
const BEFORE_SPRITES = 54;

/** Offsets into the work table; also the values of the state word `quietKind`. */
export const quietKind = { border: 0, graphics: 72, badLine: 144 } as const;

/** What is left to do in a quiet cycle, by kind + cycle. */
export function quietWork(flags: Int32Array): Int32Array {
  const work = new Int32Array(216);
  for (let cycle = 2; cycle <= flags.length; cycle++) {
    const own = flags[cycle - 1] as number;
    const after = ((flags[cycle - 2] as number) & SPRITE_ACCESS) !== 0 ? AFTER_ACCESS : 0;
    const bus = cycle >= 12 && cycle <= 55 ? quietBus | (own & (MATRIX | MATRIX_BA)) : 0;
    work[quietKind.border + cycle] = (own & always) | after;
    work[quietKind.graphics + cycle] = (own & (always | GRAPHICS)) | after;
    work[quietKind.badLine + cycle] = (own & (always | GRAPHICS)) | after | bus;
  }
  return work;
}

/** Index of a table of `quietSpans`: sum of those that hold. */
export const quietSpan = { sprites: 1, graphics: 2, wide: 4 } as const;

/**
 * The last quiet cycle after each one (index = cycle), 0 if there are too few. Sprites: one's Y is that of the line. Graphics:
 * the line is not one of the vertical border. Wide: CSEL is 1, so that the border's compares are those for 40 columns.
 */
export function quietSpans(flags: Int32Array): readonly Int32Array[] {
  return Array.from({ length: 8 }, (_, index) => {
    const table = new Int32Array(flags.length + 1);
    let last = flags.length;
    for (let cycle = flags.length; cycle >= 1; cycle--) {
      table[cycle] = last - cycle >= SHORTEST ? last : 0;
      if (isBusy(flags[cycle - 1] as number, index)) last = cycle - 1;
    }
    return table;
  });
}

function isBusy(flags: number, index: number): boolean {
  if ((flags & cycleFlag.firstOfLine) !== 0) return true;
  if ((index & quietSpan.sprites) !== 0 && (flags & spriteStart) !== 0) return true;
  if ((index & quietSpan.graphics) === 0 || (flags & borderX) === 0) return false;
  return ((flags & cycleFlag.borderWide) !== 0) === ((index & quietSpan.wide) !== 0);
}

/** The cycles in which a sprite whose X is in the given group of eight starts (index = X / 8), 0 if it never does. */
export function spriteStarts(x: Int32Array): Int32Array {
  const starts = new Int32Array(64);
  for (let cycle = x.length - 1; cycle >= 1; cycle--) starts[(x[cycle - 1] as number) >> 3] = cycle + 1;
  return starts;
}

/**
 * Lines with sprites are quiet only between their accesses, and up to the next sprite that waits for its X.
 * Returns the last cycle that may be quiet, 0 if there is none.
 */
export function quietBetweenSprites(s: Vic2State, starts: Int32Array, cycle: number): number {
  if (cycle < AFTER_SPRITES) return 0;
  let until = BEFORE_SPRITES;
  let waiting = s[fields.spritePending];
  for (let sprite = 0; waiting !== 0; sprite++, waiting >>= 1) {
    if ((waiting & 1) === 0) continue;
    const start = starts[(s[fields.spriteXLatched + sprite] as number) >> 3] as number;
    if (start > cycle && start <= until) until = start - 1;
  }
  return until - cycle >= SHORTEST ? until : 0;
}

/** The accesses of a quiet cycle. */
export function accessQuietly(s: Vic2State, wires: Vic2Wires, work: number, flags: Int32Array): void {
  if ((work & GRAPHICS) !== 0) {
    const address = s[IDLE] !== 0 ? idleAddressNow(s) : graphicsAddressNow(s);
    s[G_LINE + s[CYCLE]] = wires.fetch(address);
    if (s[IDLE] !== 0) return;
    s[VMLI] += 1;
    s[VC] = (s[VC] + 1) & 0x3ff;
    return;
  }
  if ((work & AFTER_ACCESS) !== 0) endIdleSpriteAccess(s, flags[s[CYCLE] - 2] as number);
  if ((work & SPRITE_ACCESS) !== 0) beginIdleSpriteAccess(s, wires, work);
  else if ((work & REFRESH) !== 0) s[REFRESH_COUNTER] = (s[REFRESH_COUNTER] - 1) & 0xff;
}

/** p-access, or second s-access of a sprite that has no DMA: the pointer is read all the same, the rest are idle accesses. */
function beginIdleSpriteAccess(s: Vic2State, wires: Vic2Wires, flags: number): void {
  const sprite = (flags >> SPRITE_SHIFT) & 7;
  s[LAST_PHI2] = 0xff;
  if ((flags & POINTER_ACCESS) !== 0) {
    s[POINTER + sprite] = wires.fetch(((s[D018] & 0xf0) << 6) | 0x3f8 | sprite);
    return;
  }
  s[DATA + sprite] = ((s[DATA + sprite] as number) & 0xff00ff) | (wires.fetch(0x3fff) << 8);
}

/** First or third s-access of a sprite that has no DMA: it takes what the CPU left on the chip's data pins. */
function endIdleSpriteAccess(s: Vic2State, flags: number): void {
  const sprite = (flags >> SPRITE_SHIFT) & 7;
  const data = s[DATA + sprite] as number;
  if ((flags & POINTER_ACCESS) !== 0) {
    s[DATA + sprite] = (data & 0x00ffff) | (s[LAST_PHI2] << 16);
    s[HALTED] |= 1 << sprite;
    return;
  }
  s[DATA + sprite] = (data & 0xffff00) | s[LAST_PHI2];
  s[SHIFT + sprite] = s[DATA + sprite] as number;
  s[HALTED] &= ~(1 << sprite);
}

/** Whether nothing is on its way: no write, no collision to clear, no edge of the border, no sprite on the screen. */
export function isSettled(s: Vic2State): boolean {
  return (
    (s[fields.spriteChanged] | s[fields.spriteActive] | s[fields.startOfFrame]) === 0 &&
    (s[fields.clearCollision] | s[fields.blockedCollision]) === 0 &&
    (s[fields.colorRegister] | s[fields.colorRegisterLatched]) === 0 &&
    s[fields.borderShown] === s[fields.mainBorder] &&
    s[fields.modeMcm] === s[fields.modeMcmShift] &&
    (s[fields.modeEcmBmm] | s[fields.modeMcm]) === ((s[fields.d011] & 0x60) | (s[fields.d016] & 0x10)) >> 2
  );
}

/** The byte of phi1 in a quiet cycle, with the flags of that cycle. */
export function quietPhi1Byte(s: Vic2State, wires: Vic2Wires, flags: number): number {
  const cycle = s[CYCLE];
  const sprite = (flags >> cycleFlag.spriteShift) & 7;
  if ((flags & GRAPHICS) !== 0) {
    return s[fields.quietKind] === quietKind.border ? wires.fetch(idleAddressNow(s)) : (s[G_LINE + cycle] as number);
  }
  if ((flags & cycleFlag.pointer) !== 0) return s[fields.spritePointer + sprite] as number;
  if ((flags & cycleFlag.spriteData) !== 0) return ((s[fields.spriteData + sprite] as number) >> 8) & 0xff;
  if ((flags & REFRESH) !== 0) return wires.fetch(0x3f00 | ((s[REFRESH_COUNTER] + 1) & 0xff));
  return wires.fetch(0x3fff);
}
