import { bitLength, type Fraction } from './reference-testing.ts';

/** Functions by other ways than the chip's: halving and doubling, squaring and taking roots. Numbers have this many bits after the point. */
const point = 460n;
const one = 1n << point;

const fixed = ({ above, below }: Fraction) => (above << point) / below;
const times = (a: bigint, b: bigint) => (a * b) >> point;

function root(value: bigint): bigint {
  const square = value << point;
  let guess = 1n << BigInt((bitLength(square) + 1) >> 1);
  for (;;) {
    const next = (guess + square / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

function result(value: bigint, sign: number): Fraction {
  const isNegative = value < 0n;
  return { sign: (isNegative ? sign ^ 1 : sign) as 0 | 1, above: isNegative ? -value : value, below: one };
}

/** 2^x - 1 for 0 < |x| < 1: a root for each bit of x. */
export function powerMinusOne(x: Fraction): Fraction {
  const bits = fixed(x);
  let factor = 2n * one;
  let power = one;
  for (let bit = point - 1n; bit >= 0n; bit -= 1n) {
    factor = root(factor);
    if (((bits >> bit) & 1n) === 1n) power = times(power, factor);
  }
  return x.sign === 0 ? result(power - one, 0) : result(one - (one * one) / power, 1);
}

/** log2 of a positive number: its bits come out by squaring. */
export function binaryLog({ above, below }: Fraction): Fraction {
  let value = (above << point) / below;
  let log = BigInt(bitLength(value) - 1) - point;
  value = log >= 0n ? value >> log : value << -log;
  log <<= point;
  for (let bit = point - 1n; bit >= 0n; bit -= 1n) {
    value = times(value, value);
    if (value < 2n * one) continue;
    value >>= 1n;
    log += 1n << bit;
  }
  return result(log, 0);
}

const halvings = 60n;

/** Sine and cosine of an angle: of a tiny part of it, which is then doubled. */
export function circle(angle: Fraction): { sine: Fraction; cosine: Fraction } {
  const x = fixed(angle) >> halvings;
  const square = times(x, x);
  let sine = x;
  // One minus the cosine keeps its bits.
  let lack = square >> 1n;
  let [term, other] = [x, lack];
  for (let n = 2n; n < 14n; n += 2n) {
    term = -times(term, square) / (n * (n + 1n));
    other = -times(other, square) / ((n + 1n) * (n + 2n));
    sine += term;
    lack += other;
  }
  for (let n = 0n; n < halvings; n += 1n) {
    const cosine = one - lack;
    lack = 2n * times(sine, sine);
    sine = 2n * times(sine, cosine);
  }
  return { sine: result(sine, angle.sign), cosine: result(one - lack, 0) };
}

/** The angle of a tangent: that of a tiny one, by halving it again and again. */
export function angleOf(tangent: Fraction): Fraction {
  let t = fixed(tangent);
  for (let n = 0n; n < halvings; n += 1n) t = (t * one) / (one + root(one + times(t, t)));
  const square = times(t, t);
  let [term, sum] = [t, t];
  for (let n = 3n; n < 15n; n += 2n) {
    term = -times(term, square);
    sum += term / n;
  }
  return result(sum << halvings, tangent.sign);
}

/** Four times the angle of 1. */
export function circleHalf(): Fraction {
  const { above, below } = angleOf({ sign: 0, above: 1n, below: 1n });
  return { sign: 0, above: above * 4n, below };
}
