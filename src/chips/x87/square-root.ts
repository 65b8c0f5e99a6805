import { bias, kind, kindOf, normalise, setInfinity, setZero, significandOf } from './real.ts';
import { precisionOf, round } from './round.ts';
import { isNan, type Work } from './work.ts';

/** The square root of `a`. */
export function squareRoot(work: Work): void {
  const { a, result } = work;
  const what = kindOf(a);
  if (isNan(work, what)) return;
  if (what === kind.zero) {
    setZero(result, a.sign);
    return;
  }
  if (a.sign !== 0 || (what === kind.infinity && !work.isAffine)) {
    work.invalid();
    return;
  }
  if (what === kind.infinity) {
    setInfinity(result, 0);
    return;
  }
  if (what === kind.denormal) {
    work.denormal();
    normalise(a);
  }
  const power = a.exponent - bias;
  const isOdd = (power & 1) !== 0;
  const square = significandOf(a) << (isOdd ? 64n : 63n);
  const root = integerRoot(square);
  const remainder = square - root * root;
  const rest = remainder === 0n ? 0 : remainder > root ? -0x40000000 : 0x40000000;
  const [high, low] = [Number(root >> 32n) | 0, Number(root & 0xffffffffn) | 0];
  round(work, 0, (isOdd ? power - 1 : power) / 2 + bias, high, low, rest, precisionOf(work.control));
}

/** The integer part of the root of a number of 127 or 128 bits. */
function integerRoot(square: bigint): bigint {
  // One step of Newton's from 53 good bits; what is off then is off by one.
  let root = BigInt(Math.floor(Math.sqrt(Number(square))));
  root = (root + square / root) >> 1n;
  while (root * root > square) root -= 1n;
  while ((root + 1n) * (root + 1n) <= square) root += 1n;
  return root;
}
