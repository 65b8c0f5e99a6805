import { expect, test } from 'vitest';
import type { Picture } from '../machine/screen.ts';
import { PictureScale } from './picture-scale.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A small generator of numbers, the same on every run. */
function numbers(): (below: number) => number {
  let state = 7;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) % below;
  };
}

/** Each pixel on its own, as the words have it: the mean of those it covers. */
function mean(rgb: Uint8Array, stride: number, part: Size & { x: number; y: number }, to: Size, isGrey: boolean) {
  const span = (index: number, length: number, count: number) => {
    const first = Math.floor((index * length) / count);
    return [first, Math.max(first + 1, Math.floor(((index + 1) * length) / count))] as const;
  };
  return Array.from({ length: to.width * to.height }, (_, place) => {
    const [left, right] = span(place % to.width, part.width, to.width);
    const [top, bottom] = span(Math.floor(place / to.width), part.height, to.height);
    const sums = [0, 0, 0];
    for (let y = top; y < bottom; y += 1) {
      for (let x = left; x < right; x += 1) {
        const at = ((part.y + y) * stride + part.x + x) * 3;
        for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + (rgb[at + channel] ?? 0);
      }
    }
    const count = (right - left) * (bottom - top);
    const [red = 0, green = 0, blue = 0] = sums;
    if (isGrey) return [Math.round((299 * red + 587 * green + 114 * blue) / (1000 * count))];
    return [red, green, blue].map((sum) => Math.round(sum / count));
  }).flat();
}

const random = numbers();
const width = 64;
const height = 40;
// Some lines are like the one above them, and some only nearly.
const pixels = new Uint8Array(width * height);
for (let y = 0; y < height; y += 1) {
  for (let x = 0; x < width; x += 1) pixels[y * width + x] = random(16);
  if (y % 3 !== 0) pixels.copyWithin(y * width, (y - 1) * width, y * width);
  if (y % 9 === 4) pixels[y * width + 50] = 3;
}
const palette = Uint8Array.from({ length: 48 }, () => random(256));
const rgb = Uint8Array.from({ length: width * height * 3 }, (_, at) => {
  return palette[(pixels[Math.floor(at / 3)] ?? 0) * 3 + (at % 3)] ?? 0;
});
const pictures: Record<string, Picture> = {
  'with a palette': { width, height, pixels, palette },
  'with colours': { width, height, rgb },
};
const parts = [
  { x: 0, y: 0, width, height },
  { x: 4, y: 3, width: 56, height: 33 },
  { x: 3, y: 5, width: 41, height: 30 },
];

test.for(Object.entries(pictures))('each pixel is the mean of those it covers: %s', ([, picture]) => {
  for (const to of [
    { width: 17, height: 13 },
    { width: 64, height: 40 },
    { width: 90, height: 50 },
    { width: 8, height: 8 },
  ]) {
    for (const grey of [true, false]) {
      for (const part of parts) {
        const scale = new PictureScale({ ...to, grey, max: false, window: true });
        const into = new Uint8Array(to.width * to.height * (grey ? 1 : 3));
        scale.draw(picture, part, into);
        expect([...into]).toEqual(mean(rgb, width, part, to, grey));
      }
    }
  }
});
