import { approximate, bitsOf, kind, kindOf, Real, setBits } from '../../../chips/x87/real.ts';
import type { X87 } from '../../../chips/x87/x87.ts';
import { hex } from '../../../formats/hex.ts';

/** A register of the coprocessor as debuggers know it. */
export interface NumericRegister {
  readonly name: string;
  readonly bits: 16 | 80;
  read(fpu: X87): bigint;
  write(fpu: X87, value: bigint): void;
  /** As conditions see it. */
  number(fpu: X87): number;
}

const real = new Real();

function stackRegister(index: number): NumericRegister {
  return {
    name: `st${index}`,
    bits: 80,
    read: (fpu) => bitsOf(fpu.read(index, real)),
    write: (fpu, value) => {
      setBits(real, value);
      fpu.put(index, real);
    },
    number: (fpu) => approximate(fpu.read(index, real)),
  };
}

function wordRegister(name: string, place: 'control' | 'status' | 'tags'): NumericRegister {
  return {
    name,
    bits: 16,
    read: (fpu) => BigInt(fpu[place]),
    write: (fpu, value) => {
      fpu[place] = Number(value);
    },
    number: (fpu) => fpu[place],
  };
}

/** The stack from its top, control, status and tag words. */
export const numericRegisters: ReadonlyMap<string, NumericRegister> = new Map(
  [
    ...Array.from({ length: 8 }, (_, index) => stackRegister(index)),
    wordRegister('fcw', 'control'),
    wordRegister('fsw', 'status'),
    wordRegister('ftw', 'tags'),
  ].map((register) => [register.name, register]),
);

const exceptions = ['invalid', 'denormal', 'zero divide', 'overflow', 'underflow', 'precision', 'stack fault'];
const roundings = ['to nearest', 'down', 'up', 'towards zero'];
const precisions = [24, 64, 53, 64];

/** The coprocessor in words, one line for each register. */
export function describeNumeric(fpu: X87): readonly string[] {
  const { control, status } = fpu;
  const named = (bits: number) => exceptions.filter((_, bit) => ((bits >> bit) & 1) !== 0).join(', ') || 'none';
  const codes = [14, 10, 9, 8].map((bit, index) => `C${3 - index}=${(status >> bit) & 1}`).join(' ');
  const rounding = `${roundings[(control >> 10) & 3]}, ${precisions[(control >> 8) & 3]} bits`;
  return [
    `Intel ${fpu.model}`,
    ...Array.from({ length: 8 }, (_, index) => stackText(fpu, index)),
    `control ${hex(control, 4)}: rounds ${rounding}; masked: ${named(control & 0x3f)}`,
    `status ${hex(status, 4)}: ${codes}; exceptions: ${named(status & 0x7f)}`,
  ];
}

function stackText(fpu: X87, index: number): string {
  if (fpu.isEmpty(index)) return `st${index} empty`;
  const bits = hex(bitsOf(fpu.read(index, real)), 20);
  const text = kindOf(real) === kind.unsupported ? 'unsupported' : String(approximate(real));
  return `st${index} ${bits.slice(0, 4)} ${bits.slice(4)} ${text}`;
}
