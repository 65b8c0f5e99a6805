import { describe, expect, test } from 'vitest';
import { RasterPass } from './raster-pass.ts';
import { viceModel } from './vice-models.ts';

type Place = readonly [line: number, cycle: number, cycles?: number];

function met(pass: RasterPass, places: readonly Place[], each = false): readonly boolean[] {
  return places.map(([line, cycle, cycles]) => pass.isNew({ line, cycle, cycles }, each));
}

describe('a line is met once for each time that the beam comes to it', () => {
  test('by frames where all are as long', () => {
    const pass = new RasterPass(viceModel('x64sc', 'pal'));
    const first = 3 * 19_656 + 6300;
    const [a, b, c] = [first, first + 40, first + 19_656 + 45];
    expect(
      met(pass, [
        [100, 0, a],
        [100, 40, b],
        [100, 45, c],
      ]),
    ).toEqual([true, false, true]);
  });

  test('by what an instruction may take where they are not', () => {
    const pass = new RasterPass(viceModel('xpet', 'pal'));
    // The line has a single instruction in the second frame, later than the last of the first.
    expect(
      met(pass, [
        [100, 3, 50_003],
        [100, 9, 50_009],
        [100, 12, 70_045],
        [100, 2, 90_070],
      ]),
    ).toEqual([true, false, true, true]);
  });

  test('by the beam alone where nobody counts cycles', () => {
    const pass = new RasterPass(viceModel('x64sc', 'pal'));
    expect(
      met(pass, [
        [100, 3],
        [100, 9],
        [101, 2],
        [100, 3],
        [100, 60],
        [100, 0],
      ]),
    ).toEqual([true, false, false, true, false, true]);
  });

  test('or at each of its lines', () => {
    const pass = new RasterPass(viceModel('x64sc', 'pal'));
    expect(
      met(
        pass,
        [
          [100, 3],
          [100, 9],
          [101, 2],
          [101, 9],
        ],
        true,
      ),
    ).toEqual([true, false, true, false]);
  });
});
