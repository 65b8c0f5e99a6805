import { expect, test } from 'vitest';
import type { TwinDifference } from '../machine/twin.ts';
import { programCompare } from './program-compare.ts';

test.each([
  [1, '1 pixel, the first at', '1 byte of RAM ('],
  [2, '2 pixels, the first at', '2 bytes of RAM ('],
])('%i of each is told in the right number', async (count, pixels, bytes) => {
  const difference: TwinDifference = {
    frame: 3,
    pixels: count,
    pixel: { x: 1, y: 2, line: 3, cycle: 4, ours: 5, theirs: 6 },
    bytes: count,
    cells: [{ address: 0xc000, ours: 1, theirs: 2 }],
  };
  const twin = { kind: 'c64', compare: async () => ({ frame: 3, notes: [], difference }) };
  const asked = { frames: 1, compare: ['memory'], ignore: [], language: 'asm' } as const;
  const { text } = await programCompare.run(
    { twin } as never,
    asked as never,
    { signal: new AbortController().signal } as never,
  );
  expect(text).toContain(pixels);
  expect(text).toContain(bytes);
});
