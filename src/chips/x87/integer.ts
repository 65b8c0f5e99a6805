import { bias, kind, kindOf, normalise, type Real, setZero } from './real.ts';
import { growsBy } from './round.ts';
import { exception, isNan, type Work } from './work.ts';

/** A whole number as an 80-bit one. */
export function setInteger(real: Real, sign: number, high: number, low: number): void {
  if ((high | low) === 0) {
    setZero(real, 0);
    return;
  }
  real.set(sign, bias + 63, high, low);
  normalise(real);
}

export function setSmallInteger(real: Real, value: number): void {
  const sign = value < 0 ? 1 : 0;
  setInteger(real, sign, 0, sign === 0 ? value : -value | 0);
}

/** 64 bits in two's complement. */
export function setLongInteger(real: Real, high: number, low: number): void {
  if (high >= 0) setInteger(real, 0, high, low);
  else setInteger(real, 1, (low === 0 ? -high : ~high) | 0, -low | 0);
}

/** Rounds a number below 2^64 to a whole one, as the control word says; its magnitude is left in `work.result`'s words. */
export function toWhole(work: Work, real: Real, control = work.control): void {
  const { result } = work;
  const { sign, exponent } = real;
  // Bits after the point.
  const by = bias + 63 - exponent;
  let { high, low } = real;
  let rest = 0;
  if (by > 65) {
    rest = (high | low) === 0 ? 0 : 1;
    high = 0;
    low = 0;
  } else {
    let sticky = 0;
    let left = by;
    for (; left >= 32; left -= 32) {
      sticky |= rest;
      rest = low;
      low = high;
      high = 0;
    }
    if (left > 0) {
      sticky |= rest << (32 - left);
      rest = (rest >>> left) | (low << (32 - left));
      low = (low >>> left) | (high << (32 - left));
      high = (high >>> left) | 0;
    }
    if (sticky !== 0) rest |= 1;
  }
  const grows = rest !== 0 && growsBy(control, sign, low & 1, rest);
  if (grows) {
    low = (low + 1) | 0;
    if (low === 0) high = (high + 1) | 0;
  }
  work.isInexact = rest !== 0;
  work.roundedUp = grows ? 1 : 0;
  work.carried = grows && (high | low) === 0 ? 1 : 0;
  result.sign = sign;
  result.high = high;
  result.low = low;
}

/**
 * `a` as an integer of so many bits in two's complement, in the words of `work.result`. What does not fit is invalid,
 * and stored as the most negative one.
 */
export function toInteger(work: Work, bits: 16 | 32 | 64): void {
  const { a, result } = work;
  const what = kindOf(a);
  if (what < kind.infinity && a.exponent <= bias + 63) {
    toWhole(work, a);
    if (fits(work, bits)) {
      if (work.isInexact) work.flags |= exception.precision;
      if (result.sign !== 0) {
        result.high = (result.low === 0 ? -result.high : ~result.high) | 0;
        result.low = -result.low | 0;
      }
      return;
    }
  }
  work.roundedUp = 0;
  work.invalid();
  result.high = bits === 64 ? -0x80000000 : -1;
  result.low = bits === 64 ? 0 : bits === 32 ? -0x80000000 : -0x8000;
}

function fits({ result, carried }: Work, bits: number): boolean {
  const { sign, high, low } = result;
  if (carried !== 0) return false;
  if (bits === 64) return high >= 0 || (sign !== 0 && high === -0x80000000 && low === 0);
  const most = 2 ** (bits - 1) - 1 + sign;
  return high === 0 && low >>> 0 <= most;
}

/** `a` as a whole number. */
export function roundToInteger(work: Work): void {
  const { a, result } = work;
  const what = kindOf(a);
  if (isNan(work, what)) return;
  if (what === kind.denormal) work.denormal();
  if (what === kind.infinity || what === kind.zero || a.exponent >= bias + 63) {
    result.copy(a);
    return;
  }
  toWhole(work, a);
  if (work.isInexact) work.flags |= exception.precision;
  const { sign, high, low } = result;
  setInteger(result, sign, high, low);
  result.sign = sign;
}
