import { readWide, writeWide } from '../wide-word.ts';
import { type CounterState, counterFields } from './fields.ts';

const OUT = counterFields.out;
const GATE = counterFields.gate;
const MODE = counterFields.mode;
const BCD = counterFields.bcd;
const RELOAD = counterFields.reload;
const COUNTING = counterFields.counting;
const COUNT = counterFields.count;
const FIRED = counterFields.fired;
const PENDING = counterFields.pending;
const BASE = counterFields.base;

/** The strobe of modes 4 and 5 is over. Mode 3 keeps in `fired` whether it is in its low half. */
const STROBED = 2;

const halfLength = (c: CounterState) => (c[FIRED] === 0 ? (c[COUNT] + 1) >> 1 : c[COUNT] >> 1);

export const modulusOf = (c: CounterState) => (c[BCD] !== 0 ? 10_000 : 65_536);

function start(c: CounterState, tick: number): void {
  c[COUNT] = c[RELOAD];
  c[COUNTING] = 1;
  c[FIRED] = 0;
  c[PENDING] = 0;
  // The counting element is loaded by the clock pulse after the write or trigger.
  writeWide(c, BASE, tick + 1);
}

/** Brings OUT and the counting element to this tick. */
export function advance(c: CounterState, tick: number): void {
  if (c[COUNTING] === 0) return;
  let elapsed = tick - readWide(c, BASE);
  if (elapsed < 0) return;
  switch (c[MODE]) {
    case 0:
    case 1:
      if (c[FIRED] !== 0) return;
      c[OUT] = c[FIRED] = elapsed >= c[COUNT] ? 1 : 0;
      return;
    case 2: {
      if (elapsed >= c[COUNT]) elapsed = nextPeriods(c, elapsed);
      c[OUT] = elapsed === c[COUNT] - 1 ? 0 : 1;
      return;
    }
    case 3:
      advanceSquare(c, elapsed);
      return;
    default:
      if (c[FIRED] === STROBED) return;
      c[OUT] = elapsed === c[COUNT] ? 0 : 1;
      if (elapsed > c[COUNT]) c[FIRED] = STROBED;
  }
}

/** Skips whole periods of mode 2; gives the ticks into the one that runs. */
function nextPeriods(c: CounterState, elapsed: number): number {
  let left = elapsed;
  if (c[PENDING] !== 0) {
    left -= c[COUNT];
    writeWide(c, BASE, readWide(c, BASE) + c[COUNT]);
    c[COUNT] = c[RELOAD];
    c[PENDING] = 0;
  }
  const periods = Math.floor(left / c[COUNT]);
  writeWide(c, BASE, readWide(c, BASE) + periods * c[COUNT]);
  return left - periods * c[COUNT];
}

function advanceSquare(c: CounterState, elapsed: number): void {
  let left = elapsed;
  let base = readWide(c, BASE);
  while (left >= halfLength(c)) {
    const periods = c[PENDING] === 0 ? Math.floor(left / c[COUNT]) : 0;
    const step = periods !== 0 ? periods * c[COUNT] : halfLength(c);
    base += step;
    left -= step;
    if (periods !== 0) continue;
    c[FIRED] ^= 1;
    if (c[PENDING] === 0) continue;
    c[COUNT] = c[RELOAD];
    c[PENDING] = 0;
  }
  writeWide(c, BASE, base);
  c[OUT] = c[FIRED] ^ 1;
}

/** The tick at which OUT changes next, for a counter that has been advanced. */
export function nextEdge(c: CounterState): number {
  if (c[COUNTING] === 0) return Number.POSITIVE_INFINITY;
  const base = readWide(c, BASE);
  const end = base + c[COUNT];
  switch (c[MODE]) {
    case 0:
      return c[FIRED] !== 0 ? Number.POSITIVE_INFINITY : end;
    case 1:
      if (c[FIRED] !== 0) return Number.POSITIVE_INFINITY;
      return c[OUT] !== 0 ? base : end;
    case 2:
      return c[OUT] !== 0 ? end - 1 : end;
    case 3:
      return base + halfLength(c);
    default:
      if (c[FIRED] === STROBED) return Number.POSITIVE_INFINITY;
      return c[OUT] !== 0 ? end : end + 1;
  }
}

/** Brings a periodic counter that somebody has looked at later to the period in which a tick lies. */
export function goBack(c: CounterState, tick: number): void {
  const base = readWide(c, BASE);
  const periodic = c[MODE] === 2 || c[MODE] === 3;
  if (!periodic || c[COUNTING] === 0 || c[PENDING] !== 0 || tick >= base) return;
  writeWide(c, BASE, base - Math.ceil((base - tick) / c[COUNT]) * c[COUNT]);
}

/** What the counting element holds, in binary. */
export function countOf(c: CounterState, tick: number): number {
  const modulus = modulusOf(c);
  const elapsed = c[COUNTING] !== 0 ? Math.max(0, tick - readWide(c, BASE)) : 0;
  const value = c[MODE] === 3 ? (c[COUNT] & ~1) - 2 * elapsed : c[COUNT] - elapsed;
  return ((value % modulus) + modulus) % modulus;
}

/** Not yet in the counting element: a count just written. */
export function isNull(c: CounterState, tick: number): boolean {
  return c[RELOAD] === 0 || c[PENDING] !== 0 || (c[COUNTING] !== 0 && tick < readWide(c, BASE));
}

export function writeControl(c: CounterState, value: number): void {
  const mode = (value >> 1) & 7;
  c[MODE] = mode > 5 ? mode - 4 : mode;
  c[counterFields.access] = (value >> 4) & 3;
  c[BCD] = value & 1;
  c[RELOAD] = 0;
  c[COUNTING] = 0;
  c[FIRED] = 0;
  c[PENDING] = 0;
  c[counterFields.lowWritten] = 0;
  c[counterFields.highNext] = 0;
  c[counterFields.latched] = 0;
  c[counterFields.statusLatched] = 0;
  c[OUT] = c[MODE] === 0 ? 0 : 1;
}

/** A whole count has been written (binary, 1 up to the modulus). */
export function writeCount(c: CounterState, count: number, tick: number): void {
  const periodic = c[MODE] === 2 || c[MODE] === 3;
  // A count of 1 is illegal in the periodic modes.
  c[RELOAD] = periodic && count < 2 ? 2 : count;
  if (c[MODE] === 1 || c[MODE] === 5) return;
  if (periodic && c[COUNTING] !== 0) {
    c[PENDING] = 1;
    return;
  }
  start(c, tick);
  c[COUNTING] = c[GATE];
  c[OUT] = c[MODE] === 0 ? 0 : 1;
}

/** Mode 0 waits, OUT low, between the two bytes of a count. */
export function holdForSecondByte(c: CounterState, tick: number): void {
  if (c[MODE] !== 0) return;
  c[COUNT] = countOf(c, tick);
  c[COUNTING] = 0;
  c[OUT] = 0;
}

export function writeGate(c: CounterState, level: number, tick: number): void {
  if (c[GATE] === level) return;
  c[GATE] = level;
  const pausing = c[MODE] === 0 || c[MODE] === 4;
  const periodic = c[MODE] === 2 || c[MODE] === 3;
  if (c[RELOAD] === 0) return;
  if (level !== 0) {
    if (!pausing) start(c, tick);
    else if (c[COUNTING] === 0) {
      c[COUNTING] = 1;
      writeWide(c, BASE, tick);
    }
  } else if (pausing || periodic) {
    c[COUNT] = countOf(c, tick);
    c[COUNTING] = 0;
    if (periodic) c[OUT] = 1;
  }
}
