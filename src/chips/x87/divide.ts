import { bias, kind, kindOf, normalise, setInfinity, setZero } from './real.ts';
import { precisionOf, round } from './round.ts';
import { divideSignificands, wide } from './significands.ts';
import { meetsNan, type Work } from './work.ts';

/** `a / b`. */
export function divide(work: Work): void {
  const { a, b } = work;
  const kindA = kindOf(a);
  const kindB = kindOf(b);
  if (kindA !== kind.normal || kindB !== kind.normal) {
    if (meetsNan(work, kindA, kindB) || divideSpecial(work, kindA, kindB)) return;
    normalise(a);
    normalise(b);
  }
  const exponent = a.exponent - b.exponent + bias - divideSignificands(a.high, a.low, b.high, b.low);
  round(work, a.sign ^ b.sign, exponent, wide[0], wide[1], wide[2], precisionOf(work.control));
}

function divideSpecial(work: Work, kindA: number, kindB: number): boolean {
  const { a, b, result } = work;
  const sign = a.sign ^ b.sign;
  if (kindA === kindB && (kindA === kind.zero || kindA === kind.infinity)) {
    work.invalid();
    return true;
  }
  if (kindB === kind.zero && kindA !== kind.infinity) {
    work.zeroDivide();
    setInfinity(result, sign);
    return true;
  }
  if (kindA === kind.denormal || kindB === kind.denormal) work.denormal();
  if (kindA === kind.infinity) setInfinity(result, sign);
  else if (kindA === kind.zero || kindB === kind.infinity) setZero(result, sign);
  else return false;
  return true;
}
