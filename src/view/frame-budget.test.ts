import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FrameBudget } from './frame-budget.ts';

let calls: string[];
let budget: FrameBudget;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  calls = [];
  budget = new FrameBudget({ pause: () => calls.push('pause'), resume: () => calls.push('resume') });
});
afterEach(() => {
  budget.close();
  vi.useRealTimers();
});

test('a burst is obeyed at once; who sends more is not read until that has been worked off', async () => {
  for (let index = 0; index < 800; index++) await budget.spend(async () => {});
  expect(calls).not.toContain('pause');
  for (let index = 0; index < 400; index++) await budget.spend(async () => {});
  expect(calls).toContain('pause');
  expect(budget.isPaused).toBe(true);
  calls.length = 0;
  vi.advanceTimersByTime(5000);
  expect(budget.isPaused).toBe(false);
  expect(calls).toEqual(['resume']);
});

test('who waits for 256 commands is not read before one of them is done', async () => {
  const done: (() => void)[] = [];
  for (let index = 0; index < 256; index++) void budget.spend(() => new Promise((resolve) => done.push(resolve)));
  expect(calls).toContain('pause');
  expect(budget.isPaused).toBe(true);
  calls.length = 0;
  done[0]?.();
  await vi.waitFor(() => expect(calls).toEqual(['resume']));
});
