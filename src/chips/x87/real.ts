/**
 * A number of 80 bits taken apart: sign, exponent (biased by 16383) and 64 bits of significand, whose highest is the
 * integer bit. The halves of the significand are signed 32-bit words.
 */
export class Real {
  sign = 0;
  exponent = 0;
  high = 0;
  low = 0;

  set(sign: number, exponent: number, high: number, low: number): this {
    this.sign = sign;
    this.exponent = exponent;
    this.high = high;
    this.low = low;
    return this;
  }

  copy({ sign, exponent, high, low }: Real): this {
    return this.set(sign, exponent, high, low);
  }
}

export const bias = 16383;
/** Exponent of infinities and NaNs. */
export const maxExponent = 0x7fff;
export const integerBit = -0x80000000;
export const quietBit = 0x40000000;

/** What a bit pattern is. Denormals here include those with the integer bit set. */
export const kind = { zero: 0, normal: 1, denormal: 2, infinity: 3, nan: 4, unsupported: 5 } as const;

export function kindOf({ exponent, high, low }: Real): number {
  if (exponent === 0) return (high | low) === 0 ? kind.zero : kind.denormal;
  if (high >= 0) return kind.unsupported;
  if (exponent !== maxExponent) return kind.normal;
  return high === integerBit && low === 0 ? kind.infinity : kind.nan;
}

export function isSignalling({ high }: Real): boolean {
  return (high & quietBit) === 0;
}

export function setZero(real: Real, sign: number): void {
  real.set(sign, 0, 0, 0);
}

export function setInfinity(real: Real, sign: number): void {
  real.set(sign, maxExponent, integerBit, 0);
}

/** The NaN that stands for the result of an invalid operation. */
export function setIndefinite(real: Real): void {
  real.set(1, maxExponent, integerBit | quietBit, 0);
}

/** A denormal as if exponents below 1 could be written. The significand is not zero. */
export function normalise(real: Real): void {
  if (real.exponent === 0) real.exponent = 1;
  lift(real);
}

/** Moves the highest bit that is set to the top. */
export function lift(real: Real): void {
  if (real.high === 0) {
    real.high = real.low;
    real.low = 0;
    real.exponent -= 32;
  }
  const shift = Math.clz32(real.high);
  if (shift === 0) return;
  real.high = (real.high << shift) | (real.low >>> (32 - shift));
  real.low <<= shift;
  real.exponent -= shift;
}

/** Negative, zero or positive as the significand of `a` is below, equal to or above that of `b`. */
export function compareSignificands(a: Real, b: Real): number {
  if (a.high !== b.high) return a.high >>> 0 < b.high >>> 0 ? -1 : 1;
  if (a.low === b.low) return 0;
  return a.low >>> 0 < b.low >>> 0 ? -1 : 1;
}

export function significandOf({ high, low }: Real): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** The 80 bits as one number, and back. */
export function bitsOf(real: Real): bigint {
  return (BigInt((real.sign << 15) | real.exponent) << 64n) | significandOf(real);
}

export function setBits(real: Real, bits: bigint): void {
  const head = Number((bits >> 64n) & 0xffffn);
  real.set(head >> 15, head & maxExponent, Number((bits >> 32n) & 0xffffffffn) | 0, Number(bits & 0xffffffffn) | 0);
}

/** The nearest number that a debugger can print. */
export function approximate(real: Real): number {
  const what = kindOf(real);
  if (what === kind.nan || what === kind.unsupported) return Number.NaN;
  const magnitude =
    what === kind.infinity
      ? Number.POSITIVE_INFINITY
      : (((real.high >>> 0) * 0x1_0000_0000 + (real.low >>> 0)) / 2 ** 63) * 2 ** (Math.max(real.exponent, 1) - bias);
  return real.sign === 0 ? magnitude : -magnitude;
}
