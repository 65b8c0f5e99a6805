import { fields as f, pending, type Via6522State } from './fields.ts';

/**
 * The shift register. A byte is sixteen half bits: with each falling edge of CB1 a bit goes out on CB2, with each rising
 * edge one comes in from it. ACR bits 2-4 choose the direction and who makes the edges: timer 2, the system clock, or the
 * outside.
 */
const modeBits = 0x1c;
const out = 0x10;
const freeRunning = 0x10;
const complete = 16;

/** Cycles from the choice of the system clock to its first half bit, and from a start to it. */
const clockSelected = 3;
const clockStarted = 1;

export const isShiftDisabled = (acr: number): boolean => (acr & modeBits) === 0;

/** By timer 2, whose low byte then takes its latch at every wrap. */
export const isShiftedByTimer = (acr: number): boolean => (acr & 0x0c) === 0x04 || (acr & modeBits) === freeRunning;

const isShiftedByClock = (acr: number): boolean => (acr & 0x0c) === 0x08;

/** CB1 is the clock from outside; a disabled register still takes bits in with it. */
const isShiftedFromOutside = (acr: number): boolean => (acr & 0x0c) === 0x0c || isShiftDisabled(acr);

/** A cycle with `pending.shift` or `pending.clock` set. True if a byte is complete and the flag has to be set. */
export function stepShift(s: Via6522State): boolean {
  if ((s[f.pending] & pending.shift) !== 0) {
    s[f.pending] &= ~pending.shift;
    return shiftHalf(s);
  }
  if (s[f.shiftDelay] !== 0) {
    s[f.shiftDelay] -= 1;
    planClock(s);
    return false;
  }
  const isComplete = shiftHalf(s);
  planClock(s);
  return isComplete;
}

/** The register was read or written, which lets the next byte begin when one is complete. */
export function startShift(s: Via6522State): void {
  const acr = s[f.acr];
  if (s[f.halfBits] < complete || isShiftDisabled(acr)) return;
  s[f.halfBits] = 0;
  if (!isShiftedByClock(acr)) return;
  s[f.shiftDelay] = clockStarted;
  planClock(s);
}

/** The ACR has changed. */
export function selectShift(s: Via6522State, before: number): void {
  const acr = s[f.acr];
  if (!isShiftedByClock(acr)) s[f.shiftDelay] = 0;
  else if (!isShiftedByClock(before)) s[f.shiftDelay] = clockSelected;
  if (isShiftedFromOutside(acr) || s[f.halfBits] === complete) s[f.cb1Out] = 1;
  planClock(s);
}

function planClock(s: Via6522State): void {
  const isBusy = s[f.shiftDelay] !== 0 || (s[f.halfBits] !== complete && isShiftedByClock(s[f.acr]));
  if (isBusy) s[f.pending] |= pending.clock;
  else s[f.pending] &= ~pending.clock;
}

/** An edge of CB1 from outside. True if a byte is complete and the flag has to be set. */
export function clockShift(s: Via6522State, level: number): boolean {
  const acr = s[f.acr];
  if (!isShiftedFromOutside(acr)) return false;
  // A transfer begins with a falling edge.
  if (s[f.halfBits] === complete) {
    if (level !== 0) return false;
    s[f.halfBits] = 0;
  }
  s[f.halfBits] = (s[f.halfBits] & ~1) + (level === 0 ? 1 : 2);
  shiftBit(s, level);
  return s[f.halfBits] === complete && !isShiftDisabled(acr);
}

function shiftHalf(s: Via6522State): boolean {
  const isFree = (s[f.acr] & modeBits) === freeRunning;
  if (s[f.halfBits] === complete) {
    if (!isFree) return false;
    s[f.halfBits] = 0;
  }
  const level = s[f.halfBits] & 1;
  if (!isShiftedFromOutside(s[f.acr])) s[f.cb1Out] = level;
  shiftBit(s, level);
  s[f.halfBits] += 1;
  return s[f.halfBits] === complete && !isFree;
}

function shiftBit(s: Via6522State, level: number): void {
  const isOut = (s[f.acr] & out) !== 0;
  if (isOut && level === 0) {
    s[f.cb2Out] = s[f.sr] >> 7;
    s[f.sr] = ((s[f.sr] << 1) | (s[f.sr] >> 7)) & 255;
  } else if (!isOut && level !== 0) s[f.sr] = ((s[f.sr] << 1) | s[f.cb2]) & 255;
}
