const word = 0x1_0000_0000;

/** What the last call below has left: 96 bits, the highest of them set. The lowest also stands for everything after it. */
export const wide = new Int32Array(3);

/** Multiplies significands of 64 bits, whose highest is set; gives 1 when the product is 2 or more, and 0 below that. */
export function multiplySignificands(ah: number, al: number, bh: number, bl: number): number {
  // The product has 128 bits: h:l:r:w0.
  const w0 = Math.imul(al, bl);
  const s1 = upper(al, bl) + (Math.imul(ah, bl) >>> 0) + (Math.imul(al, bh) >>> 0);
  const s2 = Math.floor(s1 / word) + upper(ah, bl) + upper(al, bh) + (Math.imul(ah, bh) >>> 0);
  const h = (Math.floor(s2 / word) + upper(ah, bh)) | 0;
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

/** What is left of the dividend, below the divisor: its upper word and its lower one. Variables of a module would be new objects each time. */
const left = new Float64Array(2);

/** Divides such significands; gives 0 when the quotient is 1 or more, and 1 below that. */
export function divideSignificands(ah: number, al: number, bh: number, bl: number): number {
  left[0] = ah >>> 0;
  left[1] = al >>> 0;
  const isBelow = isLeftBelow(bh >>> 0, bl >>> 0);
  if (!isBelow) subtract(bh >>> 0, bl >>> 0);
  const first = nextDigit(bh, bl);
  const second = nextDigit(bh, bl);
  const remains = left[0] !== 0 || left[1] !== 0;
  if (!isBelow) {
    wide[0] = -0x80000000 | (first >>> 1);
    wide[1] = (first << 31) | (second >>> 1);
    wide[2] = (second << 31) | (remains ? 1 : 0);
    return 0;
  }
  wide[0] = first;
  wide[1] = second;
  wide[2] = remains ? restOf(bh >>> 0, bl >>> 0) : 0;
  return 1;
}

function isLeftBelow(bh: number, bl: number): boolean {
  return left[0] < bh || (left[0] === bh && left[1] < bl);
}

function subtract(bh: number, bl: number): void {
  const low = left[1] - bl;
  left[1] = low < 0 ? low + word : low;
  left[0] -= low < 0 ? bh + 1 : bh;
}

/** The next 32 bits of the quotient. */
function nextDigit(signedHigh: number, signedLow: number): number {
  const bh = signedHigh >>> 0;
  const bl = signedLow >>> 0;
  const estimate = ((left[0] * word + left[1]) / (bh * word + bl)) * word;
  const q = Math.min(Math.floor(estimate), word - 1);
  // The estimate is off by one at most. The rest of the dividend is its three words less the product's.
  const p0 = Math.imul(q, bl) >>> 0;
  const p1 = upper(q | 0, bl | 0) + (Math.imul(q, bh) >>> 0);
  const m = left[1] - p1 + (p0 > 0 ? -1 : 0);
  const carry = Math.floor(m / word);
  const high = m - carry * word + (left[0] - upper(q | 0, bh | 0) + carry) * word;
  left[1] = p0 > 0 ? word - p0 : 0;
  left[0] = high;
  if (high < 0) {
    const low = left[1] + bl;
    left[1] = low >= word ? low - word : low;
    left[0] = high + (low >= word ? bh + 1 : bh);
    return (q - 1) | 0;
  }
  if (isLeftBelow(bh, bl)) return q | 0;
  subtract(bh, bl);
  return (q + 1) | 0;
}

/** The 32 bits after that, as far as rounding needs them: below a half, a half, or above. */
function restOf(bh: number, bl: number): number {
  const twiceLow = left[1] * 2;
  const carry = twiceLow >= word ? 1 : 0;
  const difference = left[0] * 2 + carry - bh || twiceLow - carry * word - bl;
  return difference < 0 ? 1 : difference === 0 ? -0x80000000 : -0x7fffffff;
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
