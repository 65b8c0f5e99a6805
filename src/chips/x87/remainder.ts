import { compareSignificands, kind, kindOf, lift, normalise, type Real, setZero } from './real.ts';
import { round } from './round.ts';
import { meetsNan, type Work } from './work.ts';

/** Condition codes that say a remainder is only on its way. */
const incomplete = 0x400;

/**
 * The remainder of `a` by `b`: truncated quotients (FPREM), or the nearest (FPREM1). Gives the condition codes: the last
 * three bits of the quotient, or C2 when it takes more steps.
 */
export function remainder(work: Work, nearest: boolean): number {
  const { a, b, result } = work;
  const [kindA, kindB] = [kindOf(a), kindOf(b)];
  if (meetsNan(work, kindA, kindB)) return 0;
  if (kindA === kind.infinity || kindB === kind.zero) {
    work.invalid();
    return 0;
  }
  if (kindA === kind.denormal || kindB === kind.denormal) work.denormal();
  if (kindA === kind.zero || kindB === kind.infinity) {
    result.copy(a);
    return 0;
  }
  normalise(a);
  normalise(b);
  const distance = a.exponent - b.exponent;
  if (distance < (nearest ? -1 : 0)) {
    finish(work, a);
    return 0;
  }
  const steps = distance < 64 ? distance : (distance % 32) | 32;
  let quotient = 0;
  if (distance >= 0) {
    quotient = reduce(a, b, steps);
    a.exponent -= steps;
  }
  if (nearest && steps === distance) quotient += settle(a, b, quotient);
  finish(work, a);
  return steps === distance ? codes(quotient) : incomplete;
}

/** Takes `b` times a power of two away from `a`, for each power from `steps` down to 0; gives the quotient's low bits. */
function reduce(a: Real, b: Real, steps: number): number {
  let quotient = 0;
  let overflowed = false;
  for (let left = steps; ; left -= 1) {
    quotient = (quotient << 1) & 7;
    if (overflowed || compareSignificands(a, b) >= 0) {
      subtract(a, b);
      quotient |= 1;
    }
    if (left === 0) return quotient;
    overflowed = a.high < 0;
    a.high = (a.high << 1) | (a.low >>> 31);
    a.low <<= 1;
  }
}

function subtract(a: Real, b: Real): void {
  const low = (a.low >>> 0) - (b.low >>> 0);
  a.high = ((a.high >>> 0) - (b.high >>> 0) - (low < 0 ? 1 : 0)) | 0;
  a.low = low | 0;
}

/** Takes `b` away once more where that leaves less; gives what the quotient grows by. */
function settle(a: Real, b: Real, quotient: number): 0 | 1 {
  if (a.exponent === b.exponent) {
    // Twice the remainder against the divisor.
    const isLarge = a.high < 0;
    const doubled = (a.high << 1) | (a.low >>> 31);
    const order = isLarge ? 1 : compareWords(doubled, a.low << 1, b);
    if (order < 0 || (order === 0 && (quotient & 1) === 0)) return 0;
    takeFrom(a, b.high, b.low);
  } else {
    if (compareSignificands(a, b) <= 0) return 0;
    takeFrom(a, (b.high << 1) | (b.low >>> 31), b.low << 1);
  }
  return 1;
}

function compareWords(high: number, low: number, b: Real): number {
  if (high !== b.high) return high >>> 0 < b.high >>> 0 ? -1 : 1;
  return low === b.low ? 0 : low >>> 0 < b.low >>> 0 ? -1 : 1;
}

/** `a` becomes what it lacks. */
function takeFrom(a: Real, high: number, low: number): void {
  const lower = (low >>> 0) - (a.low >>> 0);
  a.high = ((high >>> 0) - (a.high >>> 0) - (lower < 0 ? 1 : 0)) | 0;
  a.low = lower | 0;
  a.sign ^= 1;
}

function finish(work: Work, a: Real): void {
  if ((a.high | a.low) === 0) {
    setZero(work.result, a.sign);
    return;
  }
  lift(a);
  round(work, a.sign, a.exponent, a.high, a.low, 0, 64);
}

/** Bits 2, 1, 0 of the quotient are C0, C3, C1. */
function codes(quotient: number): number {
  return ((quotient & 4) << 6) | ((quotient & 2) << 13) | ((quotient & 1) << 9);
}
