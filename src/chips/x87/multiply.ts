import { bias, kind, kindOf, normalise, setInfinity, setZero } from './real.ts';
import { precisionOf, round } from './round.ts';
import { meetsNan, type Work } from './work.ts';

const word = 0x1_0000_0000;

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
  // The product has 128 bits: w3:w2:w1:w0.
  const ah = a.high;
  const al = a.low;
  const bh = b.high;
  const bl = b.low;
  const w0 = Math.imul(al, bl);
  const s1 = upper(al, bl) + (Math.imul(ah, bl) >>> 0) + (Math.imul(al, bh) >>> 0);
  const s2 = Math.floor(s1 / word) + upper(ah, bl) + upper(al, bh) + (Math.imul(ah, bh) >>> 0);
  let exponent = a.exponent + b.exponent - bias + 1;
  let h = (Math.floor(s2 / word) + upper(ah, bh)) | 0;
  let l = s2 | 0;
  let r = s1 | 0;
  if (h >= 0) {
    h = (h << 1) | (l >>> 31);
    l = (l << 1) | (r >>> 31);
    r = (r << 1) | (w0 >>> 31);
    exponent -= 1;
  }
  if (w0 !== 0) r |= 1;
  round(work, sign, exponent, h, l, r, precisionOf(work.control));
}

/** The upper half of a product of unsigned words. */
function upper(a: number, b: number): number {
  const al = a & 0xffff;
  const ah = a >>> 16;
  const bl = b & 0xffff;
  const bh = b >>> 16;
  const middle = ah * bl + ((al * bl) >>> 16);
  const other = al * bh + (middle & 0xffff);
  return ah * bh + (middle >>> 16) + (other >>> 16);
}
