import {
  bias,
  integerBit,
  isSignalling,
  kind,
  kindOf,
  maxExponent,
  normalise,
  quietBit,
  type Real,
  setZero,
} from './real.ts';
import { round } from './round.ts';
import { exception, isNan, type Work } from './work.ts';

const singleBias = bias - 127;
const doubleBias = bias - 1023;

/** Words of the operand in memory, the lowest first. */
export type Words = Int32Array;

/** A number of 32 bits, as it is: signalling NaNs signal where they are used. */
export function loadSingle(work: Work, words: Words, real: Real): void {
  const bits = words[0];
  unpack(work, real, bits >>> 31, (bits >>> 23) & 0xff, (bits & 0x7fffff) << 8, 0, 0xff, singleBias);
}

/** A number of 64 bits. */
export function loadDouble(work: Work, words: Words, real: Real): void {
  const low = words[0];
  const high = words[1];
  const fraction = ((high & 0xfffff) << 11) | (low >>> 21);
  unpack(work, real, high >>> 31, (high >>> 20) & 0x7ff, fraction, low << 11, 0x7ff, doubleBias);
}

function unpack(
  work: Work,
  real: Real,
  sign: number,
  exponent: number,
  high: number,
  low: number,
  top: number,
  offset: number,
): void {
  if (exponent === top) real.set(sign, maxExponent, high | integerBit, low);
  else if (exponent !== 0) real.set(sign, exponent + offset, high | integerBit, low);
  else if ((high | low) === 0) setZero(real, sign);
  else {
    work.denormal();
    real.set(sign, 1 + offset, high, low);
    normalise(real);
  }
}

/** `a` as a number of 32 bits. */
export function storeSingle(work: Work, words: Words): void {
  const { result } = work;
  shrink(work, 24, 0xff, singleBias);
  words[0] = (result.sign << 31) | (result.exponent << 23) | ((result.high >>> 8) & 0x7fffff);
}

/** `a` as a number of 64 bits. */
export function storeDouble(work: Work, words: Words): void {
  const { result } = work;
  shrink(work, 53, 0x7ff, doubleBias);
  words[0] = (result.low >>> 11) | (result.high << 21);
  words[1] = (result.sign << 31) | (result.exponent << 20) | ((result.high >>> 11) & 0xfffff);
}

/** Rounds to a smaller format; `work.result` then has that format's exponent. */
function shrink(work: Work, precision: 24 | 53, top: number, offset: number): void {
  const { a, result } = work;
  const what = kindOf(a);
  if (isNan(work, what)) {
    result.exponent = top;
    return;
  }
  if (what === kind.zero) setZero(result, a.sign);
  else if (what === kind.infinity) result.set(a.sign, top, integerBit, 0);
  else {
    if (what === kind.denormal) normalise(a);
    round(work, a.sign, a.exponent - offset, a.high, a.low, 0, precision, top);
  }
}

/** The 80387 takes no signalling NaN of a smaller format into a register. */
export function quieten(work: Work, real: Real): void {
  if (!work.modern || kindOf(real) !== kind.nan || !isSignalling(real)) return;
  real.high |= quietBit;
  work.flags |= exception.invalid;
}
