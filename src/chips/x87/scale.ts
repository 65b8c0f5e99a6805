import { setSmallInteger, toWhole } from './integer.ts';
import { bias, kind, kindOf, normalise, type Real, setInfinity, setZero } from './real.ts';
import { round } from './round.ts';
import { isNan, meetsNan, type Work } from './work.ts';

const truncates = 0xc00;
const farthest = 0x10000;

/** `a` times two to the integer part of `b`. */
export function scale(work: Work): void {
  const { a, b, result } = work;
  const [kindA, kindB] = [kindOf(a), kindOf(b)];
  if (meetsNan(work, kindA, kindB)) return;
  if (kindB === kind.infinity && kindA === (b.sign === 0 ? kind.zero : kind.infinity)) {
    work.invalid();
    return;
  }
  if (kindA === kind.denormal || kindB === kind.denormal) work.denormal();
  if (kindA === kind.zero || kindA === kind.infinity) result.copy(a);
  else if (kindB === kind.infinity) {
    if (b.sign === 0) setInfinity(result, a.sign);
    else setZero(result, a.sign);
  } else {
    normalise(a);
    round(work, a.sign, a.exponent + wholePart(work, b), a.high, a.low, 0, 64);
  }
}

function wholePart(work: Work, real: Real): number {
  if (real.exponent > bias + 16) return real.sign === 0 ? farthest : -farthest;
  toWhole(work, real, truncates);
  const { low } = work.result;
  return real.sign === 0 ? low : -low;
}

/** Splits `a`: its exponent is the result, its significand is left in `a`. */
export function extract(work: Work): void {
  const { a, result } = work;
  const what = kindOf(a);
  if (isNan(work, what)) a.copy(result);
  else if (what === kind.infinity) setInfinity(result, 0);
  else if (what === kind.zero) {
    work.zeroDivide();
    setInfinity(result, 1);
  } else {
    if (what === kind.denormal) work.denormal();
    normalise(a);
    setSmallInteger(result, a.exponent - bias);
    a.exponent = bias;
  }
}
