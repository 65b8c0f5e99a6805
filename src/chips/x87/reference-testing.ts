/**
 * Another way to the same results: numbers are fractions of big integers, rounding is done on the fraction. Slow, simple,
 * with no code of the chip's.
 */
export interface Fraction {
  readonly sign: 0 | 1;
  readonly above: bigint;
  readonly below: bigint;
}

export interface Rounded {
  readonly bits: bigint;
  readonly flags: number;
  readonly up: number;
}

export const indefinite = 0xffff_c000_0000_0000_0000n;
const exponentOnes = 0x7fffn;

export type Class = 'zero' | 'denormal' | 'normal' | 'infinity' | 'nan' | 'unsupported';

export function split(bits: bigint) {
  return {
    sign: Number(bits >> 79n) as 0 | 1,
    exponent: (bits >> 64n) & exponentOnes,
    significand: bits & 0xffff_ffff_ffff_ffffn,
  };
}

export function classOf(bits: bigint): Class {
  const { exponent, significand } = split(bits);
  const hasInteger = significand >> 63n === 1n;
  if (exponent === 0n) return significand === 0n ? 'zero' : 'denormal';
  if (!hasInteger) return 'unsupported';
  if (exponent < exponentOnes) return 'normal';
  return significand === 1n << 63n ? 'infinity' : 'nan';
}

/** What a finite number is worth. */
export function fractionOf(bits: bigint): Fraction {
  const { sign, exponent, significand } = split(bits);
  const power = (exponent === 0n ? 1n : exponent) - 16383n - 63n;
  return power >= 0n
    ? { sign, above: significand << power, below: 1n }
    : { sign, above: significand, below: 1n << -power };
}

export function bitLength(value: bigint): number {
  const text = value.toString(16);
  return value === 0n ? 0 : text.length * 4 - 4 + Number.parseInt(text.charAt(0), 16).toString(2).length;
}

/** How a fraction is cut to whole units: 0 nearest or even, 1 down, 2 up, 3 towards zero. */
export function wholeOf({ sign, above, below }: Fraction, mode: number): { value: bigint; exact: boolean; up: number } {
  const value = above / below;
  const twice = 2n * (above - value * below);
  const exact = twice === 0n;
  const away =
    mode === 0
      ? twice > below || (twice === below && value % 2n === 1n)
      : mode === 1
        ? !exact && sign === 1
        : mode === 2
          ? !exact && sign === 0
          : false;
  return { value: away ? value + 1n : value, exact, up: away ? 1 : 0 };
}

/** The floor of log2 of a fraction. */
function magnitudeOf({ above, below }: Fraction): number {
  let power = bitLength(above) - bitLength(below);
  const isBelow = (by: number) => (by >= 0 ? above < below << BigInt(by) : above << BigInt(-by) < below);
  while (isBelow(power)) power -= 1;
  while (!isBelow(power + 1)) power += 1;
  return power;
}

/** In units of 2^`power`. */
function inUnits({ sign, above, below }: Fraction, power: number): Fraction {
  return power >= 0 ? { sign, above, below: below << BigInt(power) } : { sign, above: above << BigInt(-power), below };
}

/** A format: bits of precision, the least exponent of a normal number and the greatest. */
export interface Format {
  readonly precision: number;
  readonly least: number;
  readonly most: number;
}

export const extended: Format = { precision: 64, least: -16382, most: 16383 };

/** Rounds a fraction that is not zero, with everything masked: significand (of `precision` bits), power of its last bit, flags. */
export function roundTo(value: Fraction, { precision, least, most }: Format, mode: number) {
  const magnitude = magnitudeOf(value);
  // The least unit of denormals is that of the smallest normal number.
  const unit = Math.max(magnitude, least) - precision + 1;
  const whole = wholeOf(inUnits(value, unit), mode);
  const free = magnitude - precision + 1;
  const unbounded = wholeOf(inUnits(value, free), mode);
  const isTiny = bitLength(unbounded.value) - 1 + free < least;
  let flags = whole.exact ? 0 : 0x20;
  if (isTiny && !whole.exact) flags |= 0x10;
  const length = bitLength(whole.value) + unit - 1;
  if (length > most) {
    const toInfinity = mode === 0 || mode === (value.sign === 0 ? 2 : 1);
    return { infinite: toInfinity, largest: !toInfinity, value: 0n, unit, flags: 0x28, up: toInfinity ? 1 : 0 };
  }
  return { infinite: false, largest: false, value: whole.value, unit, flags, up: whole.up };
}

/** The same as the bits of a register; precision 24, 53 or 64. */
export function roundExtended(value: Fraction, precision: number, mode: number): Rounded {
  const { sign } = value;
  const head = BigInt(sign) << 79n;
  if (value.above === 0n) return { bits: head, flags: 0, up: 0 };
  const rounded = roundTo(value, { ...extended, precision }, mode);
  const { flags, up } = rounded;
  if (rounded.infinite) return { bits: head | (exponentOnes << 64n) | (1n << 63n), flags, up };
  if (rounded.largest) {
    const ones = ((1n << BigInt(precision)) - 1n) << BigInt(64 - precision);
    return { bits: head | (0x7ffen << 64n) | ones, flags, up };
  }
  const length = bitLength(rounded.value);
  const power = length - 1 + rounded.unit;
  if (power < -16382) {
    return { bits: head | (rounded.value << BigInt(rounded.unit + 16382 + 63)), flags, up };
  }
  const exponent = BigInt(power + 16383);
  return { bits: head | (exponent << 64n) | (rounded.value << BigInt(64 - length)), flags, up };
}

export function plus(a: Fraction, b: Fraction, mode: number): Fraction {
  const [x, y] = [signed(a), signed(b)];
  const above = x * b.below + y * a.below;
  if (above !== 0n) return { sign: above < 0n ? 1 : 0, above: above < 0n ? -above : above, below: a.below * b.below };
  const sign = a.above === 0n && b.above === 0n && a.sign === b.sign ? a.sign : mode === 1 ? 1 : 0;
  return { sign, above: 0n, below: 1n };
}

export function times(a: Fraction, b: Fraction): Fraction {
  return { sign: (a.sign ^ b.sign) as 0 | 1, above: a.above * b.above, below: a.below * b.below };
}

export function over(a: Fraction, b: Fraction): Fraction {
  return { sign: (a.sign ^ b.sign) as 0 | 1, above: a.above * b.below, below: a.below * b.above };
}

function signed({ sign, above }: Fraction): bigint {
  return sign === 1 ? -above : above;
}

/** A root, cut so far after the register's last bit that only a sign of the rest is needed. */
export function rootOf({ above, below }: Fraction): Fraction {
  const power = BigInt(2 * Math.max(200, 200 - bitLength(above) + bitLength(below)));
  const square = (above << power) / below;
  const exactSquare = square * below === above << power;
  let root = 1n << BigInt(Math.ceil(bitLength(square) / 2));
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) break;
    root = next;
  }
  const isExact = exactSquare && root * root === square;
  return isExact
    ? { sign: 0, above: root, below: 1n << (power / 2n) }
    : { sign: 0, above: 2n * root + 1n, below: 1n << (power / 2n + 1n) };
}

/** The floor of a quotient, or the nearest whole number, and what remains of `a`. */
export function divisionOf(a: Fraction, b: Fraction, nearest: boolean): { quotient: bigint; rest: Fraction } {
  const quotient = wholeOf({ sign: 0, above: a.above * b.below, below: a.below * b.above }, nearest ? 0 : 3).value;
  const above = a.above * b.below - quotient * b.above * a.below;
  const sign = (above < 0n ? a.sign ^ 1 : a.sign) as 0 | 1;
  return { quotient, rest: { sign, above: above < 0n ? -above : above, below: a.below * b.below } };
}
