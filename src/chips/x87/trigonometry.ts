import { bitLength, guard, pi, roundBeside, roundFixed, shifted } from './fixed-point.ts';
import { bias, integerBit, kind, kindOf, normalise, type Real, significandOf } from './real.ts';
import { isNan, meetsNan, type Work } from './work.ts';

/** The chip's own pi has 66 bits (Intel, 387 DX manual, 4.6): what is left of large angles is what it leaves. */
const chipPi = 0xc90fdaa22168c234cn;
const chipPiPoint = 66;
const reductionPoint = 130;
/** Angles below 2^-34 are their own sine. */
const smallest = 34;

/** An angle as a number of quarter turns and what is left of it, from -pi/4 to pi/4. */
interface Angle {
  readonly quarters: number;
  readonly rest: bigint;
  readonly point: number;
}

function reduce(real: Real): Angle {
  const power = real.exponent - bias;
  const significand = significandOf(real);
  if (power < -1) {
    const point = guard - power;
    return { quarters: 0, rest: shifted(significand, power - 63 + point), point };
  }
  const whole = shifted(significand, power - 63 + reductionPoint);
  const quarter = chipPi << BigInt(reductionPoint - chipPiPoint - 1);
  const quarters = (whole + quarter / 2n) / quarter;
  const rest = whole - quarters * quarter;
  const point = guard + Math.max(0, reductionPoint - bitLength(rest < 0n ? -rest : rest));
  return { quarters: Number(quarters & 3n), rest: shifted(rest, point - reductionPoint), point };
}

function sineOf({ rest, point }: Angle): bigint {
  return series(rest, rest, point, 2n);
}

function cosineOf({ rest, point }: Angle): bigint {
  return series(rest, 1n << BigInt(point), point, 1n);
}

/** first - first x²/(n(n+1)) + … */
function series(x: bigint, first: bigint, point: number, start: bigint): bigint {
  const shift = BigInt(point);
  const square = (x * x) >> shift;
  let term = first;
  let sum = first;
  for (let n = start; term !== 0n && term !== -1n; n += 2n) {
    term = -((term * square) >> shift) / (n * (n + 1n));
    sum += term;
  }
  return sum;
}

/** What a function of an angle makes of `a`; false when the angle is too large. */
type AngleFunction = (work: Work) => boolean;

function ofAngle(forTiny: (work: Work) => void, value: (angle: Angle) => readonly [bigint, number]): AngleFunction {
  return (work) => {
    const { a, result } = work;
    const what = kindOf(a);
    if (isNan(work, what)) return true;
    if (what === kind.infinity) {
      work.invalid();
      return true;
    }
    if (what === kind.denormal) work.denormal();
    if (what === kind.zero) {
      result.copy(a);
      if (forTiny === tinyCosine) result.set(0, bias, integerBit, 0);
      return true;
    }
    if (a.exponent >= bias + 63) return false;
    normalise(a);
    if (a.exponent < bias - smallest) {
      forTiny(work);
      return true;
    }
    const [number, point] = value(reduce(a));
    const sign = forTiny === tinyCosine ? 0 : a.sign;
    roundFixed(work, number < 0n ? sign ^ 1 : sign, number < 0n ? -number : number, point);
    return true;
  };
}

function tinyCosine(work: Work): void {
  const { a } = work;
  a.set(0, bias, integerBit, 0);
  roundBeside(work, a, false);
}

export const sine = ofAngle(
  (work) => roundBeside(work, work.a, false),
  (angle) => {
    const value = (angle.quarters & 1) === 0 ? sineOf(angle) : cosineOf(angle);
    return [(angle.quarters & 2) === 0 ? value : -value, angle.point];
  },
);

export const cosine = ofAngle(tinyCosine, (angle) => {
  const value = (angle.quarters & 1) === 0 ? cosineOf(angle) : sineOf(angle);
  return [angle.quarters === 1 || angle.quarters === 2 ? -value : value, angle.point];
});

export const tangent = ofAngle(
  (work) => roundBeside(work, work.a, true),
  (angle) => {
    const [sin, cos] = [sineOf(angle), cosineOf(angle)];
    const shift = BigInt(angle.point);
    return [(angle.quarters & 1) === 0 ? (sin << shift) / cos : -(cos << shift) / sin, angle.point];
  },
);

/** The angle of the point (a, b), in the quadrant where it lies. */
export function angleOf(work: Work): void {
  const { a, b, result } = work;
  const [kindA, kindB] = [kindOf(a), kindOf(b)];
  if (meetsNan(work, kindA, kindB)) return;
  if (kindA === kind.denormal || kindB === kind.denormal) work.denormal();
  const { sign } = b;
  const eighths = (count: number) => roundFixed(work, sign, (BigInt(count) * pi(guard)) >> 2n, guard);
  if (kindB === kind.infinity) eighths(kindA !== kind.infinity ? 2 : a.sign === 0 ? 1 : 3);
  else if (kindB === kind.zero || kindA === kind.infinity) {
    if (a.sign === 0) result.set(sign, 0, 0, 0);
    else eighths(4);
  } else if (kindA === kind.zero) eighths(2);
  else {
    normalise(a);
    normalise(b);
    const distance = b.exponent - a.exponent;
    if (a.sign === 0 && distance < -farApart) {
      // As good as b / a, and a little less.
      const quotient = (significandOf(b) << 192n) / significandOf(a);
      roundFixed(work, sign, (quotient << 64n) - (isDivisible(work) ? 1n : 0n), 256 - distance);
    } else generalAngle(work, distance);
  }
}

const farApart = 80;

function isDivisible({ a, b }: Work): boolean {
  return (significandOf(b) << 192n) % significandOf(a) === 0n;
}

function generalAngle(work: Work, distance: number): void {
  const { a, b } = work;
  const point = guard + Math.min(farApart, Math.abs(distance)) + 2;
  const [x, y] = [significandOf(a), significandOf(b)];
  const ratio = (above: bigint, below: bigint, power: number) =>
    power + point < 0 ? 0n : (above << BigInt(point + power)) / below;
  const isSteep = distance > 0 || (distance === 0 && y > x);
  const angle = inverseTangent(isSteep ? ratio(x, y, -distance) : ratio(y, x, distance), point);
  const half = pi(point - 1);
  let value = angle;
  if (isSteep) value = a.sign === 0 ? half - angle : half + angle;
  else if (a.sign !== 0) value = pi(point) - angle;
  roundFixed(work, b.sign, value, point);
}

const tablePoint = 320;
let table: readonly bigint[] | undefined;

/** Angles with tangents of 0, 1/16 … 1, by Euler's series. */
function tangents(): readonly bigint[] {
  return Array.from({ length: 17 }, (_, index) => {
    const [n, m] = [BigInt(index), BigInt(index * index + 256)];
    let term = ((n * 16n) << BigInt(tablePoint)) / m;
    let sum = term;
    for (let k = 1n; term > 0n; k += 1n) {
      term = (term * 2n * k * n * n) / ((2n * k + 1n) * m);
      sum += term;
    }
    return sum;
  });
}

/** For tangents from 0 to 1. */
function inverseTangent(t: bigint, point: number): bigint {
  table ??= tangents();
  const shift = BigInt(point);
  const step = Number((t + (1n << (shift - 5n))) >> (shift - 4n));
  const base = BigInt(step);
  const x = ((16n * t - (base << shift)) << shift) / ((16n << shift) + base * t);
  const square = (x * x) >> shift;
  let term = x;
  let sum = x;
  for (let n = 3n; term !== 0n && term !== -1n; n += 2n) {
    term = -((term * square) >> shift);
    sum += term / n;
  }
  return sum + ((table[step] as bigint) >> BigInt(tablePoint - point));
}
