import { expect, test } from 'vitest';
import { DiskShelf } from './disk-shelf.ts';

const image = () => Uint8Array.from({ length: 174_848 }, (_, at) => (at * 7 + (at >> 8)) & 255);

const flip = (bytes: Uint8Array, at: number) => bytes.set([(bytes[at] ?? 0) ^ 255], at);
// Much faster than a comparison of arrays.
const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.from(a).equals(b);

test('every revision gives its own bytes again', () => {
  const shelf = new DiskShelf();
  const bytes = image();
  const first = shelf.keep(bytes);
  bytes[1000] = 1;
  bytes[174_847] = 2;
  const second = shelf.keep(bytes, first);
  bytes[1000] = 3;
  const third = shelf.keep(bytes, second);
  expect(isSame(shelf.bytesOf(first), image())).toBe(true);
  expect(shelf.bytesOf(second)[1000]).toBe(1);
  expect(shelf.bytesOf(second)[174_847]).toBe(2);
  expect(isSame(shelf.bytesOf(third), bytes)).toBe(true);
  expect(shelf.find(second.low, second.high)).toBe(second);
});

test('unchanged blocks are shared', () => {
  const shelf = new DiskShelf();
  const bytes = image();
  const first = shelf.keep(bytes);
  bytes[5] = 99;
  const second = shelf.keep(bytes, first);
  expect(second.groups[1]).toBe(first.groups[1]);
  expect(second.groups[0]?.[1]).toBe(first.groups[0]?.[1]);
  expect(second.groups[0]?.[0]).not.toBe(first.groups[0]?.[0]);
});

test('the name depends on the contents alone, not on the way there', () => {
  const shelf = new DiskShelf();
  const bytes = image();
  const first = shelf.keep(bytes);
  flip(bytes, 300);
  const second = shelf.keep(bytes, first);
  flip(bytes, 90_000);
  const third = shelf.keep(bytes, second);
  flip(bytes, 300);
  flip(bytes, 90_000);
  expect(shelf.keep(bytes, third)).toBe(first);
  flip(bytes, 300);
  flip(bytes, 90_000);
  const elsewhere = new DiskShelf().keep(bytes);
  expect([elsewhere.low, elsewhere.high]).toEqual([third.low, third.high]);
  expect(new Set([first, second, third].map(({ low }) => low)).size).toBe(3);
  expect(new Set([first, second, third].map(({ high }) => high)).size).toBe(3);
});

test('images with error bytes keep their tail', () => {
  const shelf = new DiskShelf();
  const bytes = new Uint8Array(175_531).fill(1);
  expect(isSame(shelf.bytesOf(shelf.keep(bytes)), bytes)).toBe(true);
});

test('contents that grow and shrink get the name that they would have had at once', () => {
  const shelf = new DiskShelf();
  const all = image().subarray(0, 20_000);
  let grown = shelf.keep(all.subarray(0, 100));
  for (const length of [101, 256, 257, 8191, 8193, 20_000, 8192, 300, 299, 19_999]) {
    grown = shelf.keep(all.subarray(0, length), grown);
    const { low, high } = new DiskShelf().keep(all.subarray(0, length));
    expect([grown.low, grown.high]).toEqual([low, high]);
    expect(isSame(shelf.bytesOf(grown), all.subarray(0, length))).toBe(true);
  }
});
