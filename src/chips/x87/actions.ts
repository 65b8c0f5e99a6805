import { add } from './add.ts';
import { order, setConditions } from './compare.ts';
import { divide } from './divide.ts';
import { multiply } from './multiply.ts';
import type { Work } from './work.ts';
import type { X87 } from './x87.ts';

/** An instruction on registers, with the number in its last three bits. */
export type RegisterAction = (chip: X87, index: number) => void;
/** An instruction on memory: true when its operand is to be stored. */
export type MemoryAction = (chip: X87) => boolean;

/** `a` by `b` as the three bits of an arithmetic opcode say: 0 add, 1 multiply, 4 subtract, 6 divide; 5, 7 the other way. */
export function compute(work: Work, code: number): void {
  if (code === 5 || code === 7) {
    const { a, b } = work;
    const { sign, exponent, high, low } = a;
    a.copy(b);
    b.set(sign, exponent, high, low);
  }
  if (code === 0) add(work, 0);
  else if (code === 1) multiply(work);
  else if (code <= 5) add(work, 1);
  else divide(work);
}

export function unordered(chip: X87): void {
  chip.stackFault(0);
  conditions(chip, order.unordered);
}

export function conditions(chip: X87, codes: number): void {
  chip.status = setConditions(chip.status, codes);
}

export function finishComparison(chip: X87, pops: number): void {
  if (!chip.settle()) return;
  for (let left = pops; left > 0; left -= 1) chip.pop();
}
