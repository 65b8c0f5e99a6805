import { bias, kind, kindOf, normalise, setInfinity, setZero } from './real.ts';
import { precisionOf, round } from './round.ts';
import { multiplySignificands, wide } from './significands.ts';
import { meetsNan, type Work } from './work.ts';

export function multiply(work: Work): void {
  const { a, b, result } = work;
  const kindA = kindOf(a);
  const kindB = kindOf(b);
  const sign = a.sign ^ b.sign;
  if (kindA !== kind.normal || kindB !== kind.normal) {
    if (meetsNan(work, kindA, kindB)) return;
    const isZero = kindA === kind.zero || kindB === kind.zero;
    const isInfinite = kindA === kind.infinity || kindB === kind.infinity;
    if (isZero && isInfinite) {
      work.invalid();
      return;
    }
    if (kindA === kind.denormal || kindB === kind.denormal) work.denormal();
    if (isZero || isInfinite) {
      if (isZero) setZero(result, sign);
      else setInfinity(result, sign);
      return;
    }
    normalise(a);
    normalise(b);
  }
  const exponent = a.exponent + b.exponent - bias + multiplySignificands(a.high, a.low, b.high, b.low);
  round(work, sign, exponent, wide[0], wide[1], wide[2], precisionOf(work.control));
}
