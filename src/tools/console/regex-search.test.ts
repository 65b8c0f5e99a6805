import { afterEach, expect, test, vi } from 'vitest';
import { RegexSearch } from './regex-search.ts';
import { RollingText } from './rolling-text.ts';

afterEach(() => vi.restoreAllMocks());

test('a pattern that proves slow sees half as much of the past each time, and as much as before once it is quick', async () => {
  const search = await RegexSearch.compile('BEGIN[^Z]*END', false);
  const text = new RollingText();
  text.push(`BEGIN${'x'.repeat(40_000)}`);
  const widest = search.sliceUnits;
  let now = 0;
  let tookMs = 60;
  // Each search asks for the time twice.
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += tookMs;
    return now;
  });
  const look = () => search.find(text, text.end);
  const widths = () =>
    Array.from({ length: 8 }, () => {
      look();
      return search.sliceUnits;
    });
  const slower = widths();
  expect(slower.slice(0, 3)).toEqual([widest / 2, widest / 4, widest / 8]);
  // Never so little that a line would be missed.
  expect(slower.at(-1)).toBe(512);
  text.push('END');
  expect(look()).toBeUndefined();
  tookMs = 1;
  const quicker = widths();
  expect(quicker[0]).toBe(1024);
  expect(quicker.at(-1)).toBe(widest);
  expect(look()?.start).toBe(0);
});
