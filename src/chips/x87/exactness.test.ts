import { expect, test } from 'vitest';
import {
  type Class,
  classOf,
  divisionOf,
  type Fraction,
  fractionOf,
  indefinite,
  over,
  plus,
  type Rounded,
  rootOf,
  roundExtended,
  roundTo,
  split,
  times,
  wholeOf,
} from './reference-testing.ts';
import { makeChip, randomFrom, randomReal } from './x87-testing.ts';

const quiet = 1n << 62n;
const infinity = 0x7fff_8000_0000_0000_0000n;
const isNumber = (kind: Class) => kind === 'normal' || kind === 'denormal' || kind === 'zero';
const withSign = (bits: bigint, sign: number) => (bits & ~(1n << 79n)) | (BigInt(sign) << 79n);
const invalid: Rounded = { bits: indefinite, flags: 1, up: 0 };
const plainly = (bits: bigint, flags = 0): Rounded => ({ bits, flags, up: 0 });

/** What comes of operands of which one is no number, by Intel's table; null when both are. */
function nanOf(a: bigint, b: bigint): Rounded | null {
  const kinds = [classOf(a), classOf(b)];
  if (kinds.includes('unsupported')) return invalid;
  const nans = [a, b].filter((each) => classOf(each) === 'nan');
  if (nans.length === 0) return null;
  const signals = nans.some((each) => (each & quiet) === 0n);
  const quietOnes = nans.filter((each) => (each & quiet) !== 0n);
  const among = quietOnes.length > 0 ? quietOnes : nans;
  const largest = among.toSorted((x, y) => {
    const [p, q] = [split(x).significand, split(y).significand];
    return p === q ? split(x).sign - split(y).sign : p > q ? -1 : 1;
  })[0] as bigint;
  return plainly(largest | quiet, signals ? 1 : 0);
}

function denormalFlag(...operands: readonly bigint[]): number {
  return operands.some((each) => classOf(each) === 'denormal') ? 2 : 0;
}

function finish(value: Fraction, precision: number, mode: number, ...operands: readonly bigint[]): Rounded {
  const rounded = roundExtended(value, precision, mode);
  return { ...rounded, flags: rounded.flags | denormalFlag(...operands) };
}

type Reference = (a: bigint, b: bigint, precision: number, mode: number) => Rounded;

const sum =
  (negate: 0 | 1): Reference =>
  (a, second, precision, mode) => {
    const nan = nanOf(a, second);
    if (nan) return nan;
    const b = withSign(second, split(second).sign ^ negate);
    const [kindA, kindB] = [classOf(a), classOf(b)];
    if (kindA === 'infinity' && kindB === 'infinity') return a === b ? plainly(a) : invalid;
    if (kindA === 'infinity') return plainly(a, denormalFlag(b));
    if (kindB === 'infinity') return plainly(b, denormalFlag(a));
    return finish(plus(fractionOf(a), fractionOf(b), mode), precision, mode, a, b);
  };

const product: Reference = (a, b, precision, mode) => {
  const nan = nanOf(a, b);
  if (nan) return nan;
  const kinds = [classOf(a), classOf(b)];
  const sign = split(a).sign ^ split(b).sign;
  if (kinds.includes('infinity')) {
    return kinds.includes('zero') ? invalid : plainly(withSign(infinity, sign), denormalFlag(a, b));
  }
  return finish(times(fractionOf(a), fractionOf(b)), precision, mode, a, b);
};

const quotient: Reference = (a, b, precision, mode) => {
  const nan = nanOf(a, b);
  if (nan) return nan;
  const [kindA, kindB] = [classOf(a), classOf(b)];
  const sign = split(a).sign ^ split(b).sign;
  if (kindA === kindB && (kindA === 'zero' || kindA === 'infinity')) return invalid;
  if (kindB === 'zero' && isNumber(kindA)) return plainly(withSign(infinity, sign), 4);
  if (kindA === 'infinity') return plainly(withSign(infinity, sign), denormalFlag(b));
  if (kindB === 'infinity') return plainly(withSign(0n, sign), denormalFlag(a));
  return finish(over(fractionOf(a), fractionOf(b)), precision, mode, a, b);
};

const root: Reference = (a, _b, precision, mode) => {
  const nan = nanOf(a, 0n);
  if (nan) return nan;
  const kind = classOf(a);
  if (kind === 'zero') return plainly(a);
  if (split(a).sign === 1) return invalid;
  if (kind === 'infinity') return plainly(a);
  return finish(rootOf(fractionOf(a)), precision, mode, a);
};

const whole: Reference = (a, _b, _precision, mode) => {
  const nan = nanOf(a, 0n);
  if (nan) return nan;
  if (!isNumber(classOf(a))) return plainly(a);
  const value = fractionOf(a);
  const rounded = wholeOf(value, mode);
  const { bits } = roundExtended({ sign: value.sign, above: rounded.value, below: 1n }, 64, 0);
  return { bits, flags: (rounded.exact ? 0 : 0x20) | denormalFlag(a), up: rounded.up };
};

const controls = [0x000, 0x200, 0x300].flatMap((precision) =>
  [0, 0x400, 0x800, 0xc00].map((mode) => 0x7f | precision | mode),
);
const precisionOf = (control: number) => ({ 0: 24, 512: 53, 768: 64 })[control & 0x300] as number;

/** Runs an opcode of the top and the register below it on every control word; counts what was compared. */
function check(opcode: number, reference: Reference, seed: number, pairs: number): number {
  const { chip, fill, top } = makeChip();
  const random = randomFrom(seed);
  let compared = 0;
  for (let n = 0; n < pairs; n += 1) {
    const [a, b] = [randomReal(random), randomReal(random)];
    for (const control of controls) {
      chip.control = control;
      fill(a, b);
      chip.execute(opcode);
      const expected = reference(a, b, precisionOf(control), (control >> 10) & 3);
      const actual = { bits: top(), flags: chip.status & 0x7f, up: (chip.status >> 9) & 1 };
      const what = `${a.toString(16)} ${b.toString(16)} control ${control.toString(16)}`;
      if (actual.bits !== expected.bits || actual.flags !== expected.flags || actual.up !== expected.up) {
        expect({ what, ...hex(actual) }).toEqual({ what, ...hex(expected) });
      }
      compared += 1;
    }
  }
  return compared;
}

const hex = ({ bits, flags, up }: Rounded) => ({ bits: bits.toString(16), flags, up });

test.for([
  ['fadd', 0x0c1, sum(0)],
  ['fsub', 0x0e1, sum(1)],
  ['fsubr', 0x0e9, (a, b, ...rest) => sum(1)(b, a, ...rest)],
  ['fmul', 0x0c9, product],
  ['fdiv', 0x0f1, quotient],
  ['fdivr', 0x0f9, (a, b, ...rest) => quotient(b, a, ...rest)],
  ['fsqrt', 0x1fa, root],
  ['frndint', 0x1fc, whole],
] as const satisfies readonly (readonly [string, number, Reference])[])(
  '%s is exact to the last bit and flag, in every mode and precision',
  ([, opcode, reference]) => {
    expect(check(opcode, reference, opcode, 500)).toBe(6000);
  },
);

test.for([
  ['fprem', 0x1f8, false],
  ['fprem1', 0x1f5, true],
] as const)('%s gives exact remainders and the last bits of the quotient', ([, opcode, nearest]) => {
  const { chip, fill, top } = makeChip();
  const random = randomFrom(opcode);
  let complete = 0;
  for (let n = 0; n < 1500; n += 1) {
    const [a, b] = [randomReal(random), randomReal(random)];
    if (!isNumber(classOf(a)) || !isNumber(classOf(b)) || classOf(b) === 'zero') continue;
    fill(a, b);
    let left = 2000;
    do chip.execute(opcode);
    while ((chip.status & 0x400) !== 0 && --left > 0);
    const { quotient: count, rest } = divisionOf(fractionOf(a), fractionOf(b), nearest);
    const sign = rest.above === 0n ? split(a).sign : rest.sign;
    const what = `${a.toString(16)} ${b.toString(16)}`;
    expect(`${what} ${top().toString(16)}`).toBe(
      `${what} ${roundExtended({ ...rest, sign }, 64, 0).bits.toString(16)}`,
    );
    const bits = [0x100, 0x4000, 0x200].map((bit) => ((chip.status & bit) !== 0 ? 1 : 0)).join('');
    expect(bits).toBe((count % 8n).toString(2).padStart(3, '0'));
    complete += 1;
  }
  expect(complete).toBeGreaterThan(1000);
});

const formats = {
  single: { precision: 24, least: -126, most: 127, bits: 32n, exponents: 0xffn },
  double: { precision: 53, least: -1022, most: 1023, bits: 64n, exponents: 0x7ffn },
} as const;

/** What is stored of a number in a smaller format. */
function stored(a: bigint, format: (typeof formats)[keyof typeof formats], mode: number): Rounded {
  const { precision, bits, exponents, least } = format;
  const fraction = BigInt(precision - 1);
  const compose = (sign: number, exponent: bigint, significand: bigint) =>
    (BigInt(sign) << (bits - 1n)) | (exponent << fraction) | (significand & ((1n << fraction) - 1n));
  const { sign, significand } = split(a);
  const kind = classOf(a);
  if (kind === 'unsupported') return plainly(compose(1, exponents, 3n << (fraction - 1n)), 1);
  if (kind === 'nan') {
    const shortened = (significand | quiet) >> BigInt(64 - precision);
    return plainly(compose(sign, exponents, shortened), (significand & quiet) === 0n ? 1 : 0);
  }
  if (kind === 'zero') return plainly(compose(sign, 0n, 0n));
  if (kind === 'infinity') return plainly(compose(sign, exponents, 0n));
  const rounded = roundTo(fractionOf(a), format, mode);
  const { flags, up } = rounded;
  if (rounded.infinite) return { bits: compose(sign, exponents, 0n), flags, up };
  if (rounded.largest) return { bits: compose(sign, exponents - 1n, -1n), flags, up };
  const power = rounded.value.toString(2).length - 1 + rounded.unit;
  const isDenormal = rounded.value === 0n || power < least;
  const normal = rounded.value << (fraction - BigInt(power - rounded.unit));
  return {
    bits: isDenormal ? compose(sign, 0n, rounded.value) : compose(sign, BigInt(power - least + 1), normal),
    flags,
    up,
  };
}

/** A number whose exponent a format can just hold, or just not. */
function near(random: (below: number) => number, reach: number): bigint {
  const bits = randomReal(random);
  if (random(3) === 0 || classOf(bits) !== 'normal') return bits;
  const exponent = BigInt(16383 + (random(2) === 0 ? reach - random(4) : -reach - 60 + random(64)));
  return (bits & ~(0x7fffn << 64n)) | (exponent << 64n);
}

const modes = [0, 1, 2, 3];

test.for([
  ['single', 0x11e, 0x106],
  ['double', 0x51e, 0x506],
] as const)('numbers are stored and loaded exactly as %s', ([name, storeOpcode, loadOpcode]) => {
  const format = formats[name];
  const { chip, fill, top } = makeChip();
  const random = randomFrom(storeOpcode);
  const word = (index: number) => BigInt((chip.operand[index] as number) >>> 0);
  const mask = (1n << format.bits) - 1n;
  for (let n = 0; n < 1200; n += 1) {
    const a = near(random, format.most);
    for (const mode of modes) {
      chip.control = 0x37f | (mode << 10);
      fill(a);
      expect(chip.access(storeOpcode)).toBe(true);
      const bits = ((word(1) << 32n) | word(0)) & mask;
      const expected = stored(a, format, mode);
      const what = `${a.toString(16)} mode ${mode}`;
      const actual = { bits, flags: chip.status & 0x7f, up: (chip.status >> 9) & 1 };
      expect({ what, ...hex(actual) }).toEqual({ what, ...hex(expected) });
      if (split(bits << (80n - format.bits)).exponent === 0x7fffn || classOf(a) === 'unsupported') continue;
      // Loading gives the same number back.
      chip.access(loadOpcode);
      expect(chip.isEmpty(1)).toBe(true);
      const back = top();
      if (classOf(back) !== 'normal') continue;
      chip.control = 0x37f;
      chip.access(storeOpcode);
      expect(((word(1) << 32n) | word(0)) & mask).toBe(bits);
    }
  }
});

test.for([
  [16, 0x71e, 0x706],
  [32, 0x31e, 0x306],
  [64, 0x73e, 0x72e],
] as const)('whole numbers of %i bits', ([bits, storeOpcode, loadOpcode]) => {
  const { chip, fill, top } = makeChip();
  const random = randomFrom(bits);
  const limit = 1n << BigInt(bits - 1);
  for (let n = 0; n < 1500; n += 1) {
    const a = near(random, random(66));
    for (const mode of modes) {
      chip.control = 0x37f | (mode << 10);
      fill(a);
      chip.access(storeOpcode);
      const low = BigInt((chip.operand[0] as number) >>> 0);
      const value = BigInt.asIntN(bits, (BigInt(chip.operand[1] as number) << 32n) | low);
      const rounded = isNumber(classOf(a)) ? wholeOf(fractionOf(a), mode) : null;
      const expected = rounded && (split(a).sign === 1 ? -rounded.value : rounded.value);
      const fits = expected !== null && expected >= -limit && expected < limit;
      expect(value).toBe(fits ? expected : -limit);
      expect(chip.status & 0x7f).toBe(fits ? (rounded?.exact ? 0 : 0x20) : 1);
      chip.access(loadOpcode);
      const magnitude = value < 0n ? -value : value;
      expect(top()).toBe(roundExtended({ sign: value < 0n ? 1 : 0, above: magnitude, below: 1n }, 64, 0).bits);
    }
  }
});

test('decimal digits', () => {
  const { chip, fill, top } = makeChip();
  const random = randomFrom(18);
  const [storeOpcode, loadOpcode] = [0x736, 0x726];
  for (let n = 0; n < 1000; n += 1) {
    const a = near(random, 1 + random(64));
    chip.control = 0x37f | (random(4) << 10);
    fill(a);
    chip.access(storeOpcode);
    const [low, middle, head] = [...chip.operand].map((word) => (word >>> 0).toString(16).padStart(8, '0'));
    const digits = `${head?.slice(4)}${middle}${low}`;
    const rounded = isNumber(classOf(a)) ? wholeOf(fractionOf(a), (chip.control >> 10) & 3) : null;
    if (!rounded || rounded.value >= 10n ** 18n) {
      expect(digits).toBe('ffffc000000000000000');
      expect(chip.status & 0x7f).toBe(1);
      continue;
    }
    expect(digits).toBe((split(a).sign === 1 ? '80' : '00') + rounded.value.toString().padStart(18, '0'));
    chip.access(loadOpcode);
    expect(top()).toBe(roundExtended({ sign: split(a).sign, above: rounded.value, below: 1n }, 64, 0).bits);
  }
});

test('comparisons and classes', () => {
  const { chip, fill } = makeChip();
  const random = randomFrom(77);
  const conditions = (status: number) => [0x4000, 0x400, 0x100].map((bit) => ((status & bit) !== 0 ? 1 : 0)).join('');
  const classes: Record<Class, string> = {
    unsupported: '000',
    nan: '001',
    normal: '010',
    infinity: '011',
    zero: '100',
    denormal: '110',
  };
  const worth = (bits: bigint) => {
    const { sign, above, below } = fractionOf(bits);
    const huge = 1n << 20000n;
    const magnitude = classOf(bits) === 'infinity' ? huge : above;
    return { above: sign === 1 ? -magnitude : magnitude, below: classOf(bits) === 'infinity' ? 1n : below };
  };
  for (let n = 0; n < 4000; n += 1) {
    const a = randomReal(random);
    const b = random(5) === 0 ? a ^ (BigInt(random(2)) << 79n) : randomReal(random);
    const nan = nanOf(a, b);
    const [p, q] = [worth(a), worth(b)];
    const difference = p.above * q.below - q.above * p.below;
    const expected = nan ? '111' : difference > 0n ? '000' : difference < 0n ? '001' : '100';
    const denormal = nan ? 0 : denormalFlag(a, b);
    fill(a, b);
    chip.execute(0x0d1);
    expect(conditions(chip.status)).toBe(expected);
    expect(chip.status & 0x7f).toBe(nan ? 1 : denormal);
    fill(a, b);
    chip.execute(0x5e1);
    expect(conditions(chip.status)).toBe(expected);
    expect(chip.status & 0x7f).toBe(nan ? nan.flags : denormal);
    chip.execute(0x1e5);
    expect(conditions(chip.status)).toBe(classes[classOf(a)]);
    expect((chip.status >> 9) & 1).toBe(split(a).sign);
  }
});

test('scaling and splitting', () => {
  const { chip, fill, top } = makeChip();
  const random = randomFrom(99);
  for (let n = 0; n < 1500; n += 1) {
    const a = randomReal(random);
    if (!isNumber(classOf(a)) || classOf(a) === 'zero') continue;
    const by = random(3) === 0 ? random(60_000) - 30_000 : random(200) - 100;
    const count = { sign: by < 0 ? 1 : 0, above: BigInt(Math.abs(by)) * 4n + 3n, below: 4n } as const;
    const control = 0x37f | (random(4) << 10);
    chip.control = control;
    fill(a, roundExtended(count, 64, 0).bits);
    chip.execute(0x1fd);
    const { sign, above, below } = fractionOf(a);
    const scaled = by >= 0 ? { sign, above: above << BigInt(by), below } : { sign, above, below: below << BigInt(-by) };
    const expected = roundExtended(scaled, 64, (control >> 10) & 3);
    expect(top().toString(16)).toBe(expected.bits.toString(16));
    expect(chip.status & 0x7f).toBe(expected.flags | denormalFlag(a));
    fill(a);
    chip.execute(0x1f4);
    const power = fractionOf(top(1));
    const exponent = power.above / power.below;
    const significand = fractionOf(top(0));
    expect(significand.above >= significand.below && significand.above < 2n * significand.below).toBe(true);
    const shift = power.sign === 1 ? { above: 1n, below: 1n << exponent } : { above: 1n << exponent, below: 1n };
    expect(roundExtended(times(significand, { sign: 0, ...shift }), 64, 0).bits).toBe(
      roundExtended(fractionOf(a), 64, 0).bits,
    );
  }
});
