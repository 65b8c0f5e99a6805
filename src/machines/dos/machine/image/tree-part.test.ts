import { expect, test } from 'vitest';
import { TimeSlice } from '../../../shared/time-slice.ts';
import { unpackTree } from './tree-part.ts';

const root =
  '{"parent":-1,"name":"","attributes":16,"stamp":0,"size":0,"written":false,"stored":false,"children":[-1]}';
const files = new Uint8Array();
const unpack = (text: string | Uint8Array) => {
  const nodes = typeof text === 'string' ? Buffer.from(text) : text;
  return unpackTree({ nodes, files }, new TimeSlice());
};

test('a drive with nothing on it', async () => {
  expect(await unpack(`${root}\n[]`)).toMatchObject({ nodes: [{ parent: -1, children: [-1] }], free: [] });
});

test.each([
  ['nothing but line ends', () => Buffer.alloc(30_000_000, 10)],
  ['lists in lists', () => `${'['.repeat(100_000)}${']'.repeat(100_000)}\n[]`],
  ['one line of millions of objects', () => `${root}\n[${'{},'.repeat(5_000_000)}{}]`],
  ['as many entries as nobody has', () => `${`${root}\n`.repeat(40_000)}[]`],
])('%s are refused before they take memory', async (_, text) => {
  const bytes = Buffer.from(text());
  const before = process.memoryUsage();
  await expect(unpack(bytes)).rejects.toThrow();
  const { heapUsed, external } = process.memoryUsage();
  expect(heapUsed - before.heapUsed + external - before.external).toBeLessThan(100_000_000);
});
