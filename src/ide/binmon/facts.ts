import { failure } from '../../links/vice/wire.ts';
import { Refusal } from './wire.ts';

/** Registers by the numbers that VICE gives them. */
export const registerIds = {
  A: 0,
  X: 1,
  Y: 2,
  PC: 3,
  SP: 4,
  FL: 5,
  LIN: 0x35,
  CYC: 0x36,
  '00': 0x37,
  '01': 0x38,
} as const;
export type RegisterName = keyof typeof registerIds;

export const mainRegisters: readonly RegisterName[] = ['PC', 'A', 'X', 'Y', 'SP', '00', '01', 'FL', 'LIN', 'CYC'];
export const driveRegisters: readonly RegisterName[] = ['PC', 'A', 'X', 'Y', 'SP', 'FL', 'LIN', 'CYC'];
export const wideRegisters: readonly RegisterName[] = ['PC', 'LIN', 'CYC'];

export interface Bank {
  readonly id: number;
  readonly name: string;
  /** The machine's memory space. */
  readonly space: string;
}

const seen: readonly Bank[] = [
  { id: 0, name: 'default', space: 'cpu' },
  { id: 0, name: 'cpu', space: 'cpu' },
];
const bank = (id: number, name: string): Bank => ({ id, name, space: name });
const c264: readonly Bank[] = [
  { id: 0, name: 'default', space: 'cpu' },
  { id: 1, name: 'cpu', space: 'ram' },
  bank(1, 'ram'),
  bank(2, 'rom'),
  bank(6, 'io'),
];

/** By kind: those of VICE's that the machine has, with VICE's numbers. */
const banks: Readonly<Record<string, readonly Bank[]>> = {
  c64: [...seen, bank(1, 'ram'), bank(2, 'rom'), bank(3, 'io')],
  vic20: seen,
  plus4: c264,
  c16: c264,
};

export function banksOf(kind: string): readonly Bank[] {
  const known = banks[kind];
  if (known) return known;
  throw new Refusal(failure.failed);
}

/** The drive that a memspace means; undefined: the computer. */
export function driveOf(memspace: number): string | undefined {
  if (memspace === 0) return undefined;
  if (memspace <= 4) return `drive${memspace + 7}`;
  throw new Refusal(failure.memspace);
}
