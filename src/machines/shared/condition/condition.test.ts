import { describe, expect, test } from 'vitest';
import { compileCondition, type Vocabulary } from './condition.ts';

const memory = new Uint8Array(0x10000);
const registers: Record<string, number> = { A: 0xff, X: 0x11, value: 0x90, raster_line: 101, cycle: 5 };
const vocabulary: Vocabulary = {
  value: (name) => (name in registers ? () => registers[name] ?? 0 : undefined),
  row: (name) => (name === 'sprite_y' ? (index) => 40 + index : undefined),
  peek: (address, bytes) => (memory[address] ?? 0) + (bytes > 1 ? (memory[address + 1] ?? 0) * 256 : 0),
  names: Object.keys(registers),
};
const ask = (source: string) => compileCondition(source, vocabulary)();

describe('the examples everybody writes', () => {
  test.for([
    ['A==0xFF && X>$10', 1],
    ['sprite_y[0] < 50', 1],
    ['sprite_y[$a] < 50', 0],
    ['raster_line > 100', 1],
    ['value > $80', 1],
    ['[$d020] == 7', 1],
    ['word[0x1234] == $beef', 1],
    ['A == 0FFh', 1],
    ['A & %1000 && !(X == 0)', 1],
  ] as const)('%s', ([source, expected]) => {
    memory[0xd020] = 7;
    memory.set([0xef, 0xbe], 0x1234);
    expect(ask(source)).toBe(expected);
  });
});

test.for([
  ['1 + 2 * 3', 7],
  ['(1 + 2) * 3', 9],
  ['1 | 2 ^ 3 & 1', 1 | (2 ^ (3 & 1))],
  ['1 << 2 + 1', 8],
  ['(3 == 3) & 1', 1],
  ['3 & (1 == 1)', 1],
  ['3 == 3 & 1 == 1', 1],
  ['(6 & 3) == 2', 1],
  ['1 || 0 && 0', 1],
  ['-1 < 0', 1],
  ['~0 & 15', 15],
  ['!0 + !5', 1],
  ['10 - 3 - 2', 5],
  ['2 <= 2 == 1', 1],
] as const)('%s is %d, as in C', ([source, expected]) => {
  expect(ask(source)).toBe(expected);
});

test.for(['value & 15 == 14', 'A == 3 & 1', '1 | X > 2 && A', 'A ^ X & value != 0'])(
  '%s has to say what it means',
  (source) => {
    expect(() => compileCondition(source, vocabulary)).toThrow(/binds tighter than [&|^], so it is compared first/);
  },
);

test('is asked anew each time', () => {
  const condition = compileCondition('A == 1', vocabulary);
  registers.A = 1;
  expect(condition()).toBe(1);
  registers.A = 2;
  expect(condition()).toBe(0);
  registers.A = 0xff;
});

test('&& and || do not look further than they must', () => {
  let asked = 0;
  const counting: Vocabulary = { ...vocabulary, value: () => () => ++asked };
  compileCondition('0 && x', counting)();
  compileCondition('1 || x', counting)();
  expect(asked).toBe(0);
});

test.for([
  ['A == ', 6, /missing at the end/],
  ['A = 1', 3, /means nothing/],
  ['B == 1', 1, /no name B on this machine/],
  ['A == 1)', 7, /more than one condition/],
  ['(A == 1', 8, /\) is missing/],
  ['[1', 3, /\] is missing/],
  ['sprite_z[0]', 1, /no name sprite_z/],
  ['1 2', 3, /more than one/],
  ['12xyz', 1, /means nothing/],
  ['$zz', 1, /means nothing/],
  ['', 1, /missing at the end/],
] as const)('%s is refused at column %d', ([source, column, message]) => {
  expect(() => compileCondition(source, vocabulary)).toThrow(message);
  expect(() => compileCondition(source, vocabulary)).toThrow(
    expect.objectContaining({ data: { column }, type: 'INVALID_ARGUMENT' }),
  );
});
