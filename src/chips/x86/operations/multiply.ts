import type { Core } from '../core.ts';
import { flag } from '../flags.ts';
import type { Width } from '../instruction.ts';
import { fields } from '../registers.ts';
import { divide8086, divideSigned8086 } from './divide-8086.ts';
import type { Call, Operation } from './operation.ts';

const [eax, edx] = [fields.eax, fields.edx];
const [ax, dx] = [eax * 2, edx * 2];

/** CF and OF say that the upper half matters; the other flags come from `result`. */
function setFlags(core: Core, matters: boolean, result: number, width: Width): void {
  core.words[fields.carry] = matters ? 1 : 0;
  core.words[fields.overflow] = matters ? -0x80000000 : 0;
  core.words[fields.result] = (result << (32 - width)) >> (32 - width);
  core.words[fields.auxiliary] = 0;
}

/** The upper 32 bits of an unsigned product. */
function highProduct(a: number, b: number): number {
  const [aLow, aHigh, bLow, bHigh] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const other = aLow * bHigh + (middle % 65536);
  return (aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(other / 65536)) | 0;
}

function signedHighProduct(a: number, b: number): number {
  return (highProduct(a, b) - (a < 0 ? b : 0) - (b < 0 ? a : 0)) | 0;
}

const mul: Call = (core, _, a, _b, _k, width) => {
  if (width === 8) {
    const product = core.byte(0) * a;
    core.halves[ax] = product;
    setFlags(core, product > 0xff, product >> 8, 8);
  } else if (width === 16) {
    const product = core.half(ax) * a;
    core.halves[ax] = product;
    core.halves[dx] = product >>> 16;
    setFlags(core, product > 0xffff, product >>> 16, 16);
  } else {
    const other = core.word(eax);
    core.words[eax] = Math.imul(other, a);
    core.words[edx] = highProduct(other, a);
    setFlags(core, core.word(edx) !== 0, core.word(edx), 32);
  }
  return 0;
};

/**
 * SF, ZF, AF and PF of IMUL are not defined. The 80386 adds (or, for a negative multiplier, subtracts) the multiplicand
 * to the shifted partial product for each bit of the multiplier, four times at least, and leaves the flags of the last.
 */
function setProductFlags(core: Core, multiplier: number, multiplicand: number, width: Width): void {
  if (core.rules.generation < 3) return;
  const size = Math.abs(multiplier) >>> 0;
  const steps = Math.max(31 - Math.clz32(size), 3);
  const low = size & ((1 << steps) - 1);
  let partial: number;
  if (width === 32) {
    const bottom = Math.imul(low, multiplicand);
    const top = signedHighProduct(low, multiplicand);
    const [high, rest] = multiplier < 0 ? [bottom === 0 ? -top : ~top, -bottom | 0] : [top, bottom];
    partial = (rest >>> steps) | (high << (32 - steps));
  } else partial = (multiplier < 0 ? -low * multiplicand : low * multiplicand) >> steps;
  const shift = 32 - width;
  const result = ((multiplier < 0 ? partial - multiplicand : partial + multiplicand) << shift) >> shift;
  core.words[fields.result] = result;
  core.words[fields.auxiliary] = (partial ^ multiplicand ^ result) & flag.auxiliary;
}

/** The REP prefix of an 8086 negates what IMUL and IDIV produce. */
function negates(core: Core, repeat: number): boolean {
  return core.rules.generation === 0 && repeat !== 0;
}

const imulWide: Call = (core, { repeat }, a, _b, _k, width) => {
  const shift = 32 - width;
  const accumulator = (core.word(eax) << shift) >> shift;
  if (width === 8) {
    const product = ((core.byte(0) << 24) >> 24) * ((a << 24) >> 24) * (negates(core, repeat) ? -1 : 1);
    core.halves[ax] = product;
    setFlags(core, (product << 24) >> 24 !== product, product, 8);
  } else if (width === 16) {
    const product = ((core.half(ax) << 16) >> 16) * ((a << 16) >> 16) * (negates(core, repeat) ? -1 : 1);
    core.halves[ax] = product;
    core.halves[dx] = product >> 16;
    setFlags(core, (product << 16) >> 16 !== product, product, 16);
  } else {
    const other = core.word(eax);
    const low = Math.imul(other, a);
    core.words[eax] = low;
    core.words[edx] = signedHighProduct(other, a);
    setFlags(core, core.word(edx) !== low >> 31, low, 32);
  }
  setProductFlags(core, (a << shift) >> shift, accumulator, width);
  return 0;
};

/** `b` is the multiplier. */
function product(core: Core, a: number, b: number, width: Width): number {
  if (width === 32) {
    const low = Math.imul(a, b);
    setFlags(core, signedHighProduct(a, b) !== low >> 31, low, 32);
    setProductFlags(core, b, a, 32);
    return low;
  }
  const [multiplicand, multiplier] = [(a << 16) >> 16, (b << 16) >> 16];
  const value = multiplicand * multiplier;
  setFlags(core, (value << 16) >> 16 !== value, value, 16);
  setProductFlags(core, multiplier, multiplicand, 16);
  return value & 0xffff;
}

const imulTwo: Call = (core, _, a, b, _k, width) => product(core, a, b, width);
const imulThree: Call = (core, _, _a, b, k, width) => product(core, b, k, width);

function store(core: Core, quotient: number, remainder: number, width: Width): number {
  if (width === 8) {
    core.bytes[0] = quotient;
    core.bytes[1] = remainder;
  } else {
    core.halves[ax] = quotient;
    core.halves[dx] = remainder;
  }
  return 0;
}

const div: Call = (core, _, a, _b, _k, width) => {
  if (core.rules.generation === 0) {
    const [high, low] = width === 8 ? [core.byte(1), core.byte(0)] : [core.half(dx), core.half(ax)];
    const { quotient, remainder } = divide8086(core, high, low, a, width);
    return store(core, quotient, remainder, width);
  }
  if (a === 0) core.fault(0);
  if (width === 32) return divWide(core, a);
  const dividend = width === 8 ? core.half(ax) : core.half(dx) * 0x10000 + core.half(ax);
  const quotient = Math.floor(dividend / a);
  if (quotient >= 2 ** width) core.fault(0);
  return store(core, quotient, dividend % a, width);
};

function divWide(core: Core, a: number): number {
  const dividend = (BigInt(core.word(edx) >>> 0) << 32n) | BigInt(core.word(eax) >>> 0);
  const divisor = BigInt(a >>> 0);
  const quotient = dividend / divisor;
  if (quotient > 0xffffffffn) core.fault(0);
  core.words[eax] = Number(BigInt.asIntN(32, quotient));
  core.words[edx] = Number(BigInt.asIntN(32, dividend % divisor));
  return 0;
}

const idiv: Call = (core, { repeat }, a, _b, _k, width) => {
  if (width === 32) return idivWide(core, a);
  const dividend = width === 8 ? (core.half(ax) << 16) >> 16 : (core.half(dx) << 16) | core.half(ax);
  const divisor = (a << (32 - width)) >> (32 - width);
  if (core.rules.generation === 0) {
    const { quotient, remainder } = divideSigned8086(core, dividend, divisor, width, repeat !== 0);
    return store(core, quotient, remainder, width);
  }
  if (a === 0) core.fault(0);
  const quotient = Math.trunc(dividend / divisor);
  const limit = 2 ** (width - 1);
  if (quotient >= limit || quotient < -limit) core.fault(0);
  return store(core, quotient, dividend % divisor, width);
};

function idivWide(core: Core, a: number): number {
  if (a === 0) core.fault(0);
  const dividend = (BigInt(core.word(edx)) << 32n) | BigInt(core.word(eax) >>> 0);
  const quotient = dividend / BigInt(a);
  if (quotient > 0x7fffffffn || quotient < -0x80000000n) core.fault(0);
  core.words[eax] = Number(quotient);
  core.words[edx] = Number(dividend % BigInt(a));
  return 0;
}

const flags = { writes: '', flagsWritten: 'oszapc' } as const;

export const multiplication: Readonly<Record<string, Operation>> = {
  mul: { ...flags, reads: 'a', call: mul },
  'imul E': { ...flags, reads: 'a', call: imulWide },
  'imul G': { ...flags, reads: 'ab', writes: 'a', call: imulTwo },
  'imul GEI': { ...flags, reads: 'bk', writes: 'a', call: imulThree },
  div: { ...flags, reads: 'a', call: div },
  idiv: { ...flags, reads: 'a', call: idiv },
};
