import type { Core } from '../core.ts';
import { flag } from '../flags.ts';
import type { Width } from '../instruction.ts';
import { fields } from '../registers.ts';
import type { Call, Operation } from './operation.ts';

function bit(value: number, index: number): number {
  return (value >>> index) & 1;
}

function signed(value: number, width: Width): number {
  return (value << (32 - width)) >> (32 - width);
}

function unsigned(value: number, width: Width): number {
  return width === 32 ? value : value & (width === 16 ? 0xffff : 0xff);
}

/** The 8086 counts as far as it is told; later models take five bits. */
function counted(core: Core, count: number): number {
  return core.rules.generation === 0 ? count : count & 31;
}

function setCarry(core: Core, carry: number, overflow: number): void {
  core.words[fields.carry] = carry;
  core.words[fields.overflow] = overflow << 31;
}

/** AF is not defined after a shift; the 80386 sets it. */
function setResult(core: Core, result: number, width: Width): void {
  core.words[fields.result] = signed(result, width);
  core.words[fields.auxiliary] = core.rules.generation >= 3 ? flag.auxiliary : 0;
}

/** How far the 80386 looks for the carry of a byte: multiples of 8 all look like 8. */
function carryCount(count: number, width: Width): number {
  return width === 8 && count > 8 && count % 8 === 0 ? 8 : count;
}

/** OF of everything that moves left is top bit ^ carry, to the right top bit ^ the bit below: as after the last step. */
function left(core: Core, result: number, carry: number, width: Width): number {
  setCarry(core, carry, bit(result, width - 1) ^ carry);
  return unsigned(result, width);
}

function right(core: Core, result: number, carry: number, width: Width): number {
  setCarry(core, carry, bit(result, width - 1) ^ bit(result, width - 2));
  return unsigned(result, width);
}

const rol: Call = (core, _, a, b, _k, width) => {
  const count = counted(core, b);
  if (count === 0) return a;
  const n = count % width;
  const value = n === 0 ? a : (a << n) | (unsigned(a, width) >>> (width - n));
  return left(core, value, value & 1, width);
};

const ror: Call = (core, _, a, b, _k, width) => {
  const count = counted(core, b);
  if (count === 0) return a;
  const n = count % width;
  const value = n === 0 ? a : (a >>> n) | (a << (width - n));
  return right(core, value, bit(value, width - 1), width);
};

const rcl: Call = (core, _, a, b, _k, width) => {
  const count = counted(core, b);
  if (count === 0) return a;
  let carry = core.word(fields.carry);
  let value = a;
  for (let n = count % (width + 1); n > 0; n -= 1) {
    const out = bit(value, width - 1);
    value = unsigned((value << 1) | carry, width);
    carry = out;
  }
  return left(core, value, carry, width);
};

const rcr: Call = (core, _, a, b, _k, width) => {
  const count = counted(core, b);
  if (count === 0) return a;
  let carry = core.word(fields.carry);
  let value = a;
  for (let n = count % (width + 1); n > 0; n -= 1) {
    const out = value & 1;
    value = (value >>> 1) | (carry << (width - 1));
    carry = out;
  }
  return right(core, value, carry, width);
};

const shl: Call = (core, _, a, b, _k, width) => {
  const count = counted(core, b);
  if (count === 0) return a;
  const value = count >= width ? 0 : a << count;
  const last = core.rules.generation === 0 ? count : carryCount(count, width);
  const carry = last > width ? 0 : bit(a, width - last);
  setResult(core, value, width);
  return left(core, value, carry, width);
};

const shr: Call = (core, _, a, b, _k, width) => {
  const count = counted(core, b);
  if (count === 0) return a;
  const value = count >= width ? 0 : a >>> count;
  const last = core.rules.generation === 0 ? count : carryCount(count, width);
  const carry = last > width ? 0 : bit(a, last - 1);
  setResult(core, value, width);
  return right(core, value, carry, width);
};

const sar: Call = (core, _, a, b, _k, width) => {
  const count = counted(core, b);
  if (count === 0) return a;
  const wide = signed(a, width);
  const value = wide >> Math.min(count, 31);
  const carry = bit(wide >> Math.min(count - 1, 31), 0);
  setResult(core, value, width);
  return right(core, value, carry, width);
};

/** Undocumented on the 8086: all bits set, unless it is told to do so zero times. */
const setmo: Call = (core, _, a, b, _k, width) => {
  if (b === 0) return a;
  setResult(core, -1, width);
  setCarry(core, 0, 0);
  return unsigned(-1, width);
};

const shld: Call = (core, _, a, b, k, width) => {
  const count = k & 31;
  if (count === 0) return a;
  const { value, carry } = width === 32 ? shldWide(a, b, count) : shldNarrow(a, b, count);
  setResult(core, value, width);
  return left(core, value, carry, width);
};

function shldWide(a: number, b: number, count: number): { value: number; carry: number } {
  return { value: (a << count) | (b >>> (32 - count)), carry: bit(a, 32 - count) };
}

/** Beyond 16 bits the source comes in once more. */
function shldNarrow(a: number, b: number, count: number): { value: number; carry: number } {
  const pair = (a << 16) | b;
  if (count <= 16) return { value: (count === 16 ? b : pair >>> (16 - count)) & 0xffff, carry: bit(pair, 32 - count) };
  return { value: ((b << (count - 16)) | (b >>> (32 - count))) & 0xffff, carry: bit(pair, 32 - count) };
}

const shrd: Call = (core, _, a, b, k, width) => {
  const count = k & 31;
  if (count === 0) return a;
  const { value, carry } = width === 32 ? shrdWide(a, b, count) : shrdNarrow(a, b, count);
  setResult(core, value, width);
  return right(core, value, carry, width);
};

function shrdWide(a: number, b: number, count: number): { value: number; carry: number } {
  return { value: (a >>> count) | (b << (32 - count)), carry: bit(a, count - 1) };
}

function shrdNarrow(a: number, b: number, count: number): { value: number; carry: number } {
  const pair = (b << 16) | a;
  if (count <= 16) return { value: (pair >>> count) & 0xffff, carry: bit(pair, count - 1) };
  return { value: ((pair >>> count) | (b << (32 - count))) & 0xffff, carry: bit(pair, count - 1) };
}

/** By one, the commonest count, as templates. */
function byOne(text: (shift: number, width: Width) => string, shifts: boolean): Operation {
  return {
    reads: 'ab',
    writes: 'a',
    flagsRead: 'c',
    flagsWritten: shifts ? 'oszapc' : 'oc',
    code: ({ width, generation }) => {
      const shift = 32 - width;
      const result = shifts ? `fx = ${generation >= 3 ? flag.auxiliary : 0}; fr = (r << ${shift}) >> ${shift};` : '';
      return `${text(shift, width)} ${result}`;
    },
  };
}

const shlOne = byOne((shift, w) => `fc = (a >>> ${w - 1}) & 1; r = a << 1; fo = (a ^ r) << ${shift};`, true);
const one: Readonly<Record<string, Operation>> = {
  'shl E1': shlOne,
  'sal E1': shlOne,
  'shr E1': byOne((shift) => `fc = a & 1; r = a >>> 1; fo = a << ${shift};`, true),
  'sar E1': byOne((shift) => `fc = a & 1; r = ((a << ${shift}) >> ${shift}) >> 1; fo = 0;`, true),
  'rol E1': byOne((shift, w) => `fc = (a >>> ${w - 1}) & 1; r = (a << 1) | fc; fo = (a ^ r) << ${shift};`, false),
  'ror E1': byOne(
    (shift, w) => `fc = a & 1; r = (a >>> 1) | (fc << ${w - 1}); fo = (r ^ (r << 1)) << ${shift};`,
    false,
  ),
  'rcl E1': byOne(
    (shift, w) => `t = (a >>> ${w - 1}) & 1; r = (a << 1) | fc; fc = t; fo = (a ^ r) << ${shift};`,
    false,
  ),
  'rcr E1': byOne(
    (shift, w) => `t = a & 1; r = (a >>> 1) | (fc << ${w - 1}); fc = t; fo = (r ^ (r << 1)) << ${shift};`,
    false,
  ),
};

const rotates = { reads: 'ab', writes: 'a', flagsRead: 'oszapc', flagsWritten: 'oszapc' } as const;

export const shifts: Readonly<Record<string, Operation>> = {
  ...one,
  rol: { ...rotates, call: rol },
  ror: { ...rotates, call: ror },
  rcl: { ...rotates, call: rcl },
  rcr: { ...rotates, call: rcr },
  shl: { ...rotates, call: shl },
  shr: { ...rotates, call: shr },
  sal: { ...rotates, call: shl },
  sar: { ...rotates, call: sar },
  setmo: { ...rotates, call: setmo },
  shld: { ...rotates, reads: 'abk', call: shld },
  shrd: { ...rotates, reads: 'abk', call: shrd },
};
