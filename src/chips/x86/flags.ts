import { fields } from './registers.ts';

export const flag = {
  carry: 0x1,
  parity: 0x4,
  auxiliary: 0x10,
  zero: 0x40,
  sign: 0x80,
  trap: 0x100,
  interrupt: 0x200,
  direction: 0x400,
  overflow: 0x800,
  ioPrivilege: 0x3000,
  nestedTask: 0x4000,
  resume: 0x10000,
  virtual8086: 0x20000,
  alignmentCheck: 0x40000,
} as const;

export const arithmeticFlags = 0x8d5;

/** 1 for bytes with an even number of bits. */
export const evenParity = Uint8Array.from({ length: 256 }, (_, byte) => {
  let bits = byte ^ (byte >> 4);
  bits ^= bits >> 2;
  return ((bits ^ (bits >> 1)) & 1) ^ 1;
});

/**
 * While code runs, the arithmetic flags are what the last operation left: `result`, sign-extended to 32 bits, is zero
 * (ZF), negative (SF) and has a parity (PF, of its low byte); bit 4 of `auxiliary` is AF, `carry` is 0 or 1, bit 31 of
 * `overflow` is OF. Combinations no result has are made with bit 31 of `auxiliary`, which inverts SF, and its bits 8-15,
 * which are exclusive-ored to the byte PF is taken from.
 */
export function packFlags(state: Int32Array): number {
  const result = state[fields.result];
  const auxiliary = state[fields.auxiliary];
  const parity = evenParity[(result ^ (auxiliary >>> 8)) & 0xff];
  return (
    (state[fields.eflags] & ~arithmeticFlags) |
    state[fields.carry] |
    (parity << 2) |
    (auxiliary & flag.auxiliary) |
    (result === 0 ? flag.zero : 0) |
    (((result ^ auxiliary) >>> 24) & flag.sign) |
    ((state[fields.overflow] >>> 20) & flag.overflow)
  );
}

/** Text for `packFlags`, with the pieces in locals. */
export const packText = `R[${fields.eflags}] & ${~arithmeticFlags} | fc | P[(fr ^ fx >>> 8) & 255] << 2 | fx & ${flag.auxiliary} | (fr === 0 ? ${flag.zero} : 0) | (fr ^ fx) >>> 24 & ${flag.sign} | fo >>> 20 & ${flag.overflow}`;

/** Text that brings the arithmetic flags of a value into the locals: PF is taken from the result's parity, or its opposite. */
export function unpackText(value: string): string {
  return `fc = ${value} & 1; fr = ${value} >> 6 & 1 ^ 1; fx = ${value} & 16 | (${value} & 128) << 24 | ((${value} >> 6 ^ ${value} >> 2) & 1) << 8;`;
}

export function unpackFlags(state: Int32Array, value: number): void {
  const zero = (value & flag.zero) !== 0;
  const odd = zero === ((value & flag.parity) === 0);
  state[fields.eflags] = value;
  state[fields.result] = zero ? 0 : 1;
  state[fields.auxiliary] = (value & flag.auxiliary) | ((value & flag.sign) << 24) | (odd ? 0x100 : 0);
  state[fields.carry] = value & flag.carry;
  state[fields.overflow] = (value & flag.overflow) << 20;
}
