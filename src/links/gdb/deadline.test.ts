import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Deadline } from './deadline.ts';

test('expires once, and not before its time', async () => {
  const began = performance.now();
  const expired: number[] = [];
  const deadline = new Deadline(() => expired.push(performance.now() - began));
  deadline.set(40);
  await expect.poll(() => expired.length).toBe(1);
  await delay(80);
  expect(expired).toHaveLength(1);
  expect(expired[0]).toBeGreaterThanOrEqual(39);
  deadline.close();
});

test('what was cleared in time never expires', async () => {
  let expired = 0;
  const deadline = new Deadline(() => expired++);
  deadline.set(20);
  deadline.clear();
  await delay(60);
  expect(expired).toBe(0);
  deadline.close();
});

test('a later time outlives the timer of an earlier one, a shorter one comes first', async () => {
  const expired: string[] = [];
  let name = '';
  const deadline = new Deadline(() => expired.push(name));
  deadline.set(30);
  deadline.clear();
  name = 'long';
  deadline.set(150);
  await delay(75);
  expect(expired).toEqual([]);
  deadline.clear();
  name = 'short';
  deadline.set(5);
  await expect.poll(() => expired, { timeout: 5000 }).toEqual(['short']);
  await delay(150);
  expect(expired).toEqual(['short']);
  deadline.close();
});
