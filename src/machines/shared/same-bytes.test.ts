import { expect, test } from 'vitest';
import { sameBytes } from './same-bytes.ts';

const some = (value: number) => new Uint8Array(1000).fill(value);

test('bytes that are the same are there once, others are as they were', () => {
  const first = sameBytes(some(1));
  const other = sameBytes(some(2));
  expect(sameBytes(some(1))).toBe(first);
  expect(other).not.toBe(first);
  expect(other).toEqual(some(2));
  expect(sameBytes(new Uint8Array(999).fill(1))).toHaveLength(999);
});

test('of many different ones only the last are looked through', () => {
  const first = sameBytes(some(100));
  for (let value = 101; value < 120; value++) sameBytes(some(value));
  const again = sameBytes(some(100));
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
});
