import { fields, type X87State } from './fields.ts';
import { bias, integerBit, maxExponent } from './real.ts';
import { divideSignificands, multiplySignificands, wide } from './significands.ts';
import { exception } from './work.ts';

/**
 * Arithmetic on two registers as it usually is: numbers and infinities, rounded to the nearest of 64 bits, with a result
 * that is no exception but for its precision. Where it is anything else these give false and have done nothing.
 */
export type QuickOperation = (s: X87State, a: number, b: number, to: number) => boolean;

const signBit = 0x8000;
const conditionC1 = 0x200;

/** Rounding and precision, and that nobody wants to hear of an inexact result. */
const controlBits = 0xf00 | exception.precision;
const usualControl = 0x300 | exception.precision;

const isNumber = 1;
const isInfinite = 2;

function kindIn(s: X87State, register: number): number {
  const exponent = s[fields.head + register] & maxExponent;
  const high = s[fields.high + register];
  if (high >= 0 || exponent === 0) return 0;
  if (exponent !== maxExponent) return isNumber;
  return high === integerBit && s[fields.low + register] === 0 ? isInfinite : 0;
}

/** The kinds of both in one, 0 when they or the control word are unusual. */
function kindsIn(s: X87State, a: number, b: number): number {
  const full = s[fields.full];
  if (((full >> a) & (full >> b) & 1) === 0 || (s[fields.control] & controlBits) !== usualControl) return 0;
  const kindA = kindIn(s, a);
  const kindB = kindIn(s, b);
  return kindA === 0 || kindB === 0 ? 0 : kindA * 4 + kindB;
}

const numbers = isNumber * 4 + isNumber;
const infinityFirst = isInfinite * 4 + isNumber;
const infinitySecond = isNumber * 4 + isInfinite;

function putInfinity(s: X87State, to: number, sign: number): true {
  s[fields.head + to] = sign | maxExponent;
  s[fields.high + to] = integerBit;
  s[fields.low + to] = 0;
  s[fields.status] &= ~conditionC1;
  return true;
}

/** Rounds 96 bits, the highest of which is set. */
function put(
  s: X87State,
  to: number,
  sign: number,
  exponent: number,
  high: number,
  low: number,
  rest: number,
): boolean {
  if (exponent <= 0) return false;
  let status = s[fields.status] & ~conditionC1;
  if (rest !== 0) {
    status |= exception.precision;
    if (rest < 0 && (rest !== integerBit || (low & 1) !== 0)) {
      status |= conditionC1;
      low = (low + 1) | 0;
      if (low === 0) {
        high = (high + 1) | 0;
        if (high === 0) {
          high = integerBit;
          exponent += 1;
        }
      }
    }
  }
  if (exponent >= maxExponent) return false;
  s[fields.status] = status;
  s[fields.head + to] = sign | exponent;
  s[fields.high + to] = high;
  s[fields.low + to] = low;
  return true;
}

const addQuickly: QuickOperation = (s, a, b, to) => addSigned(s, a, b, to, 0);

const subtractQuickly: QuickOperation = (s, a, b, to) => addSigned(s, a, b, to, signBit);

function addSigned(s: X87State, a: number, b: number, to: number, negate: number): boolean {
  const kinds = kindsIn(s, a, b);
  const headA = s[fields.head + a];
  const headB = s[fields.head + b] ^ negate;
  if (kinds !== numbers) {
    if (kinds === infinityFirst) return putInfinity(s, to, headA & signBit);
    return kinds === infinitySecond && putInfinity(s, to, headB & signBit);
  }
  const difference = (headA & maxExponent) - (headB & maxExponent);
  const isLarger = difference > 0 || (difference === 0 && s[fields.high + a] >>> 0 >= s[fields.high + b] >>> 0);
  const larger = isLarger ? a : b;
  const smaller = isLarger ? b : a;
  const head = isLarger ? headA : headB;
  const by = isLarger ? difference : -difference;
  if (by >= 64) return false;
  let high = s[fields.high + smaller];
  let low = s[fields.low + smaller];
  let rest = 0;
  if (by >= 32) {
    rest = low;
    low = high;
    high = 0;
  }
  const bits = by & 31;
  if (bits !== 0) {
    const sticky = rest << (32 - bits) !== 0 ? 1 : 0;
    rest = (rest >>> bits) | (low << (32 - bits)) | sticky;
    low = (low >>> bits) | (high << (32 - bits));
    high >>>= bits;
  }
  const sign = head & signBit;
  const exponent = head & maxExponent;
  const upper = s[fields.high + larger] >>> 0;
  const lower = s[fields.low + larger] >>> 0;
  if (((headA ^ headB) & signBit) === 0) return putSum(s, to, sign, exponent, upper, lower, high, low, rest);
  return putDifference(s, to, sign, exponent, upper, lower, high, low, rest);
}

function putSum(
  s: X87State,
  to: number,
  sign: number,
  exponent: number,
  upper: number,
  lower: number,
  high: number,
  low: number,
  rest: number,
): boolean {
  const below = lower + (low >>> 0);
  const above = upper + (high >>> 0) + (below > 0xffffffff ? 1 : 0);
  const h = above | 0;
  const l = below | 0;
  if (above <= 0xffffffff) return put(s, to, sign, exponent, h, l, rest);
  const r = (rest >>> 1) | (rest & 1) | (l << 31);
  return put(s, to, sign, exponent + 1, (h >>> 1) | integerBit, (l >>> 1) | (h << 31), r);
}

function putDifference(
  s: X87State,
  to: number,
  sign: number,
  exponent: number,
  upper: number,
  lower: number,
  high: number,
  low: number,
  rest: number,
): boolean {
  const below = lower - (low >>> 0) - (rest !== 0 ? 1 : 0);
  const h = (upper - (high >>> 0) - (below < 0 ? 1 : 0)) | 0;
  const l = below | 0;
  const r = -rest | 0;
  // What is left of numbers that are nearly equal may be nothing, or have the other sign.
  if (h === 0 || upper === high >>> 0) return false;
  const shift = Math.clz32(h);
  if (shift === 0) return put(s, to, sign, exponent, h, l, r);
  const back = 32 - shift;
  return put(s, to, sign, exponent - shift, (h << shift) | (l >>> back), (l << shift) | (r >>> back), r << shift);
}

const multiplyQuickly: QuickOperation = (s, a, b, to) => {
  const kinds = kindsIn(s, a, b);
  if (kinds === 0) return false;
  const headA = s[fields.head + a];
  const headB = s[fields.head + b];
  const sign = (headA ^ headB) & signBit;
  if (kinds !== numbers) return putInfinity(s, to, sign);
  const grown = multiplySignificands(s[fields.high + a], s[fields.low + a], s[fields.high + b], s[fields.low + b]);
  const exponent = (headA & maxExponent) + (headB & maxExponent) - bias + grown;
  return put(s, to, sign, exponent, wide[0], wide[1], wide[2]);
};

const divideQuickly: QuickOperation = (s, a, b, to) => {
  const kinds = kindsIn(s, a, b);
  const headA = s[fields.head + a];
  const headB = s[fields.head + b];
  const sign = (headA ^ headB) & signBit;
  if (kinds !== numbers) return kinds === infinityFirst && putInfinity(s, to, sign);
  const shrunk = divideSignificands(s[fields.high + a], s[fields.low + a], s[fields.high + b], s[fields.low + b]);
  const exponent = (headA & maxExponent) - (headB & maxExponent) + bias - shrunk;
  return put(s, to, sign, exponent, wide[0], wide[1], wide[2]);
};

export const quick = { add: addQuickly, subtract: subtractQuickly, multiply: multiplyQuickly, divide: divideQuickly };
