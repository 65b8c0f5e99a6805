/* The accesses of quiet cycles, many at once: they see the same memory as they would have seen each in its cycle. */
import { updateCounters } from './counters.ts';
import { cycleFlag } from './cycle-table.ts';
import { fields, type Vic2State } from './fields.ts';
import { accessSpritePhi1, accessSpritePhi2, idleAddressNow, type Vic2Wires } from './memory-access.ts';
import type { PinBytes } from './pin-bytes.ts';
import { afterSpriteAccess, BEFORE_COLUMNS, COUNT_RC, type QuietWork, quietKind } from './quiet-cycles.ts';
import { advanceSpriteBase, startSpriteDisplay, toggleSpriteExpansion } from './sprite-dma.ts';

const IDLE = fields.idle;
const VC = fields.vc;
const VMLI = fields.vmli;
const D011 = fields.d011;
const D018 = fields.d018;
const RC = fields.rc;
const KIND = fields.quietKind;
const G_BYTE = fields.gByte;
const G_LINE = fields.gLine;
const MATRIX_LINE = fields.matrixLine;
const COLOR_LINE = fields.colorLine;
const LAST_PHI1 = fields.lastPhi1Byte;
const LAST_PHI2 = fields.lastPhi2Byte;
const REFRESH_COUNTER = fields.refreshCounter;
const DMA = fields.spriteDma;
const WITH_SPRITES = fields.quietSprites;
const POINTER = fields.spritePointer;
const DATA = fields.spriteData;
const SHIFT = fields.spriteShift;
const HALTED = fields.spriteHalted;
const MC = fields.mc;

const ECM = 0x40;
const BMM = 0x20;

const SPRITE_SHIFT = cycleFlag.spriteShift;
const POINTER_ACCESS = cycleFlag.pointer;
const SPRITE_ACCESS = cycleFlag.pointer | cycleFlag.spriteData;
const REFRESH = cycleFlag.refresh;
const DISPLAY = cycleFlag.spriteDisplay;
const EXPANSION = cycleFlag.spriteExpansion;
const COUNTERS = cycleFlag.updateVc | cycleFlag.updateRc;

/** BA is low from the first to the last of these cycles of a bad line; c-accesses and g-accesses follow each other. */
export const matrixBus = { first: 12, last: 54 } as const;
const FIRST_MATRIX = 15;
const firstGraphics = 16;
const lastGraphics = 55;

/** The accesses and counters of the cycles `from` to `to` of one line. Nothing changes the idle state within them. */
export function accessQuietly(
  s: Vic2State,
  wires: Vic2Wires,
  work: QuietWork,
  flags: Int32Array,
  pins: PinBytes,
  from: number,
  to: number,
): void {
  let cycle = from;
  const workOutside = s[WITH_SPRITES] !== 0 ? workWithSprites : workWithoutSprites;
  if (cycle < firstGraphics) {
    const last = Math.min(to, BEFORE_COLUMNS);
    const isWhole = cycle === 1 && last === BEFORE_COLUMNS && work.firstSprites !== 0;
    if (isWhole && s[WITH_SPRITES] === 0) workBeforeColumns(s, wires, work, pins, flags[flags.length - 1]);
    else workOutside(s, wires, work.cycles, flags, pins, cycle, last);
    cycle = last + 1;
  }
  if (s[KIND] === quietKind.badLine) accessMatrixRow(s, wires, from, to);
  if (cycle <= to && cycle <= lastGraphics) {
    const last = Math.min(to, lastGraphics);
    if (cycle === firstGraphics && s[DMA] !== 0) advanceSpriteBase(s);
    if (s[KIND] !== quietKind.border) accessGraphicsRow(s, wires, cycle, last);
    cycle = last + 1;
  }
  if (cycle <= to) {
    const isWhole = cycle === COUNT_RC && to === flags.length && work.lastSprites !== 0;
    if (isWhole && s[WITH_SPRITES] === 0) workAfterColumns(s, wires, work, pins);
    else workOutside(s, wires, work.cycles, flags, pins, cycle, to);
  }
  s[LAST_PHI1] = phi1Byte(s, wires, flags[to - 1], to);
}

/** Cycles that are none of the 40 columns. What sprite accesses do to the shift registers is left to the drawing. */
function workWithSprites(
  s: Vic2State,
  wires: Vic2Wires,
  work: Int32Array,
  flags: Int32Array,
  pins: PinBytes,
  from: number,
  to: number,
): void {
  let isDone = false;
  for (let cycle = from; cycle <= to; cycle++) {
    const todo = work[cycle];
    if (todo === 0) continue;
    if ((todo & afterSpriteAccess) !== 0 && !isDone) {
      accessSpritePhi2(s, wires, flags[cycle === 1 ? flags.length - 1 : cycle - 2], true);
    }
    isDone = (todo & POINTER_ACCESS) !== 0 && cycle + 2 <= to;
    if ((todo & SPRITE_ACCESS) !== 0) {
      accessSpritePhi1(s, wires, todo);
      s[LAST_PHI2] = pins.take(cycle);
    } else if ((todo & REFRESH) !== 0) s[REFRESH_COUNTER] = (s[REFRESH_COUNTER] - 1) & 0xff;
    if ((todo & EXPANSION) !== 0) toggleSpriteExpansion(s);
    if ((todo & DISPLAY) !== 0) startSpriteDisplay(s);
    if ((todo & COUNTERS) !== 0) updateCounters(s, todo);
    if (!isDone) continue;
    cycle++;
    accessSpriteRow(s, wires, (todo >> SPRITE_SHIFT) & 7, pins.take(cycle));
  }
}

/** The three s-accesses at once: in phi2, in phi1 and phi2 of the next cycle, which ends with `pinByte` on the pins. */
function accessSpriteRow(s: Vic2State, wires: Vic2Wires, sprite: number, pinByte: number): void {
  const before = s[LAST_PHI2];
  s[LAST_PHI2] = pinByte;
  if ((s[DMA] & (1 << sprite)) === 0) {
    s[DATA + sprite] = (before << 16) | (fetch(wires, 0x3fff) << 8) | pinByte;
    return;
  }
  const block = s[POINTER + sprite] << 6;
  const mc = s[MC + sprite];
  const phi1 = wires.pages[block >> 12] + (block & 0xfff);
  const phi2 = wires.pagesPhi2[block >> 12] + (block & 0xfff);
  s[DATA + sprite] =
    (wires.memory[phi2 + mc] << 16) |
    (wires.memory[phi1 + ((mc + 1) & 63)] << 8) |
    wires.memory[phi2 + ((mc + 2) & 63)];
  s[MC + sprite] = (mc + 3) & 63;
}

/** The same in lines without sprites. */
function workWithoutSprites(
  s: Vic2State,
  wires: Vic2Wires,
  work: Int32Array,
  flags: Int32Array,
  pins: PinBytes,
  from: number,
  to: number,
): void {
  const idle = fetch(wires, 0x3fff) << 8;
  const base = pointerAddress(s);
  const pointers = wires.pages[base >> 12] + (base & 0xfff);
  let isDone = false;
  let passed = 0;
  for (let cycle = from; cycle <= to; cycle++) {
    const todo = work[cycle];
    if (todo === 0) continue;
    if ((todo & afterSpriteAccess) !== 0 && !isDone)
      endIdleSpriteAccess(s, flags[cycle === 1 ? flags.length - 1 : cycle - 2]);
    isDone = false;
    if ((todo & POINTER_ACCESS) !== 0 && cycle + 2 <= to) {
      // All accesses of a sprite that has no DMA.
      const sprite = (todo >> SPRITE_SHIFT) & 7;
      const last = pins.take(cycle + 1);
      const data = (pins.take(cycle) << 16) | idle | last;
      s[LAST_PHI2] = last;
      s[POINTER + sprite] = wires.memory[pointers + sprite];
      s[DATA + sprite] = data;
      s[SHIFT + sprite] = data;
      passed |= 1 << sprite;
      if ((todo & COUNTERS) !== 0) updateCounters(s, todo);
      isDone = true;
      cycle++;
      continue;
    }
    if ((todo & SPRITE_ACCESS) !== 0) {
      beginIdleSpriteAccess(s, wires, todo);
      s[LAST_PHI2] = pins.take(cycle);
    } else if ((todo & REFRESH) !== 0) s[REFRESH_COUNTER] = (s[REFRESH_COUNTER] - 1) & 0xff;
    if ((todo & COUNTERS) !== 0) updateCounters(s, todo);
  }
  s[HALTED] &= ~passed;
}

/** The same, up to the 40 columns. `before`: flags of the last cycle of a line. */
function workBeforeColumns(s: Vic2State, wires: Vic2Wires, work: QuietWork, pins: PinBytes, before: number): void {
  if ((before & SPRITE_ACCESS) !== 0) endIdleSpriteAccess(s, before);
  s[LAST_PHI2] = passIdleSprites(s, wires, work, work.firstSprites, pins) & 0xff;
  s[REFRESH_COUNTER] = (s[REFRESH_COUNTER] - work.refreshes) & 0xff;
  updateCounters(s, cycleFlag.updateVc);
}

/** The same from the cycle that counts RC to the end of the line, but for one access. */
function workAfterColumns(s: Vic2State, wires: Vic2Wires, work: QuietWork, pins: PinBytes): void {
  updateCounters(s, cycleFlag.updateRc);
  passIdleSprites(s, wires, work, work.lastSprites, pins);
  const sprite = work.openSprite;
  const cycle = work.pointerCycles[sprite];
  s[POINTER + sprite] = fetch(wires, pointerAddress(s) | sprite);
  s[DATA + sprite] = (pins.take(cycle) << 16) | (fetch(wires, 0x3fff) << 8) | (s[DATA + sprite] & 0xff);
  s[HALTED] |= 1 << sprite;
  s[LAST_PHI2] = pins.take(cycle + 1);
}

/** All accesses of these sprites, one bit each. The answer is the data that the last one gets. */
function passIdleSprites(
  s: Vic2State,
  wires: Vic2Wires,
  { pointerCycles }: QuietWork,
  sprites: number,
  pins: PinBytes,
): number {
  const idle = fetch(wires, 0x3fff) << 8;
  const base = pointerAddress(s);
  const pointers = wires.pages[base >> 12] + (base & 0xfff);
  let data = 0xff00ff | idle;
  for (let sprite = 0, left = sprites; left !== 0; sprite++, left >>= 1) {
    if ((left & 1) === 0) continue;
    const cycle = pointerCycles[sprite];
    data = (pins.take(cycle) << 16) | idle | pins.take(cycle + 1);
    s[POINTER + sprite] = wires.memory[pointers + sprite];
    s[DATA + sprite] = data;
    s[SHIFT + sprite] = data;
  }
  s[HALTED] &= ~sprites;
  return data;
}

/** Of the pointer of sprite 0. */
function pointerAddress(s: Vic2State): number {
  return ((s[D018] & 0xf0) << 6) | 0x3f8;
}

/** c-accesses. The g-access of a cycle comes before its c-access. */
function accessMatrixRow(s: Vic2State, wires: Vic2Wires, from: number, to: number): void {
  const end = Math.min(to, matrixBus.last);
  const done = Math.max(from, firstGraphics) - 1;
  const base = (s[D018] & 0xf0) << 6;
  const { memory } = wires;
  const place = wires.pagesPhi2[base >> 12] + (base & 0xfff);
  for (let cycle = Math.max(from, FIRST_MATRIX); cycle <= end; cycle++) {
    const index = s[VMLI] + cycle - done;
    const vc = (s[VC] + cycle - done) & 0x3ff;
    s[MATRIX_LINE + index] = memory[place + vc];
    s[COLOR_LINE + index] = wires.color[vc] & 0x0f;
  }
}

function accessGraphicsRow(s: Vic2State, wires: Vic2Wires, from: number, to: number): void {
  if (s[IDLE] !== 0) {
    const byte = fetch(wires, idleAddressNow(s));
    for (let cycle = from; cycle <= to; cycle++) s[G_LINE + cycle] = byte;
    s[G_BYTE] = byte;
    return;
  }
  const mask = (s[D011] & ECM) !== 0 ? 0x39ff : 0x3fff;
  const vc = s[VC];
  const vmli = s[VMLI];
  if ((s[D011] & BMM) !== 0) {
    const base = s[RC] | ((s[D018] & 8) << 10);
    for (let cycle = from; cycle <= to; cycle++) {
      s[G_LINE + cycle] = fetch(wires, (base | (((vc + cycle - from) & 0x3ff) << 3)) & mask);
    }
  } else {
    // All characters of a set lie in the same 4K.
    const set = (s[RC] | ((s[D018] & 0x0e) << 10)) & mask;
    const { memory } = wires;
    const place = wires.pages[set >> 12] + (set & 0xfff);
    const characters = MATRIX_LINE + vmli - from;
    const inSet = mask & 0x7ff;
    for (let cycle = from; cycle <= to; cycle++) {
      s[G_LINE + cycle] = memory[place + ((s[characters + cycle] << 3) & inSet)];
    }
  }
  s[VMLI] = vmli + to - from + 1;
  s[VC] = (vc + to - from + 1) & 0x3ff;
  s[G_BYTE] = s[G_LINE + to];
}

function fetch(wires: Vic2Wires, address14: number): number {
  return wires.memory[wires.pages[address14 >> 12] + (address14 & 0xfff)];
}

/** p-access, or second s-access of a sprite that has no DMA: the pointer is read all the same, the rest are idle accesses. */
function beginIdleSpriteAccess(s: Vic2State, wires: Vic2Wires, flags: number): void {
  const sprite = (flags >> SPRITE_SHIFT) & 7;
  if ((flags & POINTER_ACCESS) !== 0) {
    s[POINTER + sprite] = fetch(wires, pointerAddress(s) | sprite);
    return;
  }
  s[DATA + sprite] = (s[DATA + sprite] & 0xff00ff) | (fetch(wires, 0x3fff) << 8);
}

/** First or third s-access of a sprite that has no DMA: it takes what the CPU left on the chip's data pins. */
function endIdleSpriteAccess(s: Vic2State, flags: number): void {
  const sprite = (flags >> SPRITE_SHIFT) & 7;
  const data = s[DATA + sprite];
  if ((flags & POINTER_ACCESS) !== 0) {
    s[DATA + sprite] = (data & 0x00ffff) | (s[LAST_PHI2] << 16);
    s[HALTED] |= 1 << sprite;
    return;
  }
  s[DATA + sprite] = (data & 0xffff00) | s[LAST_PHI2];
  s[SHIFT + sprite] = s[DATA + sprite];
  s[HALTED] &= ~(1 << sprite);
}

/** What a quiet cycle read in phi1, with its flags, once its accesses are done. */
function phi1Byte(s: Vic2State, wires: Vic2Wires, flags: number, cycle: number): number {
  const sprite = (flags >> SPRITE_SHIFT) & 7;
  if ((flags & cycleFlag.graphics) !== 0) {
    return s[KIND] === quietKind.border ? fetch(wires, idleAddressNow(s)) : s[G_LINE + cycle];
  }
  if ((flags & POINTER_ACCESS) !== 0) return s[POINTER + sprite];
  if ((flags & cycleFlag.spriteData) !== 0) return (s[DATA + sprite] >> 8) & 0xff;
  if ((flags & REFRESH) !== 0) return fetch(wires, 0x3f00 | ((s[REFRESH_COUNTER] + 1) & 0xff));
  return fetch(wires, 0x3fff);
}
