import { bitLength, guard, ln2, roundFixed, shifted, tiny, toFixed } from './fixed-point.ts';
import { bias, integerBit, kind, kindOf, normalise, setInfinity, setZero, significandOf } from './real.ts';
import { isNan, meetsNan, type Work } from './work.ts';

/** 2^a - 1, for `a` from -1 to 1; what lies outside is left as it is. */
export function powerMinusOne(work: Work): void {
  const { a, result } = work;
  const what = kindOf(a);
  if (isNan(work, what)) return;
  result.copy(a);
  if (what === kind.denormal) work.denormal();
  if (what === kind.zero || a.exponent > bias || (a.exponent === bias && significandOf(a) > 1n << 63n)) return;
  if (a.exponent === bias) {
    // 2^-1 - 1 is -1/2, 2^1 - 1 is 1.
    if (a.sign !== 0) result.exponent = bias - 1;
    return;
  }
  normalise(a);
  const power = a.exponent - bias;
  if (power < -tiny) {
    roundFixed(work, a.sign, significandOf(a) * ln2(guard), guard + 63 - power);
    return;
  }
  const point = guard - power;
  const x = (toFixed(a, point) * ln2(point)) >> BigInt(point);
  const value = exponentialMinusOne(a.sign === 0 ? x : -x, point);
  roundFixed(work, a.sign, value < 0n ? -value : value, point);
}

function exponentialMinusOne(x: bigint, point: number): bigint {
  const shift = BigInt(point);
  let term = x;
  let sum = x;
  for (let n = 2n; term !== 0n && term !== -1n; n += 1n) {
    term = ((term * x) >> shift) / n;
    sum += term;
  }
  return sum;
}

/** b * log2(a). */
export function multiplyByLog(work: Work): void {
  const { a, b } = work;
  const [kindA, kindB] = [kindOf(a), kindOf(b)];
  if (meetsNan(work, kindA, kindB) || logSpecial(work, kindA, kindB)) return;
  normalise(a);
  const isOne = significandOf(a) === 1n << 63n;
  const power = a.exponent - bias;
  if (isOne) {
    product(work, b.sign ^ (power < 0 ? 1 : 0), BigInt(Math.abs(power)), 0, true);
    return;
  }
  // Near 1 the logarithm has up to 64 zeros after its point.
  const point = Math.abs(power) < 2 ? guard + 66 : guard;
  const value = binaryLog(significandOf(a) << BigInt(point - 63), point) + (BigInt(power) << BigInt(point));
  product(work, b.sign ^ (value < 0n ? 1 : 0), value < 0n ? -value : value, point, false);
}

function logSpecial(work: Work, kindA: number, kindB: number): boolean {
  const { a, b, result } = work;
  const isZeroA = kindA === kind.zero;
  if (!isZeroA && a.sign !== 0) {
    work.invalid();
    return true;
  }
  const isOne = a.exponent === bias && a.high === integerBit && a.low === 0;
  const isInfiniteLog = isZeroA || kindA === kind.infinity;
  if ((isInfiniteLog && kindB === kind.zero) || (isOne && kindB === kind.infinity)) {
    work.invalid();
    return true;
  }
  if (kindA === kind.infinity && !work.isAffine) {
    work.invalid();
    return true;
  }
  if (isZeroA && kindB !== kind.infinity) {
    work.zeroDivide();
    setInfinity(result, b.sign ^ 1);
    return true;
  }
  if (kindA === kind.denormal || kindB === kind.denormal) work.denormal();
  const sign = b.sign ^ (a.exponent < bias ? 1 : 0);
  if (isInfiniteLog || kindB === kind.infinity) setInfinity(result, sign);
  else if (isOne) setZero(result, b.sign);
  else if (kindB === kind.zero) setZero(result, sign);
  else return false;
  return true;
}

/** b * log2(a + 1). */
export function multiplyByLogPlusOne(work: Work): void {
  const { a, b, result } = work;
  const [kindA, kindB] = [kindOf(a), kindOf(b)];
  if (meetsNan(work, kindA, kindB)) return;
  const isBelow = a.sign !== 0 && a.exponent >= bias;
  const opposites =
    (kindA === kind.zero && kindB === kind.infinity) || (kindA === kind.infinity && kindB === kind.zero);
  if (isBelow || opposites) {
    work.invalid();
    return;
  }
  const sign = a.sign ^ b.sign;
  if (kindA === kind.denormal || kindB === kind.denormal) work.denormal();
  if (kindA === kind.infinity || kindB === kind.infinity) setInfinity(result, sign);
  else if (kindA === kind.zero || kindB === kind.zero) setZero(result, sign);
  else {
    normalise(a);
    const power = a.exponent - bias;
    if (power < -tiny) {
      const point = 256;
      product(work, sign, (significandOf(a) << BigInt(2 * point)) / ln2(point), point + 63 - power, false);
      return;
    }
    const point = guard + 2 + Math.max(0, -power);
    const one = 1n << BigInt(point);
    const x = toFixed(a, point);
    const value = anyLog(a.sign === 0 ? one + x : one - x, point);
    product(work, sign, value < 0n ? -value : value, point, false);
  }
}

/** log2 of a positive number. */
function anyLog(value: bigint, point: number): bigint {
  const power = bitLength(value) - 1 - point;
  // Numbers a little below 1 keep their exponent: what they lack is all that counts.
  const keeps = power === -1;
  const mantissa = keeps ? value : shifted(value, -power);
  return binaryLog(mantissa, point) + (BigInt(keeps ? 0 : power) << BigInt(point));
}

/** log2 of a number from a half to 2, by the inverse hyperbolic tangent. */
function binaryLog(value: bigint, point: number): bigint {
  const shift = BigInt(point);
  const one = 1n << shift;
  let power = 0n;
  let m = value;
  if (m * m > one << (shift + 1n)) {
    power = 1n;
    m >>= 1n;
  } else if ((m * m) << 1n < one << shift) {
    power = -1n;
    m <<= 1n;
  }
  const z = ((m - one) << shift) / (m + one);
  const square = (z * z) >> shift;
  let term = z;
  let sum = z;
  for (let n = 3n; term !== 0n && term !== -1n; n += 2n) {
    term = (term * square) >> shift;
    sum += term / n;
  }
  return (power << shift) + (sum << (shift + 1n)) / ln2(point);
}

/** b times a logarithm. */
function product(work: Work, sign: number, log: bigint, point: number, isExact: boolean): void {
  const { b } = work;
  normalise(b);
  roundFixed(work, sign, significandOf(b) * log, point + 63 - (b.exponent - bias), isExact);
}
