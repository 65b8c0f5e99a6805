import { expect, test } from 'vitest';
import { shrunk } from './shrunk.ts';

test('squares of pixels become their mean, in pictures with a palette as in those without one', () => {
  const [width, height] = [23, 14];
  const palette = Uint8Array.from({ length: 16 * 3 }, (_, index) => (index * 89) & 255);
  const pixels = Uint8Array.from({ length: width * height }, (_, index) => (index * 7 + (index >> 3)) & 15);
  const colours = [...pixels].flatMap((pixel) => [...palette.subarray(pixel * 3, pixel * 3 + 3)]);
  for (const widest of [23, 12, 8, 4]) {
    const small = shrunk({ width, height, pixels, palette }, widest);
    expect(small).toEqual(shrunk({ width, height, rgb: Uint8Array.from(colours) }, widest));
    const step = Math.ceil(width / widest);
    const square = [...Array(step * step).keys()].map(
      (at) => colours[(at % step) * 3 + Math.floor(at / step) * width * 3],
    );
    expect(small.rgb[0]).toBe(Math.floor(square.reduce((sum: number, red) => sum + (red ?? 0), 0) / (step * step)));
  }
});
