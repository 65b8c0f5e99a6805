import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EarliestTimer } from './earliest-timer.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a sooner time takes the place of a later one, a later one does not, and it is done once', () => {
  const task = vi.fn();
  const timer = new EarliestTimer(task);
  timer.within(5000);
  timer.within(300);
  timer.within(1000);
  vi.advanceTimersByTime(299);
  expect(task).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(task).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10_000);
  expect(task).toHaveBeenCalledTimes(1);
  timer.within(10);
  vi.advanceTimersByTime(10);
  expect(task).toHaveBeenCalledTimes(2);
});
