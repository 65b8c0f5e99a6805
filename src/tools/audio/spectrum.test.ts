import { expect, test } from 'vitest';
import { TimeSlice } from '../../machines/shared/time-slice.ts';
import { dominantHertz } from './spectrum.ts';

const sampleRate = 44_100;
const tone = (seconds: number, ...partials: readonly (readonly [hertz: number, amplitude: number])[]) =>
  Int16Array.from({ length: Math.round(seconds * sampleRate) }, (_, index) =>
    Math.round(
      partials.reduce((sum, [hertz, level]) => sum + level * Math.sin((2 * Math.PI * hertz * index) / sampleRate), 0),
    ),
  );

test.each([55, 97.3, 440, 1234.56, 9999])('a second of %d Hz is found to a tenth', async (hertz) => {
  expect(Math.abs((await dominantHertz(tone(1, [hertz, 9000]), sampleRate, new TimeSlice())) - hertz)).toBeLessThan(
    0.1,
  );
});

test('the strongest of several, in a long sound and in a short one', async () => {
  const partials = [
    [200, 2000],
    [523.25, 6000],
    [1046.5, 3000],
  ] as const;
  expect(await dominantHertz(tone(6, ...partials), sampleRate, new TimeSlice())).toBeCloseTo(523.25, 1);
  expect(await dominantHertz(tone(0.1, ...partials), sampleRate, new TimeSlice())).toBeCloseTo(523.25, 0);
});

test('silence and next to nothing have none', async () => {
  expect(await dominantHertz(new Int16Array(1000), sampleRate, new TimeSlice())).toBe(0);
  expect(await dominantHertz(new Int16Array(3), sampleRate, new TimeSlice())).toBe(0);
});
