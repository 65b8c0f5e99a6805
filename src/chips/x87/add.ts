import { compareSignificands, kind, kindOf, normalise, type Real, setInfinity, setZero } from './real.ts';
import { precisionOf, round } from './round.ts';
import { meetsNan, type Work } from './work.ts';

/** `a + b`, or `a - b` with `negate` 1. */
export function add(work: Work, negate: number): void {
  const { a, b } = work;
  const kindA = kindOf(a);
  const kindB = kindOf(b);
  if (kindA !== kind.normal || kindB !== kind.normal) {
    if (meetsNan(work, kindA, kindB)) return;
    b.sign ^= negate;
    if (addSpecial(work, kindA, kindB)) return;
  } else b.sign ^= negate;
  if (a.sign === b.sign) addMagnitudes(work, a, b);
  else if (a.exponent > b.exponent || (a.exponent === b.exponent && compareSignificands(a, b) >= 0)) {
    subtractMagnitudes(work, a, b);
  } else subtractMagnitudes(work, b, a);
}

/** Infinities and zeros; true when that was all. */
function addSpecial(work: Work, kindA: number, kindB: number): boolean {
  const { a, b, result } = work;
  if (kindA === kind.infinity && kindB === kind.infinity) {
    if (a.sign !== b.sign || !work.isAffine) work.invalid();
    else setInfinity(result, a.sign);
    return true;
  }
  if (kindA === kind.denormal || kindB === kind.denormal) work.denormal();
  if (kindA === kind.infinity || kindB === kind.infinity) {
    setInfinity(result, kindA === kind.infinity ? a.sign : b.sign);
    return true;
  }
  if (kindA === kind.zero && kindB === kind.zero) {
    setZero(result, a.sign === b.sign ? a.sign : signOfNothing(work));
    return true;
  }
  if (kindA === kind.denormal) normalise(a);
  if (kindB === kind.denormal) normalise(b);
  if (kindA !== kind.zero && kindB !== kind.zero) return false;
  // The other one is rounded all the same.
  const { sign, exponent, high, low } = kindA === kind.zero ? b : a;
  round(work, sign, exponent, high, low, 0, precisionOf(work.control));
  return true;
}

/** What is left of equal numbers is minus zero when rounding down. */
function signOfNothing({ control }: Work): number {
  return (control & 0xc00) === 0x400 ? 1 : 0;
}

/** The smaller number, moved to the exponent of the larger one. */
let high = 0;
let low = 0;
let rest = 0;

function align(real: Real, by: number): void {
  high = real.high;
  low = real.low;
  rest = 0;
  if (by >= 96) {
    high = 0;
    low = 0;
    rest = 1;
    return;
  }
  let sticky = 0;
  if (by >= 64) {
    sticky = low;
    rest = high;
    low = 0;
    high = 0;
  } else if (by >= 32) {
    rest = low;
    low = high;
    high = 0;
  }
  const bits = by & 31;
  if (bits !== 0) {
    sticky |= rest << (32 - bits);
    rest = (rest >>> bits) | (low << (32 - bits));
    low = (low >>> bits) | (high << (32 - bits));
    high >>>= bits;
  }
  if (sticky !== 0) rest |= 1;
}

function addMagnitudes(work: Work, a: Real, b: Real): void {
  const isLarger = a.exponent >= b.exponent;
  const larger = isLarger ? a : b;
  let { exponent } = larger;
  align(isLarger ? b : a, Math.abs(a.exponent - b.exponent));
  const lower = (larger.low >>> 0) + (low >>> 0);
  const upper = (larger.high >>> 0) + (high >>> 0) + (lower > 0xffffffff ? 1 : 0);
  let h = upper | 0;
  let l = lower | 0;
  let r = rest;
  if (upper > 0xffffffff) {
    r = (r >>> 1) | (r & 1) | (l << 31);
    l = (l >>> 1) | (h << 31);
    h = (h >>> 1) | -0x80000000;
    exponent += 1;
  }
  round(work, a.sign, exponent, h, l, r, precisionOf(work.control));
}

function subtractMagnitudes(work: Work, larger: Real, smaller: Real): void {
  align(smaller, larger.exponent - smaller.exponent);
  let r = -rest | 0;
  const lower = (larger.low >>> 0) - (low >>> 0) - (rest !== 0 ? 1 : 0);
  let l = lower | 0;
  let h = ((larger.high >>> 0) - (high >>> 0) - (lower < 0 ? 1 : 0)) | 0;
  if ((h | l | r) === 0) {
    setZero(work.result, signOfNothing(work));
    return;
  }
  let { exponent } = larger;
  for (; h === 0; exponent -= 32) {
    h = l;
    l = r;
    r = 0;
  }
  const shift = Math.clz32(h);
  if (shift !== 0) {
    h = (h << shift) | (l >>> (32 - shift));
    l = (l << shift) | (r >>> (32 - shift));
    r <<= shift;
    exponent -= shift;
  }
  round(work, larger.sign, exponent, h, l, r, precisionOf(work.control));
}
