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

const known = {
  ...vocabulary,
  value: (name: string) => (name === 'counter' ? () => 0x80001000n : vocabulary.value(name)),
  constant: (name: string) => (name === 'counter' ? 0x80001000n : undefined),
  bits: (name: string) => (name === 'rax' ? 64 : name === 'rip' ? 32 : undefined),
};

test.for([
  ['[counter] == 700', /one byte of memory == that number never holds: at most 255/, 'dword[…]'],
  ['rax == 1 && word[counter] > 65535', /two bytes .* never holds/, 'dword[…]'],
  ['dword[counter] != 0x100000000', /four bytes .* always holds/, 'qword[…]'],
  ['[rax] == -1', /never holds/, 'dword'],
  ['counter == 5', /counter is an address, 0x80001000, so this never holds/, 'dword[counter]'],
  ['5 < counter', /counter is an address.*always holds/, 'dword[counter]'],
  ['rip == 0x100000000', /rip is at most 0xffffffff/, 'wider register'],
] as const)('%s is refused', ([source, message, fix]) => {
  expect(() => compileWideCondition(source, known)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(message), fix: expect.stringContaining(fix) }),
  );
});

test.for([
  '[counter] == 255',
  'dword[counter] == 700',
  'dword[counter + 4] >= 700',
  'rax == counter',
  '[counter] + 600 == 700',
  'rip == 0xffffffff',
  '[counter] < 256 - rax',
  'counter',
])('%s is taken', (source) => {
  expect(() => compileWideCondition(source, known)).not.toThrow();
});

test('unknown names and rows are refused with their column', () => {
  expect(() => compileWideCondition('rax == eax', vocabulary)).toThrow(/no name eax.*column 8/s);
  expect(() => compileWideCondition('sprite_x[0] == 1', vocabulary)).toThrow(/no name sprite_x/);
  expect(() => compileWideCondition('constructor[0] == 1', vocabulary)).toThrow(/no name constructor/);
});
