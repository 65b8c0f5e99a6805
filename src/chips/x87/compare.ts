import { compareSignificands, kind, kindOf, type Real } from './real.ts';
import { meetsNan, type Work } from './work.ts';

/** Condition codes C3, C2, C0 of a comparison, as they lie in the status word. */
export const order = { greater: 0, less: 0x100, equal: 0x4000, unordered: 0x4500 } as const;
const conditionBits = 0x4700;

/** Compares `a` with `b`. A quiet comparison does not mind NaNs that are quiet. */
export function compare(work: Work, quiet: boolean): number {
  const { a, b } = work;
  const kindA = kindOf(a);
  const kindB = kindOf(b);
  if (meetsNan(work, kindA, kindB)) {
    if (!quiet) work.invalid();
    return order.unordered;
  }
  const infinite = (kindA === kind.infinity ? 1 : 0) + (kindB === kind.infinity ? 1 : 0);
  if (infinite > 0 && !work.isAffine) {
    if (infinite === 2) return order.equal;
    work.invalid();
    return order.unordered;
  }
  if (kindA === kind.denormal || kindB === kind.denormal) work.denormal();
  if (kindA === kind.zero && kindB === kind.zero) return order.equal;
  if (a.sign !== b.sign) return a.sign === 0 ? order.greater : order.less;
  const larger = magnitudes(a, b);
  if (larger === 0) return order.equal;
  return larger > 0 === (a.sign === 0) ? order.greater : order.less;
}

function magnitudes(a: Real, b: Real): number {
  // A denormal with the integer bit set is worth as much as with an exponent of 1.
  const ea = Math.max(a.exponent, a.high < 0 ? 1 : 0);
  const eb = Math.max(b.exponent, b.high < 0 ? 1 : 0);
  return ea === eb ? compareSignificands(a, b) : ea - eb;
}

/** FXAM's classes in C3, C2, C0, with the sign in C1. */
export function examine(real: Real, isEmpty: boolean): number {
  const sign = real.sign << 9;
  if (isEmpty) return sign | 0x4100;
  const classes = [0x4000, 0x0400, 0x4400, 0x0500, 0x0100, 0];
  return sign | classes[kindOf(real)];
}

export function setConditions(status: number, codes: number): number {
  return (status & ~conditionBits) | codes;
}
