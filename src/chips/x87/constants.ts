import { bias } from './real.ts';
import { growsBy } from './round.ts';
import type { Work } from './work.ts';

/** A constant of the chip with 32 bits more than a register has. */
export interface Constant {
  readonly exponent: number;
  readonly high: number;
  readonly low: number;
  readonly rest: number;
}

const constant = (exponent: number, high: number, low: number, rest: number): Constant => ({
  exponent: bias + exponent,
  high: high | 0,
  low: low | 0,
  rest: rest | 0,
});

export const constants = {
  one: constant(0, 0x80000000, 0, 0),
  log2of10: constant(1, 0xd49a784b, 0xcd1b8afe, 0x492bf6ff),
  log2ofE: constant(0, 0xb8aa3b29, 0x5c17f0bb, 0xbe87fed0),
  pi: constant(1, 0xc90fdaa2, 0x2168c234, 0xc4c6628b),
  log10of2: constant(-2, 0x9a209a84, 0xfbcff798, 0x8f8959ac),
  lnOf2: constant(-1, 0xb17217f7, 0xd1cf79ab, 0xc9e3b398),
} as const;

/** The 80387 rounds its constants as the control word says, the others to the nearest. It is no reason to report precision. */
export function setConstant(work: Work, { exponent, high, low, rest }: Constant): void {
  const grows = growsBy(work.modern ? work.control : 0, 0, low & 1, rest);
  work.result.set(0, exponent, high, grows ? low + 1 : low);
}
