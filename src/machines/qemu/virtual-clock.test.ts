import { expect, test } from 'vitest';
import { VirtualClock } from './virtual-clock.ts';

const event = (name: string, at: number) => ({ name, at, data: {} });

test('it runs with the guest, and tells real time from its own', () => {
  const clock = new VirtualClock();
  expect(clock.nowMs).toBe(0);
  clock.event(event('RESUME', 1000));
  clock.event(event('STOP', 1500));
  expect(clock.nowMs).toBe(500);
  clock.event(event('STOP', 1600));
  clock.event(event('RESUME', 5000));
  clock.event(event('STOP', 5100));
  expect(clock.nowMs).toBe(600);
  expect([clock.wallMs(0), clock.wallMs(499), clock.wallMs(550)]).toEqual([1000, 1499, 5050]);
});

test('steps without number take no room', () => {
  const clock = new VirtualClock();
  for (let step = 0; step < 100_000; step++) {
    clock.event(event('RESUME', 1000 + step));
    clock.event(event('STOP', 1000 + step + 0.5));
  }
  expect(clock.nowMs).toBeCloseTo(50_000);
  expect(Math.abs(clock.wallMs(49_999.9) - 100_999.4)).toBeLessThan(1);
});

test('another past begins another time', () => {
  const clock = new VirtualClock();
  clock.event(event('RESUME', 1000));
  clock.event(event('STOP', 2000));
  clock.set(250);
  expect(clock.nowMs).toBe(250);
  clock.event(event('RESUME', 3000));
  clock.event(event('STOP', 3001));
  expect(clock.wallMs(251)).toBe(3001);
});
