import { expect, test } from 'vitest';
import { angleOf, binaryLog, circle, circleHalf, powerMinusOne } from './functions-testing.ts';
import { type Fraction, fractionOf, over, plus, roundExtended, times } from './reference-testing.ts';
import { makeChip, randomFrom } from './x87-testing.ts';

const one: Fraction = { sign: 0, above: 1n, below: 1n };
/** Pi as the chip has it, with 66 bits. */
const chipPi: Fraction = { sign: 0, above: 0xc90fdaa22168c234cn, below: 1n << 66n };

/** A number with an exponent in a range, its sign given or by chance. */
function number(random: (below: number) => number, least: number, most: number, sign = random(2)): bigint {
  const word = () => BigInt(random(0x10000)) | (BigInt(random(0x10000)) << 16n);
  const significand = (1n << 63n) | (word() << 31n) | word();
  return (BigInt((sign << 15) | (16383 + least + random(most - least + 1))) << 64n) | significand;
}

/** Runs an opcode on operands in every rounding mode, against what the reference makes of them. */
function check(
  opcode: number,
  operands: (random: (below: number) => number) => readonly bigint[],
  reference: (...operands: readonly Fraction[]) => Fraction,
  count: number,
): void {
  const { chip, fill, top } = makeChip();
  const random = randomFrom(opcode);
  for (let n = 0; n < count; n += 1) {
    const given = operands(random);
    const exact = reference(...given.map(fractionOf));
    for (const mode of [0, 1, 2, 3]) {
      chip.control = 0x37f | (mode << 10);
      fill(...given);
      chip.execute(opcode);
      const what = `${given.map((each) => each.toString(16)).join(' ')} mode ${mode}: `;
      expect(what + top().toString(16)).toBe(what + roundExtended(exact, 64, mode).bits.toString(16));
      expect(chip.status & 0x7f).toBe(0x20);
    }
  }
}

test('F2XM1', () => {
  check(
    0x1f0,
    (random) => [number(random, -70, -1)],
    (x) => powerMinusOne(x as Fraction),
    40,
  );
});

test('FYL2X, near 1 too', () => {
  const reference = (x?: Fraction, y?: Fraction) => times(y as Fraction, binaryLog(x as Fraction));
  check(0x1f1, (random) => [number(random, -40, 40, 0), number(random, -100, 100)], reference, 60);
  const near = (random: (below: number) => number) =>
    random(2) === 0
      ? (0x3fffn << 64n) | (1n << 63n) | (BigInt(1 + random(0x7fffffff)) << BigInt(random(32)))
      : (0x3ffen << 64n) | ((1n << 64n) - BigInt(1 + random(0x7fffffff)));
  check(0x1f1, (random) => [near(random), number(random, -3, 3)], reference, 60);
});

test('FYL2XP1', () => {
  const reference = (x?: Fraction, y?: Fraction) => times(y as Fraction, binaryLog(plus(one, x as Fraction, 0)));
  check(0x1f9, (random) => [number(random, -110, -3), number(random, -10, 10)], reference, 80);
});

/** An angle as the chip takes it: pi is a little less than pi. */
function reduced(x: Fraction): Fraction {
  const quarter = over(chipPi, { sign: 0, above: 2n, below: 1n });
  const { above, below } = over(x, quarter);
  const turns = (2n * above + below) / (2n * below);
  const rest = plus({ ...x, sign: 0 }, times({ sign: 1, above: turns, below: 1n }, quarter), 0);
  // What the quarters took away comes back as true quarters.
  const pi = circleHalf();
  return plus(rest, over(times({ sign: 0, above: turns % 4n, below: 1n }, pi), { sign: 0, above: 2n, below: 1n }), 0);
}

test('FSIN, FCOS and FSINCOS, with large angles too', () => {
  const angles = (random: (below: number) => number) => [number(random, -33, random(3) === 0 ? 62 : 3)];
  const signed = (value: Fraction, { sign }: Fraction) => ({ ...value, sign: (value.sign ^ sign) as 0 | 1 });
  const sine = (x?: Fraction) => signed(circle(reduced(x as Fraction)).sine, x as Fraction);
  const cosine = (x?: Fraction) => circle(reduced(x as Fraction)).cosine;
  check(0x1fe, angles, sine, 60);
  check(0x1ff, angles, cosine, 60);
  check(0x1fb, angles, cosine, 20);
});

test('FPTAN leaves the tangent below a 1', () => {
  const { chip, fill, top } = makeChip();
  const random = randomFrom(5);
  for (let n = 0; n < 60; n += 1) {
    const x = number(random, -33, 5);
    const { sine, cosine } = circle(reduced(fractionOf(x)));
    const tangent = over(sine, cosine);
    fill(x);
    chip.execute(0x1f2);
    expect(top(0)).toBe(0x3fff_8000_0000_0000_0000n);
    const sign = (tangent.sign ^ fractionOf(x).sign) as 0 | 1;
    expect(top(1).toString(16)).toBe(roundExtended({ ...tangent, sign }, 64, 0).bits.toString(16));
  }
});

test('FPATAN in all quadrants', () => {
  const pi = circleHalf();
  const reference = (x?: Fraction, y?: Fraction): Fraction => {
    const [a, b] = [x as Fraction, y as Fraction];
    const angle = { ...angleOf(over({ ...b, sign: 0 }, { ...a, sign: 0 })), sign: 0 as const };
    const turned = a.sign === 0 ? angle : plus(pi, { ...angle, sign: 1 }, 0);
    return { ...turned, sign: b.sign };
  };
  check(0x1f3, (random) => [number(random, -40, 40), number(random, -40, 40)], reference, 80);
});

test('tiny numbers are hardly changed, in the right direction', () => {
  const { chip, fill, top } = makeChip();
  const x = 0x3f00_9234_5678_9abc_def1n;
  const run = (opcode: number, mode: number) => {
    chip.control = 0x37f | (mode << 10);
    fill(x);
    chip.execute(opcode);
    return top(0);
  };
  expect([0, 1, 2, 3].map((mode) => run(0x1fe, mode) - x)).toEqual([0n, -1n, 0n, -1n]);
  const atOne = [0, 1, 2, 3].map((mode) => run(0x1ff, mode).toString(16));
  const below = '3ffeffffffffffffffff';
  expect(atOne).toEqual(['3fff8000000000000000', below, '3fff8000000000000000', below]);
});

test('functions at their ends', () => {
  const { chip, fill, top } = makeChip();
  const run = (opcode: number, ...operands: readonly bigint[]) => {
    fill(...operands);
    chip.execute(opcode);
    return `${top().toString(16).padStart(20, '0')} ${(chip.status & 0x47f).toString(16)}`;
  };
  const [zero, plusOne, minusOne] = [0n, 0x3fff_8000_0000_0000_0000n, 0xbfff_8000_0000_0000_0000n];
  const infinity = 0x7fff_8000_0000_0000_0000n;
  const minusInfinity = infinity | (1n << 79n);
  expect(run(0x1f0, plusOne)).toBe('3fff8000000000000000 0');
  expect(run(0x1f0, minusOne)).toBe('bffe8000000000000000 0');
  // log2(8) * 1, log2(0) * 1, log2(-1), log2(1) * -1, log2(0) * 0
  expect(run(0x1f1, 0x4002_8000_0000_0000_0000n, plusOne)).toBe('4000c000000000000000 0');
  expect(run(0x1f1, zero, plusOne)).toBe('ffff8000000000000000 4');
  expect(run(0x1f1, minusOne, plusOne)).toBe('ffffc000000000000000 1');
  expect(run(0x1f1, plusOne, minusOne)).toBe('80000000000000000000 0');
  expect(run(0x1f1, zero, zero)).toBe('ffffc000000000000000 1');
  expect(run(0x1f1, infinity, minusOne)).toBe('ffff8000000000000000 0');
  // Angles: (0, 1), (-1, 0), (1, -0), (-inf, inf), (-0, 0)
  expect(run(0x1f3, zero, plusOne)).toBe('3fffc90fdaa22168c235 20');
  expect(run(0x1f3, minusOne, zero)).toBe('4000c90fdaa22168c235 20');
  expect(run(0x1f3, plusOne, 1n << 79n)).toBe('80000000000000000000 0');
  expect(run(0x1f3, minusInfinity, infinity)).toBe('400096cbe3f9990e91a8 20');
  // Too large an angle; infinity.
  expect(run(0x1fe, 0x403e_8000_0000_0000_0000n)).toBe('403e8000000000000000 400');
  expect(run(0x1ff, infinity)).toBe('ffffc000000000000000 1');
  expect(run(0x1fe, 1n << 79n)).toBe('80000000000000000000 0');
});
