import { expect, test } from 'vitest';
import { MachineError } from '../../machine/errors.ts';
import { nextTurn, TimeSlice, unlessAborted } from './time-slice.ts';

/** Keeps the process to itself. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('long work in slices leaves room for timers', async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const slice = new TimeSlice();
  for (let piece = 0; piece < 50; piece++) {
    work(1);
    if (slice.isOver) await slice.next();
  }
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(2);
});

test('of many that wait, one goes on in each turn of the loop', async () => {
  const order: string[] = [];
  const turns = ['a', 'b', 'c'].map((name) => nextTurn().then(() => order.push(name)));
  const immediates = new Promise<void>((resolve) => {
    let left = 3;
    const between = () => {
      order.push('|');
      if (--left > 0) setImmediate(between);
      else resolve();
    };
    setImmediate(between);
  });
  await Promise.all([...turns, immediates]);
  expect(order.filter((each) => each !== '|')).toEqual(['a', 'b', 'c']);
  expect(order.join('')).toBe('a|b|c|');
});

test('work that nobody waits for any more ends', async () => {
  const abort = new AbortController();
  const slice = new TimeSlice(unlessAborted(abort.signal));
  await slice.next();
  abort.abort(new Error('it took too long'));
  await expect(slice.next()).rejects.toMatchObject({ type: 'CANCELLED', message: 'Not finished: it took too long.' });
  const reason = new MachineError('LIMIT_REACHED', 'enough', 'stop');
  await expect(new TimeSlice(unlessAborted(AbortSignal.abort(reason))).next()).rejects.toBe(reason);
});
