import { stateWords } from './fields.ts';
import type { CoprocessorModel } from './models.ts';
import { bitsOf, Real, setBits } from './real.ts';
import { X87 } from './x87.ts';

/** A chip on its own, with registers as 80-bit numbers. */
export interface ChipBench {
  readonly chip: X87;
  readonly state: Int32Array;
  /** How often the error pin has come up. */
  errors(): number;
  /** Fills the stack, the top first. */
  fill(...values: readonly bigint[]): void;
  top(index?: number): bigint;
}

export function makeChip(model: CoprocessorModel = '80387'): ChipBench {
  let errors = 0;
  const state = new Int32Array(stateWords);
  const chip = new X87(model, state, {
    error: () => {
      errors += 1;
    },
  });
  chip.powerOn();
  const real = new Real();
  return {
    chip,
    state,
    errors: () => errors,
    fill(...values) {
      chip.status = 0;
      chip.tags = 0xffff;
      values.forEach((value, index) => {
        setBits(real, value);
        chip.put(index, real);
      });
    },
    top: (index = 0) => bitsOf(chip.read(index, real)),
  };
}

/** The same numbers in every run. */
export function randomFrom(seed: number): (below: number) => number {
  let value = seed;
  return (below) => {
    value = (Math.imul(value, 1103515245) + 12345) >>> 0;
    const high = value >>> 8;
    value = (Math.imul(value, 1103515245) + 12345) >>> 0;
    return (((high << 12) ^ (value >>> 8)) >>> 0) % below;
  };
}

/** Numbers of every kind, often with exponents near each other and with long rows of equal bits. */
export function randomReal(random: (below: number) => number): bigint {
  const word = () => BigInt(random(0x10000)) | (BigInt(random(0x10000)) << 16n);
  let significand = (word() << 32n) | word();
  const shape = random(8);
  if (shape === 0) significand = (1n << 64n) - (1n << BigInt(random(64)));
  else if (shape === 1) significand = (1n << 63n) | (1n << BigInt(random(64)));
  else if (shape === 2) significand = (significand >> 40n) << 40n;
  else if (shape === 3) significand = (significand >> 11n) << 11n;
  significand |= 1n << 63n;
  const kinds: Record<number, () => [number, bigint]> = {
    0: () => [0, 0n],
    1: () => [0, significand >> BigInt(1 + random(63))],
    2: () => [0x7fff, 1n << 63n],
    3: () => [0x7fff, significand],
    4: () => [random(80), significand],
    5: () => [0x7ffe - random(80), significand],
    6: () => [random(0x7fff), significand],
    7: () => [random(0x7fff), significand & ((1n << 63n) - 1n)],
    8: () => [0, significand],
    9: () => [16383 + random(64), (significand >> BigInt(random(63))) << 0n],
  };
  const [exponent, bits] = kinds[random(40)]?.() ?? [16383 - 40 + random(80), significand];
  const kept = random(40) === 0 ? bits : exponent > 0 && exponent < 0x7fff ? bits | (1n << 63n) : bits;
  return (BigInt((random(2) << 15) | exponent) << 64n) | kept;
}
