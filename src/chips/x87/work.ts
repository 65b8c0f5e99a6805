import { compareSignificands, isSignalling, kind, kindOf, maxExponent, quietBit, Real, setIndefinite } from './real.ts';

/** Exceptions, as the status word has them and the control word masks them. */
export const exception = {
  invalid: 1,
  denormal: 2,
  zeroDivide: 4,
  overflow: 8,
  underflow: 16,
  precision: 32,
  /** The 80387 says so when an invalid operation was one of the stack. */
  stackFault: 64,
} as const;

/** One operation under way: its operands, its result, what it has to report. */
export class Work {
  readonly a = new Real();
  readonly b = new Real();
  readonly result = new Real();
  /** The control word. */
  control = 0;
  /** Exceptions met. */
  flags = 0;
  /** 1 when the result is larger in magnitude than what was computed. */
  roundedUp = 0;
  /** What the last rounding did. */
  isInexact = false;
  carried = 0;
  /** What an 8087 and an 80287 do otherwise: every NaN is invalid, infinities may be one. */
  readonly modern: boolean;

  constructor(modern: boolean) {
    this.modern = modern;
  }

  begin(control: number): this {
    this.control = control;
    this.flags = 0;
    this.roundedUp = 0;
    return this;
  }

  /** Exceptions of lower rank are not reported beside these. */
  #outrank(flag: number): void {
    this.flags = (this.flags & ~exception.denormal) | flag;
  }

  invalid(): void {
    this.#outrank(exception.invalid);
    setIndefinite(this.result);
  }

  zeroDivide(): void {
    this.#outrank(exception.zeroDivide);
  }

  denormal(): void {
    this.flags |= exception.denormal;
  }

  /** True when a minus infinity is not a plus infinity. */
  get isAffine(): boolean {
    return this.modern || (this.control & 0x1000) !== 0;
  }

  masks(flag: number): boolean {
    return (this.control & flag) !== 0;
  }
}

/** True when an operand is no number: the result is what then comes of it. */
export function meetsNan(work: Work, kindA: number, kindB: number): boolean {
  if (kindA < kind.nan && kindB < kind.nan) return false;
  if (kindA === kind.unsupported || kindB === kind.unsupported) work.invalid();
  else propagate(work, kindA === kind.nan, kindB === kind.nan);
  return true;
}

/** The same for operations with one operand, `a`. */
export function isNan(work: Work, kindA: number): boolean {
  return meetsNan(work, kindA, kind.normal);
}

/** Of two NaNs the quiet one is the result, then the one with the larger significand, then the positive one. */
function propagate(work: Work, nanA: boolean, nanB: boolean): void {
  const { a, b, result, modern } = work;
  const [signalsA, signalsB] = [nanA && isSignalling(a), nanB && isSignalling(b)];
  if (signalsA || signalsB || !modern) work.invalid();
  else work.flags &= ~exception.denormal;
  let takesA = nanA;
  if (nanA && nanB) {
    const order = compareSignificands(a, b);
    takesA = modern && signalsA !== signalsB ? signalsB : order === 0 ? a.sign === 0 : order > 0;
  }
  result.copy(takesA ? a : b);
  result.high |= quietBit;
}

/** The 8087 and 80287 take significands without an integer bit for what they are worth. */
export function tolerate(real: Real): void {
  if (kindOf(real) !== kind.unsupported) return;
  if (real.exponent === maxExponent) {
    real.high |= -0x80000000;
    return;
  }
  if ((real.high | real.low) === 0) {
    real.exponent = 0;
    return;
  }
  const shift = real.high === 0 ? 32 + Math.clz32(real.low) : Math.clz32(real.high);
  const by = Math.min(shift, real.exponent - 1);
  shiftLeft(real, by);
  real.exponent = real.high < 0 ? real.exponent - by : 0;
}

function shiftLeft(real: Real, by: number): void {
  const rest = by & 31;
  if (by >= 32) {
    real.high = real.low;
    real.low = 0;
  }
  if (rest === 0) return;
  real.high = (real.high << rest) | (real.low >>> (32 - rest));
  real.low <<= rest;
}
