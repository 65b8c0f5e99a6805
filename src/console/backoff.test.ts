import { expect, test } from 'vitest';
import { Backoff } from './backoff.ts';

test('doubles from 1 s to 60 s', () => {
  const backoff = new Backoff({ random: () => 0 });
  const delays = Array.from({ length: 9 }, () => backoff.next());
  expect(delays.map(({ nominalMs }) => nominalMs)).toEqual([
    1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000,
  ]);
  expect(delays.every(({ nominalMs, delayMs }) => nominalMs === delayMs)).toBe(true);
});

test('jitter only ever makes an attempt earlier, by at most a fifth', () => {
  expect(new Backoff({ random: () => 1 }).next()).toEqual({ nominalMs: 1000, delayMs: 800 });
  expect(new Backoff({ random: () => 0.5 }).next()).toEqual({ nominalMs: 1000, delayMs: 900 });
});

test('starts over after 5 s of a stable link, not after a shorter one', () => {
  let now = 0;
  const backoff = new Backoff({ random: () => 0, now: () => now });
  backoff.next();
  backoff.next();
  backoff.linkUp();
  now += 4999;
  expect(backoff.next().nominalMs).toBe(4000);
  now += 100_000;
  expect(backoff.next().nominalMs).toBe(8000);
  backoff.linkUp();
  now += 5000;
  expect(backoff.next().nominalMs).toBe(1000);
  expect(backoff.next().nominalMs).toBe(2000);
});
