import { integerBit, maxExponent, setInfinity } from './real.ts';
import { exception, type Work } from './work.ts';

/** How far unmasked overflows and underflows move the exponent of what they leave in a register. */
const wrap = 24576;
const nearest = 0;
const down = 1;
const up = 2;

export type Precision = 24 | 53 | 64;

export function precisionOf(control: number): Precision {
  const field = control & 0x300;
  return field === 0 ? 24 : field === 0x200 ? 53 : 64;
}

/** True when magnitudes grow: `rest` is what lies after the last bit, its highest bit being worth a half. */
export function growsBy(control: number, sign: number, odd: number, rest: number): boolean {
  switch ((control >> 10) & 3) {
    case nearest:
      return rest < 0 && (rest !== integerBit || odd !== 0);
    case down:
      return sign !== 0 && rest !== 0;
    case up:
      return sign === 0 && rest !== 0;
    default:
      return false;
  }
}

/**
 * Rounds a significand of 96 bits, `high:low:rest`, to a precision and puts the number into `work.result`. Its highest
 * bit is set; the lowest bit of `rest` also stands for everything after it. `top` is the exponent that is too large.
 */
export function round(
  work: Work,
  sign: number,
  exponent: number,
  high: number,
  low: number,
  rest: number,
  precision: Precision,
  top: number = maxExponent,
): void {
  if (exponent <= 0) {
    roundTiny(work, sign, exponent, high, low, rest, precision, top);
    return;
  }
  const { result } = work;
  cut(work, sign, high, low, rest, precision);
  const { carried } = work;
  result.sign = sign;
  result.exponent = exponent + carried;
  if (carried !== 0) result.high = integerBit;
  if (work.isInexact) work.flags |= exception.precision;
  if (result.exponent >= top) overflow(work, sign, precision, top);
}

/** Rounds the bits: `work.result` gets the significand, `work.carried` is 1 when it has grown beyond all of them. */
function cut(work: Work, sign: number, high: number, low: number, rest: number, precision: Precision): void {
  const { control, result } = work;
  let grows = false;
  if (precision === 64) {
    work.isInexact = rest !== 0;
    if (rest !== 0 && growsBy(control, sign, low & 1, rest)) {
      grows = true;
      low = (low + 1) | 0;
      if (low === 0) high = (high + 1) | 0;
    }
  } else if (precision === 53) {
    const cutOff = (low << 21) | (rest !== 0 ? 1 : 0);
    work.isInexact = cutOff !== 0;
    grows = cutOff !== 0 && growsBy(control, sign, low & 0x800, cutOff);
    low &= ~0x7ff;
    if (grows) {
      low = (low + 0x800) | 0;
      if (low === 0) high = (high + 1) | 0;
    }
  } else {
    const cutOff = (high << 24) | ((low | rest) !== 0 ? 1 : 0);
    work.isInexact = cutOff !== 0;
    grows = cutOff !== 0 && growsBy(control, sign, high & 0x100, cutOff);
    high &= ~0xff;
    low = 0;
    if (grows) high = (high + 0x100) | 0;
  }
  work.roundedUp = grows ? 1 : 0;
  work.carried = grows && high === 0 && low === 0 ? 1 : 0;
  result.high = high;
  result.low = low;
}

/** The number is below the smallest normal one: tiny, unless rounding lifts it to that. */
function roundTiny(
  work: Work,
  sign: number,
  exponent: number,
  high: number,
  low: number,
  rest: number,
  precision: Precision,
  top: number,
): void {
  const { result } = work;
  cut(work, sign, high, low, rest, precision);
  const isTiny = exponent < 0 || work.carried === 0;
  if (isTiny && !work.masks(exception.underflow)) {
    work.flags |= exception.underflow | (work.isInexact ? exception.precision : 0);
    result.sign = sign;
    result.exponent = exponent + work.carried + wrap;
    if (work.carried !== 0) result.high = integerBit;
    if (result.exponent <= 0 || top !== maxExponent) result.set(sign, 0, 0, 0);
    return;
  }
  const by = 1 - exponent;
  if (by >= 96) {
    high = 0;
    low = 0;
    rest = 1;
  } else {
    for (let words = by >> 5; words > 0; words -= 1) {
      rest = low | (rest !== 0 ? 1 : 0);
      low = high;
      high = 0;
    }
    const bits = by & 31;
    if (bits !== 0) {
      const lost = rest << (32 - bits);
      rest = (rest >>> bits) | (low << (32 - bits)) | (lost !== 0 ? 1 : 0);
      low = (low >>> bits) | (high << (32 - bits));
      high >>>= bits;
    }
  }
  cut(work, sign, high | 0, low, rest, precision);
  result.sign = sign;
  result.exponent = result.high < 0 ? 1 : 0;
  if (work.isInexact) work.flags |= exception.precision | (isTiny ? exception.underflow : 0);
}

function overflow(work: Work, sign: number, precision: Precision, top: number): void {
  const { result, control } = work;
  work.flags |= exception.overflow;
  if (!work.masks(exception.overflow)) {
    result.exponent -= wrap;
    if (result.exponent >= maxExponent) setInfinity(result, sign);
    return;
  }
  work.flags |= exception.precision;
  work.roundedUp = 1;
  setInfinity(result, sign);
  const mode = (control >> 10) & 3;
  if (mode === nearest || mode === (sign === 0 ? up : down)) {
    result.exponent = top;
    return;
  }
  work.roundedUp = 0;
  const high = precision === 24 ? ~0xff : -1;
  result.set(sign, top - 1, high, precision === 24 ? 0 : precision === 53 ? ~0x7ff : -1);
}
