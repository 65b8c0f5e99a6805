import { bias, compareSignificands, kind, kindOf, normalise, setInfinity, setZero } from './real.ts';
import { precisionOf, round } from './round.ts';
import { meetsNan, type Work } from './work.ts';

const word = 0x1_0000_0000;
const digit = 0x10000;

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
  const isBelow = compareSignificands(a, b) < 0;
  const exponent = a.exponent - b.exponent + bias - (isBelow ? 1 : 0);
  quotient(work, exponent, isBelow);
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

/** Long division with digits of 16 bits: the remainder is `high:low`, below the divisor times two. */
function quotient(work: Work, exponent: number, isBelow: boolean): void {
  const { a, b } = work;
  const bh = b.high >>> 0;
  const bl = b.low >>> 0;
  const divisor = bh * word + bl;
  let high = a.high >>> 0;
  let low = a.low >>> 0;
  // A quotient of 1 and more is halved: the first digit then has its highest bit set.
  const steps = isBelow ? digit : digit / 2;
  let h = 0;
  let l = 0;
  let r = 0;
  for (let place = 0; place < 6; place += 1) {
    const scale = place === 0 ? steps : digit;
    const shifted = low * scale;
    const above = Math.floor(shifted / word);
    low = shifted - above * word;
    high = high * scale + above;
    let q = Math.floor((high * word + low) / divisor);
    const lower = bl * q;
    const carry = Math.floor(lower / word);
    low -= lower - carry * word;
    high -= bh * q + carry;
    if (low < 0) {
      low += word;
      high -= 1;
    }
    // The estimate is off by one at most.
    if (high < 0) {
      q -= 1;
      low += bl;
      high += bh;
      if (low >= word) {
        low -= word;
        high += 1;
      }
    } else if (high > bh || (high === bh && low >= bl)) {
      q += 1;
      low -= bl;
      high -= bh;
      if (low < 0) {
        low += word;
        high -= 1;
      }
    }
    if (place < 2) h = (h << 16) | q;
    else if (place < 4) l = (l << 16) | q;
    else r = (r << 16) | q;
  }
  if ((high | low) !== 0) r |= 1;
  round(work, a.sign ^ b.sign, exponent, h, l, r, precisionOf(work.control));
}
