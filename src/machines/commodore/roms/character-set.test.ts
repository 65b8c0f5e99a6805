import { expect, test } from 'vitest';
import { characterSet } from './character-set.ts';

const bytes = characterSet();
const glyph = (code: number, set = 0) => Array.from(bytes.subarray(set * 2048 + code * 8, set * 2048 + code * 8 + 8));

test('there are two sets of 256 characters, the second half of each reversed', () => {
  expect(bytes.length).toBe(4096);
  for (const set of [0, 1]) {
    for (let code = 0; code < 128; code += 1) {
      expect(glyph(code + 128, set)).toEqual(glyph(code, set).map((row) => row ^ 0xff));
    }
  }
});

test('letters, digits and signs are all different and leave room to their neighbours', () => {
  const shapes = new Set<string>();
  for (let code = 0; code < 64; code += 1) shapes.add(glyph(code).join());
  expect(shapes.size).toBe(64);
  for (let code = 1; code < 27; code += 1) {
    expect(glyph(code).some((row) => row & 1)).toBe(false);
    expect(glyph(code, 1).some((row) => row & 1)).toBe(false);
    expect(glyph(code)[7]).toBe(0);
  }
});

test('the small-letter set has the capitals among the graphics', () => {
  for (let code = 1; code < 27; code += 1) expect(glyph(0x40 + code, 1)).toEqual(glyph(code));
  expect(glyph(1, 1)).not.toEqual(glyph(1));
});

test('blocks and lines lie where drawings expect them', () => {
  expect(glyph(0x20)).toEqual(Array(8).fill(0));
  expect(glyph(0x61)).toEqual(Array(8).fill(0xf0));
  expect(glyph(0x62)).toEqual([0, 0, 0, 0, 255, 255, 255, 255]);
  expect(glyph(0x6c)).toEqual([0, 0, 0, 0, 15, 15, 15, 15]);
  expect(glyph(0x7f)).toEqual([240, 240, 240, 240, 15, 15, 15, 15]);
  expect(glyph(0x66)).toEqual([0xcc, 0xcc, 0x33, 0x33, 0xcc, 0xcc, 0x33, 0x33]);
  // A horizontal line meets the crossing and the corners in the same rows, a vertical one in the same columns.
  expect(glyph(0x40)).toEqual([0, 0, 0, 255, 255, 0, 0, 0]);
  expect(glyph(0x5b)[3]).toBe(255);
  for (const corner of [0x6d, 0x6e, 0x70, 0x7d]) {
    expect(glyph(corner)[3]).toBe(glyph(corner)[4]);
    expect(Math.max(glyph(corner)[0] ?? 0, glyph(corner)[7] ?? 0)).toBe(0x18);
  }
});
