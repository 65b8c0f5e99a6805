import { fields, type X87State } from './fields.ts';
import { bias, integerBit, maxExponent } from './real.ts';
import { divideSignificands, multiplySignificands, wide } from './significands.ts';
import { exception } from './work.ts';

/*
 * Instructions as they usually are: numbers and infinities, rounded to the nearest, with a result that is no exception but for
 * its precision. Where it is anything else these give false and have done nothing.
 */

/** A number under way; `rest` comes after its 64 bits, and its lowest bit stands for everything after that. */
class Working {
  /** Sign (bit 15) and exponent. */
  head = 0;
  high = 0;
  low = 0;
  rest = 0;
}

const a = new Working();
const b = new Working();
/** What an instruction has read from memory. */
const operand = new Working();
const result = new Working();

/** What a store has made: words for memory, the lowest first. */
const stored = new Int32Array(new ArrayBuffer(8));

const signBit = 0x8000;
const conditionC1 = 0x200;
const topBits = 0x3800;
const topShift = 11;
const comparisonBits = 0x4700;
const belowBit = 0x100;
const equalBit = 0x4000;

/** How it rounds, and that nobody wants to hear of an inexact result. */
const controlBits = 0xc00 | exception.precision;
const usualControl = exception.precision;
const precisionBits = 0x300;
const [precision24, precision53] = [0, 0x200];

export const singleBias = bias - 127;
export const doubleBias = bias - 1023;

const isNumber = 1;
const isInfinite = 2;
const numbers = isNumber * 4 + isNumber;
const infinityFirst = isInfinite * 4 + isNumber;
const infinitySecond = isNumber * 4 + isInfinite;

function isUsual(s: X87State): boolean {
  return (s[fields.control] & controlBits) === usualControl;
}

function topOf(s: X87State): number {
  return (s[fields.status] >> topShift) & 7;
}

function isFull(s: X87State, register: number): boolean {
  return ((s[fields.full] >> register) & 1) !== 0;
}

/** A register as an operand, and what kind that is; 0 for an unusual one. */
function take(s: X87State, register: number, into: Working): number {
  const head = s[fields.head + register];
  const high = s[fields.high + register];
  const low = s[fields.low + register];
  into.head = head;
  into.high = high;
  into.low = low;
  const exponent = head & maxExponent;
  if (high >= 0 || exponent === 0) return 0;
  if (exponent !== maxExponent) return isNumber;
  return high === integerBit && low === 0 ? isInfinite : 0;
}

/** The kinds of both operands in one, 0 when one of them is unusual. */
function both(kindA: number, kindB: number): number {
  return kindA === 0 || kindB === 0 ? 0 : kindA * 4 + kindB;
}

function putInfinity(s: X87State, to: number, sign: number): true {
  s[fields.head + to] = sign | maxExponent;
  s[fields.high + to] = integerBit;
  s[fields.low + to] = 0;
  s[fields.status] &= ~conditionC1;
  return true;
}

/** The bits after the last one that is kept, above all others of a word; what is kept stays in `result`. */
function cutTo(precision: number): number {
  if (precision === precision53) {
    const cut = (result.low << 21) | (result.rest !== 0 ? 1 : 0);
    result.low &= ~0x7ff;
    return cut;
  }
  if (precision === precision24) {
    const cut = (result.high << 24) | ((result.low | result.rest) !== 0 ? 1 : 0);
    result.high &= ~0xff;
    result.low = 0;
    return cut;
  }
  return result.rest;
}

/** Adds one in the last place that is kept. */
function grow(precision: number): void {
  if (precision === precision24) result.high = (result.high + 0x100) | 0;
  else {
    result.low = (result.low + (precision === precision53 ? 0x800 : 1)) | 0;
    if (result.low === 0) result.high = (result.high + 1) | 0;
  }
  if (result.high !== 0) return;
  result.high = integerBit;
  result.head += 1;
}

function isOdd(precision: number): boolean {
  if (precision === precision24) return (result.high & 0x100) !== 0;
  return (result.low & (precision === precision53 ? 0x800 : 1)) !== 0;
}

/** Rounds `result`, whose highest bit is set; gives the status bits that tell of it. */
function round(precision: number): number {
  const cut = cutTo(precision);
  if (cut === 0) return 0;
  if (cut > 0 || (cut === integerBit && !isOdd(precision))) return exception.precision;
  grow(precision);
  return exception.precision | conditionC1;
}

/** Rounds a significand into a register; its sign and exponent come apart, as exponents may be too small or too large. */
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
  const precision = s[fields.control] & precisionBits;
  if (precision === precision53 || precision === precision24) {
    return putShort(s, to, sign, exponent, high, low, rest, precision);
  }
  let h = high;
  let l = low;
  let e = exponent;
  let told = 0;
  if (rest !== 0) {
    told = exception.precision;
    // More than a half, or a half of which the last bit decides.
    if (rest < 0 && (rest !== integerBit || (low & 1) !== 0)) {
      told = exception.precision | conditionC1;
      l = (low + 1) | 0;
      if (l === 0) h = (high + 1) | 0;
      if (h === 0) {
        h = integerBit;
        e += 1;
      }
    }
  }
  if (e >= maxExponent) return false;
  s[fields.status] = (s[fields.status] & ~conditionC1) | told;
  s[fields.head + to] = sign | e;
  s[fields.high + to] = h;
  s[fields.low + to] = l;
  return true;
}

/** The same with fewer bits. */
function putShort(
  s: X87State,
  to: number,
  sign: number,
  exponent: number,
  high: number,
  low: number,
  rest: number,
  precision: number,
): boolean {
  result.head = exponent;
  result.high = high;
  result.low = low;
  result.rest = rest;
  const told = round(precision);
  if (result.head >= maxExponent) return false;
  s[fields.status] = (s[fields.status] & ~conditionC1) | told;
  s[fields.head + to] = sign | result.head;
  s[fields.high + to] = result.high;
  s[fields.low + to] = result.low;
  return true;
}

/** The second number's sign is changed by `negate`. */
function add(s: X87State, to: number, negate: number, kinds: number, first: Working, second: Working): boolean {
  const one = first.head;
  const other = second.head ^ negate;
  if (kinds !== numbers) {
    if (kinds === infinityFirst) return putInfinity(s, to, one & signBit);
    return kinds === infinitySecond && putInfinity(s, to, other & signBit);
  }
  const difference = (one & maxExponent) - (other & maxExponent);
  const isSum = ((one ^ other) & signBit) === 0;
  const isLarger = difference > 0 || (difference === 0 && first.high >>> 0 >= second.high >>> 0);
  return isLarger
    ? addSmaller(s, to, one, first.high, first.low, difference, second.high, second.low, isSum)
    : addSmaller(s, to, other, second.high, second.low, -difference, first.high, first.low, isSum);
}

/** The head is that of the larger number; the smaller one is moved by as many bits as its exponent is less. */
function addSmaller(
  s: X87State,
  to: number,
  head: number,
  largerHigh: number,
  largerLow: number,
  by: number,
  smallerHigh: number,
  smallerLow: number,
  isSum: boolean,
): boolean {
  if (by >= 64) return false;
  let high = smallerHigh;
  let low = smallerLow;
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
  return isSum
    ? putSum(s, to, head, largerHigh, largerLow, high, low, rest)
    : putDifference(s, to, head, largerHigh, largerLow, high, low, rest);
}

function putSum(
  s: X87State,
  to: number,
  head: number,
  largerHigh: number,
  largerLow: number,
  high: number,
  low: number,
  rest: number,
): boolean {
  const l = (largerLow + low) | 0;
  const carry = l >>> 0 < largerLow >>> 0 ? 1 : 0;
  const above = (largerHigh >>> 0) + (high >>> 0) + carry;
  const h = above | 0;
  const sign = head & signBit;
  const exponent = head & maxExponent;
  if (above <= 0xffffffff) return put(s, to, sign, exponent, h, l, rest);
  const last = (rest >>> 1) | (rest & 1) | (l << 31);
  return put(s, to, sign, exponent + 1, (h >>> 1) | integerBit, (l >>> 1) | (h << 31), last);
}

function putDifference(
  s: X87State,
  to: number,
  head: number,
  largerHigh: number,
  largerLow: number,
  high: number,
  low: number,
  rest: number,
): boolean {
  const below = (largerLow >>> 0) - (low >>> 0) - (rest !== 0 ? 1 : 0);
  const h = (largerHigh - high - (below < 0 ? 1 : 0)) | 0;
  // What is left of numbers that are nearly equal may be nothing, or have the other sign.
  if (h === 0 || largerHigh === (high | 0)) return false;
  const l = below | 0;
  const r = -rest | 0;
  const shift = Math.clz32(h);
  const sign = head & signBit;
  const exponent = (head & maxExponent) - shift;
  if (shift === 0) return put(s, to, sign, exponent, h, l, r);
  const back = 32 - shift;
  return put(s, to, sign, exponent, (h << shift) | (l >>> back), (l << shift) | (r >>> back), r << shift);
}

function multiply(s: X87State, to: number, kinds: number, first: Working, second: Working): boolean {
  if (kinds === 0) return false;
  const sign = (first.head ^ second.head) & signBit;
  if (kinds !== numbers) return putInfinity(s, to, sign);
  const grown = multiplySignificands(first.high, first.low, second.high, second.low);
  const exponent = (first.head & maxExponent) + (second.head & maxExponent) - bias + grown;
  return put(s, to, sign, exponent, wide[0], wide[1], wide[2]);
}

function divide(s: X87State, to: number, kinds: number, first: Working, second: Working): boolean {
  const sign = (first.head ^ second.head) & signBit;
  if (kinds !== numbers) return kinds === infinityFirst && putInfinity(s, to, sign);
  const shrunk = divideSignificands(first.high, first.low, second.high, second.low);
  const exponent = (first.head & maxExponent) - (second.head & maxExponent) + bias - shrunk;
  return put(s, to, sign, exponent, wide[0], wide[1], wide[2]);
}

/** Two registers as the operands, and their kinds. */
function takeBoth(s: X87State, first: number, second: number): number {
  if (!isUsual(s) || !isFull(s, first) || !isFull(s, second)) return 0;
  return both(take(s, first, a), take(s, second, b));
}

/** Makes a number of 64 bits the operand; false for NaNs, infinities and denormals. */
function takeDouble(low: number, high: number): boolean {
  const exponent = (high >>> 20) & 0x7ff;
  operand.head = (high >>> 16) & signBit;
  if (exponent === 0) {
    operand.high = 0;
    operand.low = 0;
    return ((high << 1) | low) === 0;
  }
  operand.head |= exponent + doubleBias;
  operand.high = integerBit | ((high & 0xfffff) << 11) | (low >>> 21);
  operand.low = low << 11;
  return exponent !== 0x7ff;
}

/** A number of 32 bits. */
function takeSingle(bits: number): boolean {
  const exponent = (bits >>> 23) & 0xff;
  operand.head = (bits >>> 16) & signBit;
  operand.low = 0;
  operand.high = 0;
  if (exponent === 0) return bits << 1 === 0;
  operand.head |= exponent + singleBias;
  operand.high = integerBit | ((bits & 0x7fffff) << 8);
  return exponent !== 0xff;
}

function takeInteger(value: number): boolean {
  operand.low = 0;
  if (value === 0) {
    operand.head = 0;
    operand.high = 0;
    return true;
  }
  const magnitude = value < 0 ? -value | 0 : value;
  const shift = Math.clz32(magnitude);
  operand.head = (value < 0 ? signBit : 0) | (bias + 31 - shift);
  operand.high = magnitude << shift;
  return true;
}

/** Puts the operand on the stack. */
function load(s: X87State): boolean {
  const register = (topOf(s) - 1) & 7;
  if (isFull(s, register)) return false;
  s[fields.head + register] = operand.head;
  s[fields.high + register] = operand.high;
  s[fields.low + register] = operand.low;
  s[fields.full] |= 1 << register;
  s[fields.status] = (s[fields.status] & ~(topBits | conditionC1)) | (register << topShift);
  return true;
}

/** The kind of the top, which goes to `a`, if it can be computed with the operand; 0 if not. */
function takeTop(s: X87State): number {
  const top = topOf(s);
  return isUsual(s) && isFull(s, top) && operand.high !== 0 ? take(s, top, a) : 0;
}

function isZero({ head, high, low }: Working): boolean {
  return ((head & maxExponent) | high | low) === 0;
}

/** Below, equal or above: -1, 0, 1. */
function order(): number {
  if ((a.high | operand.high) === 0) return 0;
  const signA = a.head & signBit;
  const signB = operand.head & signBit;
  if (a.high === 0) return signB === 0 ? -1 : 1;
  if (operand.high === 0 || signA !== signB) return signA === 0 ? 1 : -1;
  const up = signA === 0 ? 1 : -1;
  if (a.head !== operand.head) return (a.head & maxExponent) > (operand.head & maxExponent) ? up : -up;
  if (a.high !== operand.high) return a.high >>> 0 > operand.high >>> 0 ? up : -up;
  return a.low === operand.low ? 0 : a.low >>> 0 > operand.low >>> 0 ? up : -up;
}

/** Compares the top with the operand. */
function compare(s: X87State): boolean {
  const top = topOf(s);
  if (!isFull(s, top)) return false;
  if (take(s, top, a) !== isNumber && !isZero(a)) return false;
  const found = order();
  const told = found < 0 ? belowBit : found === 0 ? equalBit : 0;
  s[fields.status] = (s[fields.status] & ~comparisonBits) | told;
  return true;
}

/** The top as a number of 64 or 32 bits, in `stored`. */
function store(s: X87State, isDouble: boolean): boolean {
  const top = topOf(s);
  if (!isUsual(s) || !isFull(s, top)) return false;
  const kind = take(s, top, result);
  const sign = (result.head & signBit) << 16;
  const exponent = (result.head & maxExponent) - (isDouble ? doubleBias : singleBias);
  if (isZero(result)) {
    stored[0] = isDouble ? 0 : sign;
    stored[1] = sign;
    s[fields.status] &= ~conditionC1;
    return true;
  }
  if (kind !== isNumber || exponent <= 0) return false;
  return isDouble ? storeDouble(s, sign, exponent) : storeSingle(s, sign, exponent);
}

/** `result`, with another exponent. */
function storeDouble(s: X87State, sign: number, exponent: number): boolean {
  let { high } = result;
  // The bits that are kept begin at the twelfth.
  let low = result.low & ~0x7ff;
  let e = exponent;
  const cut = result.low << 21;
  let told = cut === 0 ? 0 : exception.precision;
  if (cut < 0 && (cut !== integerBit || (low & 0x800) !== 0)) {
    told = exception.precision | conditionC1;
    low = (low + 0x800) | 0;
    if (low === 0) high = (high + 1) | 0;
    if (high === 0) {
      high = integerBit;
      e += 1;
    }
  }
  if (e >= 0x7ff) return false;
  s[fields.status] = (s[fields.status] & ~conditionC1) | told;
  stored[0] = (low >>> 11) | (high << 21);
  stored[1] = sign | (e << 20) | ((high >>> 11) & 0xfffff);
  return true;
}

function storeSingle(s: X87State, sign: number, exponent: number): boolean {
  let high = result.high & ~0xff;
  let e = exponent;
  const cut = (result.high << 24) | (result.low !== 0 ? 1 : 0);
  let told = cut === 0 ? 0 : exception.precision;
  if (cut < 0 && (cut !== integerBit || (high & 0x100) !== 0)) {
    told = exception.precision | conditionC1;
    high = (high + 0x100) | 0;
    if (high === 0) {
      high = integerBit;
      e += 1;
    }
  }
  if (e >= 0xff) return false;
  s[fields.status] = (s[fields.status] & ~conditionC1) | told;
  stored[0] = sign | (e << 23) | ((high >>> 8) & 0x7fffff);
  return true;
}

type OnRegisters = (s: X87State, first: number, second: number, to: number) => boolean;
type WithOperand = (s: X87State) => boolean;

const onRegisters: Readonly<Record<'add' | 'multiply' | 'subtract' | 'divide', OnRegisters>> = {
  add: (s, first, second, to) => add(s, to, 0, takeBoth(s, first, second), a, b),
  multiply: (s, first, second, to) => multiply(s, to, takeBoth(s, first, second), a, b),
  subtract: (s, first, second, to) => add(s, to, signBit, takeBoth(s, first, second), a, b),
  divide: (s, first, second, to) => divide(s, to, takeBoth(s, first, second), a, b),
};

const addOperand: WithOperand = (s) => add(s, topOf(s), 0, both(takeTop(s), isNumber), a, operand);
const multiplyOperand: WithOperand = (s) => multiply(s, topOf(s), both(takeTop(s), isNumber), a, operand);
const subtractOperand: WithOperand = (s) => add(s, topOf(s), signBit, both(takeTop(s), isNumber), a, operand);
const subtractFromOperand: WithOperand = (s) => add(s, topOf(s), signBit, both(isNumber, takeTop(s)), operand, a);
const divideByOperand: WithOperand = (s) => divide(s, topOf(s), both(takeTop(s), isNumber), a, operand);
const divideOperand: WithOperand = (s) => divide(s, topOf(s), both(isNumber, takeTop(s)), operand, a);

/** By what they do. Of those with an operand in memory, one that takes it comes first. */
export const quick = {
  ...onRegisters,
  takeSingle,
  takeDouble,
  takeInteger,
  addOperand,
  multiplyOperand,
  subtractOperand,
  subtractFromOperand,
  divideByOperand,
  divideOperand,
  compare,
  load,
  store,
  operand,
  stored,
};
