const word = 0x1_0000_0000;
const perWord = 1 / word;

// Small arrays that are not given a buffer lie where V8 moves them: code then asks each time where they are.
/** What the last call below has left: 96 bits, the highest of them set. The lowest also stands for everything after it. */
export const wide = new Int32Array(new ArrayBuffer(12));

/** Multiplies significands of 64 bits, whose highest is set; gives 1 when the product is 2 or more, and 0 below that. */
export function multiplySignificands(ah: number, al: number, bh: number, bl: number): number {
  // The product has 128 bits: h:l:r:w0. Numbers of 32 bits and less are common.
  const w0 = Math.imul(al, bl);
  const high = Math.imul(ah, bh) >>> 0;
  const cross = Math.imul(al, bh) >>> 0;
  let s1 = cross;
  let s2 = upper(al, bh, cross) + high;
  if (bl !== 0) {
    const other = Math.imul(ah, bl) >>> 0;
    s1 += upper(al, bl, w0 >>> 0) + other;
    s2 += Math.floor(s1 * perWord) + upper(ah, bl, other);
  }
  const h = (Math.floor(s2 * perWord) + upper(ah, bh, high)) | 0;
  const l = s2 | 0;
  const r = s1 | 0;
  const sticky = w0 !== 0 ? 1 : 0;
  if (h < 0) {
    wide[0] = h;
    wide[1] = l;
    wide[2] = r | sticky;
    return 1;
  }
  wide[0] = (h << 1) | (l >>> 31);
  wide[1] = (l << 1) | (r >>> 31);
  wide[2] = (r << 1) | (w0 >>> 31) | sticky;
  return 0;
}

/** Divides such significands; gives 0 when the quotient is 1 or more, and 1 below that. */
export function divideSignificands(ah: number, al: number, bh: number, bl: number): number {
  const dh = bh >>> 0;
  const dl = bl >>> 0;
  const perDivisor = word / (dh * word + dl);
  // What is left of the dividend, below the divisor.
  let high = ah >>> 0;
  let low = al >>> 0;
  const isBelow = high < dh || (high === dh && low < dl);
  if (!isBelow) {
    high -= dh;
    low -= dl;
  }
  for (let digit = 0; digit < 2; digit += 1) {
    if (low < 0) {
      high -= 1;
      low += word;
    }
    // The estimate is off by one at most. What is left is three words less the product's.
    let q = Math.min(Math.floor((high * word + low) * perDivisor), word - 1);
    const p0 = Math.imul(q, bl) >>> 0;
    const p1 = Math.imul(q, bh) >>> 0;
    high = (high - upper(q, bh, p1)) * word + (low - upper(q, bl, p0) - p1);
    low = -p0;
    if (low < 0) {
      high -= 1;
      low += word;
    }
    if (high < 0) {
      q -= 1;
      high += dh;
      low += dl;
    } else if (high > dh || (high === dh && low >= dl)) {
      q += 1;
      high -= dh;
      low -= dl;
    }
    if (low >= word) {
      high += 1;
      low -= word;
    }
    wide[digit] = q;
  }
  const remains = high !== 0 || low !== 0;
  if (isBelow) {
    wide[2] = remains ? restOf(high, low, dh, dl) : 0;
    return 1;
  }
  wide[2] = (wide[1] << 31) | (remains ? 1 : 0);
  wide[1] = (wide[0] << 31) | (wide[1] >>> 1);
  wide[0] = -0x80000000 | (wide[0] >>> 1);
  return 0;
}

/** The 32 bits after that, as far as rounding needs them: below a half, a half, or above. */
function restOf(high: number, low: number, dh: number, dl: number): number {
  const difference = (high * 2 - dh) * word + (low * 2 - dl);
  return difference < 0 ? 1 : difference === 0 ? -0x80000000 : -0x7fffffff;
}

/** The upper half of a product of unsigned words, whose lower half is known: what rounding has lost is less than that. */
function upper(a: number, b: number, low: number): number {
  return Math.floor(((a >>> 0) * (b >>> 0) - low) * perWord + 0.5);
}
