import type { Core } from '../core.ts';
import { flag } from '../flags.ts';
import type { Width } from '../instruction.ts';
import { fields } from '../registers.ts';

interface Division {
  readonly quotient: number;
  readonly remainder: number;
}

/**
 * The 8086's microcode divides by shifting and subtracting and leaves the flags of a subtraction: of the first
 * one when the quotient does not fit (the handler of interrupt 0 finds them pushed), else of the last one that was
 * taken into account, with CF as the inverse of the quotient's top bit.
 */
export function divide8086(core: Core, high: number, low: number, divisor: number, width: Width): Division {
  subtract(core, high, divisor, width);
  if (high >= divisor) core.fault(0);
  const mask = width === 16 ? 0xffff : 0xff;
  let [rest, digits] = [high, low];
  let quotient = 0;
  for (let step = 0; step < width; step += 1) {
    rest = (rest << 1) | (digits >> (width - 1));
    digits = (digits << 1) & mask;
    const fits = rest >= divisor;
    if (rest <= mask) subtract(core, rest, divisor, width);
    if (fits) rest -= divisor;
    quotient = (quotient << 1) | (fits ? 1 : 0);
  }
  core.words[fields.carry] = quotient >> (width - 1) === 0 ? 1 : 0;
  return { quotient, remainder: rest };
}

/** Signed: both are made positive, and a quotient with its top bit set does not fit. */
export function divideSigned8086(
  core: Core,
  dividend: number,
  divisor: number,
  width: Width,
  negated: boolean,
): Division {
  const positive = Math.abs(dividend);
  const divided = divide8086(core, Math.floor(positive / 2 ** width), positive % 2 ** width, Math.abs(divisor), width);
  if (divided.quotient >> (width - 1) !== 0) core.fault(0);
  core.words[fields.carry] = 0;
  core.words[fields.overflow] = 0;
  const negative = (dividend < 0 !== divisor < 0) !== negated;
  return {
    quotient: negative ? -divided.quotient : divided.quotient,
    remainder: dividend < 0 ? -divided.remainder : divided.remainder,
  };
}

function subtract(core: Core, a: number, b: number, width: Width): void {
  const shift = 32 - width;
  const result = ((a - b) << shift) >> shift;
  core.words[fields.result] = result;
  core.words[fields.carry] = a < b ? 1 : 0;
  core.words[fields.auxiliary] = (a ^ b ^ result) & flag.auxiliary;
  core.words[fields.overflow] = ((a ^ b) & (a ^ result)) << shift;
}
