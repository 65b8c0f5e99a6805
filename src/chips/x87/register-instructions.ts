import { compute, conditions, finishComparison, type RegisterAction, unordered } from './actions.ts';
import { compare, examine } from './compare.ts';
import { type Constant, constants, setConstant } from './constants.ts';
import { roundToInteger } from './integer.ts';
import { multiplyByLog, multiplyByLogPlusOne, powerMinusOne } from './logarithms.ts';
import { bias, integerBit, kind, kindOf, Real, setZero } from './real.ts';
import { remainder } from './remainder.ts';
import { extract, scale } from './scale.ts';
import { squareRoot } from './square-root.ts';
import { angleOf, cosine, sine, tangent } from './trigonometry.ts';
import type { Work } from './work.ts';
import type { X87 } from './x87.ts';

/** By escape (three bits) and the lower six bits of the second byte. */
export const registerActions: (RegisterAction | undefined)[] = [];

/** The top by register `index`, to one of them. */
function arithmetic(code: number, toTop: boolean, pops: boolean): RegisterAction {
  return (chip, index) => {
    const { work } = chip;
    if (chip.beginWith(index)) compute(work, code);
    else chip.stackFault(0);
    if (!chip.settle()) return;
    chip.put(toTop ? 0 : index, work.result);
    if (pops) chip.pop();
  };
}

function comparison(pops: 0 | 1 | 2, quiet = false): RegisterAction {
  return (chip, index) => {
    if (chip.beginWith(index)) conditions(chip, compare(chip.work, quiet));
    else unordered(chip);
    finishComparison(chip, pops);
  };
}

/** The top becomes what is made of it. */
function unary(make: (work: Work) => void): RegisterAction {
  return (chip) => {
    const work = chip.begin();
    if (chip.isEmpty(0)) chip.stackFault(0);
    else {
      chip.fetch(0, work.a);
      make(work);
    }
    if (chip.settle()) chip.put(0, work.result);
  };
}

/** The sign alone changes, whatever the register holds. */
function resigned(change: (sign: number) => number): RegisterAction {
  return (chip) => {
    const { result } = chip.begin();
    if (chip.isEmpty(0)) chip.stackFault(0);
    else {
      chip.read(0, result);
      result.sign = change(result.sign);
    }
    if (chip.settle()) chip.put(0, result);
  };
}

/** The top and the register below it make the new top, in place of the lower one when the stack is popped. */
function binary(make: (work: Work) => unknown, pops: boolean): RegisterAction {
  return (chip) => {
    const work = chip.begin();
    let codes: unknown;
    if (chip.isEmpty(0) || chip.isEmpty(1)) chip.stackFault(0);
    else {
      chip.fetch(0, work.a);
      chip.fetch(1, work.b);
      codes = make(work);
    }
    if (!chip.settle()) return;
    if (typeof codes === 'number') conditions(chip, codes);
    chip.put(pops ? 1 : 0, work.result);
    if (pops) chip.pop();
  };
}

const second = new Real();

/** The top is replaced, and something is put above it. */
function splitting(make: (work: Work, above: Real) => boolean): RegisterAction {
  return (chip) => {
    const work = chip.begin();
    const { result } = work;
    let done = true;
    if (chip.isEmpty(0)) chip.stackFault(0);
    else if (!chip.isEmpty(7)) chip.stackFault(1);
    else {
      chip.fetch(0, work.a);
      done = make(work, second);
      setC2(chip, !done);
    }
    if (kindOf(result) === kind.nan) second.copy(result);
    if (!chip.settle() || !done) return;
    chip.put(0, result);
    chip.rotate(-1);
    chip.put(0, second);
  };
}

function setC2(chip: X87, on: boolean): void {
  chip.status = (chip.status & ~0x400) | (on ? 0x400 : 0);
}

/** FSIN and FCOS: too large an angle stays as it is. */
function angular(make: (work: Work) => boolean): RegisterAction {
  return (chip) => {
    const work = chip.begin();
    let done = true;
    if (chip.isEmpty(0)) chip.stackFault(0);
    else {
      chip.fetch(0, work.a);
      done = make(work);
      setC2(chip, !done);
    }
    if (chip.settle() && done) chip.put(0, work.result);
  };
}

const load: RegisterAction = (chip, index) => {
  const { result } = chip.begin();
  if (chip.isEmpty(index)) chip.stackFault(0);
  else chip.read(index, result);
  chip.push();
};

function store(pops: boolean): RegisterAction {
  return (chip, index) => {
    const { result } = chip.begin();
    if (chip.isEmpty(0)) chip.stackFault(0);
    else chip.read(0, result);
    if (!chip.settle()) return;
    chip.put(index, result);
    if (pops) chip.pop();
  };
}

const exchange: RegisterAction = (chip, index) => {
  if (chip.exchange(index)) return;
  const { a, b, result } = chip.begin();
  const missing = [0, index].filter((each) => chip.isEmpty(each));
  if (missing.length > 0) chip.stackFault(0);
  if (!chip.settle()) return;
  for (const each of missing) chip.put(each, result);
  chip.read(0, a);
  chip.read(index, b);
  chip.put(0, b);
  chip.put(index, a);
};

function pushConstant(constant: Constant | null): RegisterAction {
  return (chip) => {
    const work = chip.begin();
    if (constant) setConstant(work, constant);
    else setZero(work.result, 0);
    chip.push();
  };
}

function turning(by: 1 | -1): RegisterAction {
  return (chip) => {
    chip.begin();
    chip.settle();
    chip.rotate(by);
  };
}

const test: RegisterAction = (chip) => {
  const work = chip.begin();
  if (chip.isEmpty(0)) unordered(chip);
  else {
    chip.fetch(0, work.a);
    setZero(work.b, 0);
    conditions(chip, compare(work, false));
  }
  chip.settle();
};

function at(first: number, action: RegisterAction, count = 1): void {
  const index = ((first >> 2) & 0x1c0) | (first & 0x3f);
  registerActions.fill(action, index, index + count);
}

registerActions.length = 512;
for (const code of [0, 1, 4, 5, 6, 7]) {
  at(0x0c0 + code * 8, arithmetic(code, true, false), 8);
  at(0x4c0 + code * 8, arithmetic(code, false, false), 8);
  at(0x6c0 + code * 8, arithmetic(code, false, true), 8);
}
for (const esc of [0x000, 0x400]) {
  at(esc + 0xd0, comparison(0), 8);
  at(esc + 0xd8, comparison(1), 8);
}
at(0x6d0, comparison(1), 8);
at(0x6d9, comparison(2));
at(0x5e0, comparison(0, true), 8);
at(0x5e8, comparison(1, true), 8);
at(0x2e9, comparison(2, true));
at(0x1c0, load, 8);
for (const place of [0x1c8, 0x5c8, 0x7c8]) at(place, exchange, 8);
for (const place of [0x1d8, 0x5d8, 0x7d0, 0x7d8]) at(place, store(true), 8);
at(0x5d0, store(false), 8);
at(0x5c0, (chip, index) => chip.free(index), 8);
at(
  0x7c0,
  (chip, index) => {
    chip.free(index);
    chip.rotate(1);
  },
  8,
);
at(
  0x1e0,
  resigned((sign) => sign ^ 1),
);
at(
  0x1e1,
  resigned(() => 0),
);
at(0x1e4, test);
at(0x1e5, (chip) => conditions(chip, examine(chip.read(0, chip.work.a), chip.isEmpty(0))));
[constants.one, constants.log2of10, constants.log2ofE, constants.pi, constants.log10of2, constants.lnOf2, null].forEach(
  (constant, index) => {
    at(0x1e8 + index, pushConstant(constant));
  },
);
at(0x1f0, unary(powerMinusOne));
at(0x1f1, binary(multiplyByLog, true));
at(
  0x1f2,
  splitting((work, above) => {
    above.set(0, bias, integerBit, 0);
    return tangent(work);
  }),
);
at(0x1f3, binary(angleOf, true));
at(
  0x1f4,
  splitting((work, above) => {
    extract(work);
    above.copy(work.a);
    return true;
  }),
);
at(
  0x1f5,
  binary((work) => remainder(work, true), false),
);
at(0x1f6, turning(-1));
at(0x1f7, turning(1));
at(
  0x1f8,
  binary((work) => remainder(work, false), false),
);
at(0x1f9, binary(multiplyByLogPlusOne, true));
at(0x1fa, unary(squareRoot));
at(
  0x1fb,
  splitting((work, above) => {
    // The sine is the one that stays below: computed last, from the operand as it was.
    const { sign, exponent, high, low } = work.a;
    if (!cosine(work)) return false;
    above.copy(work.result);
    work.a.set(sign, exponent, high, low);
    return sine(work);
  }),
);
at(0x1fc, unary(roundToInteger));
at(0x1fd, binary(scale, false));
at(0x1fe, angular(sine));
at(0x1ff, angular(cosine));
at(0x3e0, (chip) => {
  chip.interruptsOff = false;
});
at(0x3e1, (chip) => {
  chip.interruptsOff = true;
});
at(0x3e2, (chip) => {
  chip.status &= ~0x80ff;
});
at(0x3e3, (chip) => chip.initialise());
at(0x3e4, (chip) => chip.enterProtectedMode());
