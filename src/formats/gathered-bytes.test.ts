import { expect, test } from 'vitest';
import { GatheredBytes } from './gathered-bytes.ts';

test('a million single bytes take what they need, and are all there', () => {
  const gathered = new GatheredBytes();
  const before = process.memoryUsage();
  for (let index = 0; index < 1_000_000; index++) gathered.add(Uint8Array.of(index));
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  expect(gathered.length).toBe(1_000_000);
  expect(heapUsed - before.heapUsed).toBeLessThan(64_000_000);
  expect(arrayBuffers - before.arrayBuffers).toBeLessThan(64_000_000);
  const all = gathered.take();
  expect(all.findIndex((byte, index) => byte !== (index & 255))).toBe(-1);
});

test('what was taken stays as it was', () => {
  const gathered = new GatheredBytes();
  gathered.add(Uint8Array.of(1, 2));
  const first = gathered.take();
  gathered.add(Uint8Array.of(3));
  expect([...first]).toEqual([1, 2]);
  expect([...gathered.take()]).toEqual([3]);
  expect(gathered.length).toBe(0);
});
