import { expect, test } from 'vitest';
import { compileWideCondition } from './wide-condition.ts';

const registers: Record<string, bigint> = { rip: 0xffffffff81000000n, rax: 5n };
const vocabulary = {
  value: (name: string) => (name in registers ? () => registers[name] ?? 0n : undefined),
  peek: async (address: bigint, bytes: number) => address * 256n + BigInt(bytes),
  names: ['rip', 'rax'],
};
const ask = async (source: string) => compileWideCondition(source, vocabulary)();

test.for([
  ['rip == 0xffffffff81000000', 1n],
  ['rip > $ffffffff80ffffff && rax < 6', 1n],
  ['rax - 6 == 0xffffffffffffffff', 1n],
  ['rax << 63', 1n << 63n],
  ['!rax || rax == 4', 0n],
  ['qword[$10] == $1008', 1n],
  ['[rax + 1]', 0x601n],
  ['-1 >> 60', 15n],
] as const)('%s', async ([source, expected]) => {
  expect(await ask(source)).toBe(expected);
});

test('the right side of && is left alone when the left is false', async () => {
  const trap = { ...vocabulary, peek: () => Promise.reject(new Error('must not be read')) };
  expect(await compileWideCondition('rax == 4 && [0] == 1', trap)()).toBe(0n);
});

test('unknown names and rows are refused with their column', () => {
  expect(() => compileWideCondition('rax == eax', vocabulary)).toThrow(/no name eax.*column 8/s);
  expect(() => compileWideCondition('sprite_x[0] == 1', vocabulary)).toThrow(/no name sprite_x/);
});
