import { expect, test } from 'vitest';
import { gateAt } from '../../../../chips/mos6510/asking-instructions.generated.ts';
import type { Vocabulary } from '../../../shared/condition/condition.ts';
import { parseCondition } from '../../../shared/condition/parse-condition.ts';
import { both, either, gatesOf } from './gates.ts';

const vocabulary: Vocabulary = {
  names: ['a', 'x', 'y', 'sp', 'p', 'pc', 'raster_cycle', 'cycle'],
  value: (name) => (name === 'start' ? () => 0xc000 : undefined),
  peek: () => 0,
};
const board = { isPlainByte: (address: number) => address < 0xd000, cyclesPerLine: 63 };
const gates = (condition: string, wasFalse = false) => gatesOf(parseCondition(condition), vocabulary, board, wasFalse);

/** The values of a part with which something has to be asked. */
function open(condition: string, at: number): readonly number[] {
  const table = gates(condition)?.table.subarray(at, at + 0x100) ?? new Uint8Array(0x100).fill(1);
  return [...table.keys()].filter((value) => table[value] !== 0);
}

test('of a register, only values with which the condition can hold are asked about', () => {
  expect(open('A == $42', 0)).toEqual([0x42]);
  expect(open('A == $1ff', 0)).toEqual([]);
  expect(open('X > 250 && P > 3', gateAt.x)).toEqual([251, 252, 253, 254, 255]);
  expect(open('(Y & $fe) == 4 && cycle > 100', gateAt.y)).toEqual([4, 5]);
  // A run may go on into the next line.
  expect(open('raster_cycle < 3', gateAt.cycle)).toEqual([0, 1, 2, 64, 65]);
  expect(open('raster_cycle == 63', gateAt.cycle)).toEqual([63, 126]);
  expect(open('raster_cycle == 99', gateAt.cycle)).toEqual([]);
  expect(open('!(SP != 7)', gateAt.s)).toEqual([7]);
});

test('where something else can make it true nothing is kept out', () => {
  for (const condition of ['A == X', 'A == 3 || P == 1', 'cycle > 5', '[$d012] == 5', '[X] == 5']) {
    expect(gates(condition), condition).toBeUndefined();
  }
});

test('the byte that says most, and the only address', () => {
  const both = gates('[$0340] * 2 == 510 && [$02] > 10');
  expect(both?.byteAt).toBe(0x340);
  expect(open('[$0340] * 2 == 510 && [$02] > 10', gateAt.byte)).toEqual([255]);
  expect(gates('PC == start && A == 1')?.pc).toBe(0xc000);
  expect(gates('PC == start || A == 1')).toBeUndefined();
});

test('registers of chips do not change within a run, so they need not be asked if they were false', () => {
  const condition = 'sprite_x[0] == 400 || A == 3';
  expect(gates(condition)).toBeUndefined();
  const since = gates(condition, true);
  expect(since?.isAlways).toBe(false);
  expect([...(since?.table.subarray(0, 5) ?? [])]).toEqual([0, 0, 0, 1, 0]);
  expect(gates('ram[5] == 400 || A == 3', true)).toBeUndefined();
});

test('gates are joined so that nothing is missed', () => {
  const one = gates('A == 3 && [$02] == 1');
  const other = gates('X == 3 && [$03] == 1');
  expect(both(one, undefined)).toBe(one);
  expect(either(one, undefined)).toBeUndefined();
  // Both bytes cannot be looked at: one of them is left open.
  const joined = both(one, other);
  expect([joined?.byteAt, joined?.table[gateAt.byte], joined?.table[gateAt.byte + 1]]).toEqual([2, 0, 1]);
  expect([joined?.table[3], joined?.table[4], joined?.table[gateAt.x + 4]]).toEqual([1, 0, 0]);
  expect(either(one, other)).toBeUndefined();
  const [three, four] = [gates('A == 3'), gates('A == 4')];
  expect([...(either(three, four)?.table.subarray(2, 6) ?? [])]).toEqual([0, 1, 1, 0]);
});
