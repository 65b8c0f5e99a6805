import { bias, type Real, significandOf } from './real.ts';
import { round } from './round.ts';
import type { Work } from './work.ts';

/** The length of a positive number in bits. */
export function bitLength(value: bigint): number {
  const text = value.toString(16);
  return text.length * 4 - Math.clz32(Number.parseInt(text.charAt(0), 16)) + 28;
}

/** Rounds `value` / 2^`point` into the result. Usually it is not quite exact: something lies after its last bit. */
export function roundFixed(work: Work, sign: number, value: bigint, point: number, isExact = false): void {
  const bits = bitLength(value);
  const cut = BigInt(bits - 96);
  const top = bits > 96 ? value >> cut : value << -cut;
  const sticky = isExact && (bits <= 96 || top << cut === value) ? 0 : 1;
  const word = (shift: bigint) => Number((top >> shift) & 0xffffffffn) | 0;
  round(work, sign, bits - 1 - point + bias, word(64n), word(32n), word(0n) | sticky, 64);
}

/** The magnitude of a normal number times 2^`point`, cut to a whole one. */
export function toFixed(real: Real, point: number): bigint {
  return shifted(significandOf(real), real.exponent - bias - 63 + point);
}

export function shifted(value: bigint, left: number): bigint {
  return left >= 0 ? value << BigInt(left) : value >> BigInt(-left);
}

/** The number next to `real` towards zero, or away from it: what a function that hardly bends makes of tiny ones. */
export function roundBeside(work: Work, real: Real, away: boolean): void {
  const wide = (significandOf(real) << 64n) + (away ? 1n : -1n);
  roundFixed(work, real.sign, wide, 64 + 63 - (real.exponent - bias));
}

/** Series are summed with this many bits after the point, and more for small results. */
export const guard = 144;
/** Below 2^-`tiny` the next term of a series is out of sight. */
export const tiny = 80;

/** Constants with more bits than any series needs. */
const widest = 512;
let wideLn2: bigint | undefined;
let widePi: bigint | undefined;

export function ln2(point: number): bigint {
  const inverse = (n: bigint) => inverseSeries(n, 1n);
  wideLn2 ??= 18n * inverse(26n) - 2n * inverse(4801n) + 8n * inverse(8749n);
  return wideLn2 >> BigInt(widest - point);
}

export function pi(point: number): bigint {
  const inverse = (n: bigint) => inverseSeries(n, -1n);
  widePi ??= 16n * inverse(5n) - 4n * inverse(239n);
  return widePi >> BigInt(widest - point);
}

/** The inverse tangent of 1/n with alternating signs, the inverse hyperbolic one without. */
function inverseSeries(n: bigint, sign: 1n | -1n): bigint {
  let power = (1n << BigInt(widest)) / n;
  let sum = power;
  let direction = sign;
  for (let k = 3n; power > 0n; k += 2n) {
    power /= n * n;
    sum += (direction * power) / k;
    direction *= sign;
  }
  return sum;
}
