import { describe, expect, test } from 'vitest';
import { fields } from './fields.ts';
import { approximate, Real } from './real.ts';
import { makeChip, randomFrom } from './x87-testing.ts';

const one = 0x3fff_8000_0000_0000_0000n;
const two = 0x4000_8000_0000_0000_0000n;
const infinity = 0x7fff_8000_0000_0000_0000n;
const negative = 1n << 79n;
const indefinite = 0xffff_c000_0000_0000_0000n;
const largest = 0x7ffe_ffff_ffff_ffff_ffffn;
const smallest = 0x0001_8000_0000_0000_0000n;

const op = {
  fadd: 0x0c1,
  fmul: 0x0c9,
  fdiv: 0x0f1,
  fsub: 0x0e1,
  fcompp: 0x6d9,
  fchs: 0x1e0,
  fld0: 0x1c0,
  fsqrt: 0x1fa,
};

describe('constants', () => {
  // 80387 Programmer's Reference Manual; pi to 64 bits is 3.14159265358979323851.
  const patterns = [
    [0x1e8, '3fff8000000000000000', '3fff8000000000000000'],
    [0x1e9, '4000d49a784bcd1b8afe', '4000d49a784bcd1b8aff'],
    [0x1ea, '3fffb8aa3b295c17f0bc', '3fffb8aa3b295c17f0bc'],
    [0x1eb, '4000c90fdaa22168c235', '4000c90fdaa22168c235'],
    [0x1ec, '3ffd9a209a84fbcff799', '3ffd9a209a84fbcff799'],
    [0x1ed, '3ffeb17217f7d1cf79ac', '3ffeb17217f7d1cf79ac'],
    [0x1ee, '0', '0'],
  ] as const;

  test.for(patterns)('%x', ([opcode, nearest, up]) => {
    const { chip, top } = makeChip();
    chip.execute(opcode);
    expect(top().toString(16)).toBe(nearest);
    expect(chip.status & 0x7f).toBe(0);
    chip.control = 0xb7f;
    chip.execute(opcode);
    expect(top().toString(16)).toBe(up);
    chip.control = 0xf7f;
    chip.execute(opcode);
    const isCut = ['3fff8000000000000000', '0', '4000d49a784bcd1b8afe'].includes(nearest);
    expect(top()).toBe(BigInt(`0x${nearest}`) - (isCut ? 0n : 1n));
  });

  test('older chips do not ask how to round them', () => {
    const { chip, top } = makeChip('80287');
    chip.control = 0xf7f;
    chip.execute(0x1eb);
    expect(top().toString(16)).toBe('4000c90fdaa22168c235');
  });
});

test('the state after FNINIT tells the models apart', () => {
  expect(makeChip('8087').chip.control).toBe(0x3ff);
  expect(makeChip('80287').chip.control).toBe(0x37f);
  expect(makeChip('80387').chip.control).toBe(0x37f);
  const { chip } = makeChip();
  expect([chip.status, chip.tags]).toEqual([0, 0xffff]);
});

describe('infinity', () => {
  test.for([
    ['8087', true],
    ['80287', true],
    ['80387', false],
  ] as const)('of the %s has one sign: %s', ([model, isOne]) => {
    const { chip } = makeChip(model);
    // fld1; fldz; fdivp; fld st0; fchs; fcompp
    for (const opcode of [0x1e8, 0x1ee, 0x6f9, op.fld0, op.fchs, op.fcompp]) chip.execute(opcode);
    expect((chip.status & 0x4000) !== 0).toBe(isOne);
    expect(chip.status & 0x7f).toBe(4);
  });

  test('is affine on an 80287 that is told so', () => {
    const { chip, fill, top } = makeChip('80287');
    chip.control = 0x137f;
    fill(infinity, infinity | negative);
    chip.execute(0x0d1);
    expect(chip.status & 0x4500).toBe(0);
    fill(infinity, infinity);
    chip.execute(op.fadd);
    expect(top()).toBe(infinity);
    chip.control = 0x37f;
    chip.execute(op.fadd);
    expect(top()).toBe(indefinite);
  });
});

describe('the stack', () => {
  test('overflows and underflows into NaNs, and says which', () => {
    const { chip, top } = makeChip();
    for (let n = 0; n < 8; n += 1) chip.execute(0x1e8);
    expect(chip.status).toBe(0);
    chip.execute(0x1e8);
    expect(chip.status & 0x3a7f).toBe((7 << 11) | 0x241);
    expect(top()).toBe(indefinite);
    chip.initialise();
    chip.execute(op.fadd);
    expect(chip.status & 0x27f).toBe(0x41);
    expect(top()).toBe(indefinite);
  });

  test('older chips call that invalid only', () => {
    const { chip } = makeChip('80287');
    chip.execute(op.fadd);
    expect(chip.status & 0x7f).toBe(1);
  });

  test('nothing moves when the fault is not masked', () => {
    const { chip, errors } = makeChip();
    chip.control = 0x37e;
    chip.access(0x11e);
    expect(chip.status).toBe(0x80c1);
    expect(chip.tags).toBe(0xffff);
    expect(errors()).toBe(1);
    chip.execute(0x1e8);
    expect([errors(), chip.isEmpty(0)]).toEqual([1, false]);
  });

  test('turns, frees and exchanges', () => {
    const { chip, fill, top } = makeChip();
    fill(one, two, infinity);
    chip.execute(0x1ca);
    expect([top(0), top(2)]).toEqual([infinity, one]);
    chip.execute(0x1f7);
    expect([top(0), top(7)]).toEqual([two, infinity]);
    chip.execute(0x1f6);
    chip.execute(0x5c1);
    expect(chip.tags).toBe(0b11_11_11_11_11_00_11_10);
    chip.execute(0x1c9);
    expect([top(0), top(1), chip.status & 0x7f]).toEqual([indefinite, infinity, 0x41]);
    chip.execute(0x7c0);
    expect(top(0)).toBe(infinity);
  });
});

describe('exceptions that are not masked', () => {
  test('before the operation leave everything as it is', () => {
    const { chip, fill, top, errors } = makeChip();
    chip.control = 0x37f & ~0x07;
    fill(one, 0n);
    chip.execute(op.fdiv);
    expect([top(), chip.status & 0xff]).toEqual([one, 0x84]);
    fill(one | negative);
    chip.execute(op.fsqrt);
    expect([top(), chip.status & 0xff]).toEqual([one | negative, 0x81]);
    fill(1n, one);
    chip.execute(op.fadd);
    expect([top(), chip.status & 0xff]).toEqual([1n, 0x82]);
    expect(errors()).toBe(3);
  });

  test('overflow and underflow leave the result with another exponent', () => {
    const { chip, fill, top } = makeChip();
    chip.control = 0x37f & ~0x18;
    fill(largest, two);
    chip.execute(op.fmul);
    expect([top().toString(16), chip.status & 0xff]).toEqual(['1fffffffffffffffffff', 0x88]);
    fill(smallest, two);
    chip.execute(op.fdiv);
    expect([top().toString(16), chip.status & 0xff]).toEqual(['60008000000000000000', 0x90]);
    fill(largest);
    chip.operand[0] = 0x1234;
    expect(chip.access(0x11e)).toBe(false);
    expect([chip.operand[0], top()]).not.toEqual([0x1234, 0n]);
    expect(chip.isEmpty(0)).toBe(false);
  });

  test('come up when the control word lets them', () => {
    const { chip, fill, errors } = makeChip();
    fill(one, 0n);
    chip.execute(op.fdiv);
    expect([chip.status & 0x80, errors()]).toEqual([0, 0]);
    chip.control = 0x37b;
    expect([chip.status & 0x8080, errors()]).toEqual([0x8080, 1]);
    chip.execute(0x3e2);
    expect(chip.status & 0x80ff).toBe(0);
  });

  test('wait on an 8087 until they are enabled', () => {
    const { chip, fill, errors } = makeChip('8087');
    chip.control = 0x3fb;
    fill(one, 0n);
    chip.execute(op.fdiv);
    expect([chip.status & 0x80ff, errors()]).toEqual([0x84, 0]);
    chip.execute(0x3e0);
    expect([chip.control & 0x80, errors()]).toEqual([0, 1]);
    chip.execute(0x3e1);
    expect(chip.control & 0x80).toBe(0x80);
  });
});

describe('NaNs', () => {
  const [small, large] = [0x7fff_c000_0000_0000_0001n, 0x7fff_c000_0000_0000_0002n];

  test('of two the larger, of equal ones the positive is the result', () => {
    const { chip, fill, top } = makeChip();
    fill(small, large);
    chip.execute(op.fadd);
    expect([top(), chip.status & 0x7f]).toEqual([large, 0]);
    fill(small | negative, small);
    chip.execute(op.fadd);
    expect(top()).toBe(small);
    fill(small, small | negative);
    chip.execute(op.fmul);
    expect(top()).toBe(small);
  });

  test('a quiet one wins over one that signals', () => {
    const { chip, fill, top } = makeChip();
    fill(0x7fff_bfff_0000_0000_0000n, small);
    chip.execute(op.fadd);
    expect([top(), chip.status & 0x7f]).toEqual([small, 1]);
  });

  test('are always invalid on an 80287', () => {
    const { chip, fill, top } = makeChip('80287');
    fill(small, one);
    chip.execute(op.fadd);
    expect([top(), chip.status & 0x7f]).toEqual([small, 1]);
  });

  test('that signal are made quiet by loads', () => {
    const { chip, top } = makeChip();
    chip.operand[0] = 0x7f800001;
    chip.access(0x106);
    expect([top().toString(16), chip.status & 0x7f]).toEqual(['7fffc000010000000000', 1]);
  });
});

test('what a model does not know does nothing', () => {
  for (const opcode of [0x1fe, 0x1ff, 0x1fb, 0x1f5, 0x2e9, 0x5e1]) {
    const { chip, fill, state } = makeChip('80287');
    fill(one, two);
    const before = [...state];
    chip.execute(opcode);
    expect([...state]).toEqual(before);
  }
});

test('unnormal numbers are worth something on an 80287, and nothing on an 80387', () => {
  const half = 0x3fff_4000_0000_0000_0000n;
  for (const [model, result] of [
    ['80287', 0x3ffe_8000_0000_0000_0000n],
    ['80387', indefinite],
  ] as const) {
    const { chip, fill, top } = makeChip(model);
    fill(half, 0n);
    chip.execute(op.fadd);
    expect(top()).toBe(result);
  }
});

test('doubles and singles are loaded as they are', () => {
  const { chip } = makeChip();
  const random = randomFrom(11);
  const real = new Real();
  const [words, doubles, singles] = [chip.operand, new Float64Array(1), new Float32Array(1)];
  for (let n = 0; n < 3000; n += 1) {
    const bits = Int32Array.of(random(0x10000) | (random(0x10000) << 16), random(0x10000) | (random(0x10000) << 16));
    if (n % 7 === 0) bits[1] = (bits[1] as number) & 0x800fffff;
    words.set(bits);
    doubles.set(new Float64Array(bits.buffer));
    singles.set(new Float32Array(bits.buffer, 0, 1));
    chip.initialise();
    chip.access(0x506);
    expect(approximate(chip.read(0, real))).toBe(doubles[0]);
    chip.access(0x106);
    expect(approximate(chip.read(0, real))).toBe(singles[0]);
  }
});

test('everything lies in the state', () => {
  const first = makeChip();
  first.fill(one, two);
  first.chip.remember(0x0c1, 0x1234, 0x5678);
  first.chip.control = 0xc7f;
  const second = makeChip();
  second.state.set(first.state);
  for (const opcode of [op.fdiv, 0x1c1, op.fadd]) {
    first.chip.execute(opcode);
    second.chip.execute(opcode);
  }
  expect([...second.state]).toEqual([...first.state]);
  expect(second.state[fields.instructionSegment]).toBe(0x1234);
});
