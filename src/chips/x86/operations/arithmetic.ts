import type { Operation, Shape } from './operation.ts';

const all = 'oszapc';

function adds(sum: string, carries: string): (shape: Shape) => string {
  return ({ width }) =>
    width === 32
      ? `r = (${sum}) | 0; fc = ${carries} > 4294967295 ? 1 : 0; fx = (a ^ b ^ r) & 16; fo = (a ^ r) & (b ^ r); fr = r;`
      : `r = ${sum}; fc = r >>> ${width}; fx = (a ^ b ^ r) & 16; fo = ((a ^ r) & (b ^ r)) << ${32 - width}; ${resultOf(width)}`;
}

function subtracts(difference: string, borrows: string): (shape: Shape) => string {
  return ({ width }) =>
    width === 32
      ? `r = (${difference}) | 0; fc = ${borrows} ? 1 : 0; fx = (a ^ b ^ r) & 16; fo = (a ^ b) & (a ^ r); fr = r;`
      : `r = ${difference}; fc = r >>> 31; fx = (a ^ b ^ r) & 16; fo = ((a ^ b) & (a ^ r)) << ${32 - width}; ${resultOf(width)}`;
}

function logic(operator: string): (shape: Shape) => string {
  return ({ width }) => `r = a ${operator} b; fx = 0; fc = 0; fo = 0; ${resultOf(width)}`;
}

function resultOf(width: number): string {
  return width === 32 ? 'fr = r;' : `fr = (r << ${32 - width}) >> ${32 - width};`;
}

const sub = subtracts('a - b', '(a >>> 0) < (b >>> 0)');
const and = logic('&');
const both = { reads: 'ab', writes: 'a', flagsWritten: all } as const;

export const arithmetic: Readonly<Record<string, Operation>> = {
  add: { ...both, code: adds('a + b', '(a >>> 0) + (b >>> 0)') },
  adc: { ...both, code: adds('a + b + fc', '(a >>> 0) + (b >>> 0) + fc'), flagsRead: 'c' },
  sub: { ...both, code: sub },
  sbb: { ...both, code: subtracts('a - b - fc', '(a >>> 0) < (b >>> 0) + fc'), flagsRead: 'c' },
  cmp: { ...both, writes: '', code: sub },
  and: { ...both, code: and },
  or: { ...both, code: logic('|') },
  xor: { ...both, code: logic('^') },
  test: { ...both, writes: '', code: and },
  inc: {
    reads: 'a',
    writes: 'a',
    flagsWritten: 'oszap',
    code: ({ width }) =>
      `r = ${width === 32 ? '(a + 1) | 0' : 'a + 1'}; fx = (a ^ r) & 16; fo = ((a ^ r) & r) << ${32 - width}; ${resultOf(width)}`,
  },
  dec: {
    reads: 'a',
    writes: 'a',
    flagsWritten: 'oszap',
    code: ({ width }) =>
      `r = ${width === 32 ? '(a - 1) | 0' : 'a - 1'}; fx = (a ^ r) & 16; fo = ((a ^ r) & a) << ${32 - width}; ${resultOf(width)}`,
  },
  neg: {
    reads: 'a',
    writes: 'a',
    flagsWritten: all,
    code: ({ width }) =>
      `r = ${width === 32 ? '(-a) | 0' : '-a'}; fc = a === 0 ? 0 : 1; fx = (a ^ r) & 16; fo = (a & r) << ${32 - width}; ${resultOf(width)}`,
  },
  xadd: { ...both, writes: 'ab', code: (shape) => `${adds('a + b', '(a >>> 0) + (b >>> 0)')(shape)} q = a;` },
  cmpxchg: {
    ...both,
    // The accumulator is compared as CMP does; what was read is written back where it differs.
    code: (shape) => {
      const own = { 8: 'R8[0]', 16: 'R16[0]', 32: 'R[0]' }[shape.width];
      return `k = a; q = b; b = a; a = ${own}; ${sub(shape)} if (fr === 0) { r = q; } else { r = k; ${own} = k; }`;
    },
  },
  bswap: {
    reads: 'a',
    writes: 'a',
    code: ({ width }) =>
      width === 32 ? 'r = (a << 24) | ((a & 65280) << 8) | ((a >>> 8) & 65280) | (a >>> 24);' : 'r = 0;',
  },
  not: { reads: 'a', writes: 'a', code: () => 'r = ~a;' },
  cbw: {
    reads: '',
    writes: '',
    code: ({ operandSize }) => (operandSize === 32 ? 'R[0] = (R16[0] << 16) >> 16;' : 'R16[0] = (R8[0] << 24) >> 24;'),
  },
  cwd: {
    reads: '',
    writes: '',
    code: ({ operandSize }) => (operandSize === 32 ? 'R[2] = R[0] >> 31;' : 'R16[4] = (R16[0] << 16) >> 31;'),
  },
  clc: { reads: '', writes: '', flagsWritten: 'c', code: () => 'fc = 0;' },
  stc: { reads: '', writes: '', flagsWritten: 'c', code: () => 'fc = 1;' },
  cmc: { reads: '', writes: '', flagsRead: 'c', flagsWritten: 'c', code: () => 'fc ^= 1;' },
  salc: { reads: '', writes: '', flagsRead: 'c', code: () => 'R8[0] = -fc;' },
};
