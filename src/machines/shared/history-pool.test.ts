import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { HistoryBudget, type Shortened } from './history-budget.ts';
import { clearRow, HistoryPool, newPool } from './history-pool.ts';

/** Keyframes of 100 bytes, each taken when it is told. */
class Past implements Shortened {
  taken: number[] = [];
  readonly #share;

  constructor(budget: HistoryBudget) {
    this.#share = budget.include(this);
  }

  get bytes(): number {
    return this.taken.length * 100;
  }

  get oldest(): number | undefined {
    return this.taken.length > 1 ? this.taken[0] : undefined;
  }

  forgetOldest(): void {
    this.taken.shift();
  }

  keep(...moments: readonly number[]): void {
    for (const moment of moments) {
      this.taken.push(moment);
      this.#share.grown();
    }
  }
}

/** Rows of one pool, as threads have them, and a way back with each. */
function rowsOf(count: number, limit: number) {
  const data = newPool(count, randomUUID());
  const threads = Array.from({ length: count }, (_, row) => {
    const pool = new HistoryPool(data, row);
    onTestFinished(() => pool.close());
    const budget = new HistoryBudget(limit);
    budget.join(pool);
    return new Past(budget);
  });
  const together = () => threads.reduce((sum, { bytes }) => sum + bytes, 0);
  return { threads, together, data };
}

const span = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('of several threads the one with the oldest keyframe gives it up, though nothing runs there', async () => {
  const { threads, together } = rowsOf(3, 10_000);
  const [early, middle, late] = threads;
  if (!early || !middle || !late) throw new Error('three');
  middle.keep(...span(101, 130));
  early.keep(...span(1, 30));
  late.keep(...span(201, 241));
  await expect.poll(() => together()).toBe(9300);
  expect(early.taken).toEqual(span(9, 30));
  expect(middle.taken).toHaveLength(30);
  expect(late.taken).toHaveLength(41);
  late.keep(...span(242, 270));
  await expect.poll(() => together()).toBeLessThanOrEqual(10_000);
  expect(early.taken).toEqual([30]);
  expect(late.taken).toHaveLength(70);
});

test('pasts that overlap are forgotten in the order in which they were taken', async () => {
  const { threads, together } = rowsOf(2, 10_000);
  const [even, odd] = threads;
  if (!even || !odd) throw new Error('two');
  for (const moment of span(1, 50)) {
    even.keep(2 * moment);
    odd.keep(2 * moment + 1);
  }
  even.keep(200);
  await expect.poll(() => together()).toBe(9300);
  expect([even.taken[0], odd.taken[0]].toSorted((a, b) => Number(a) - Number(b))).toEqual([10, 11]);
});

test('a thread that does not hear is waited for up to a quarter of the limit', () => {
  const { threads } = rowsOf(2, 10_000);
  const [early, late] = threads;
  if (!early || !late) throw new Error('two');
  early.keep(...span(1, 90));
  late.keep(...span(101, 135));
  expect(late.taken).toHaveLength(35);
  late.keep(136);
  expect(late.taken[0]).toBe(102);
  late.keep(...span(137, 300));
  expect(late.bytes + early.bytes).toBe(12_500);
});

test('what a thread had that has ended counts no more', () => {
  const { threads, data } = rowsOf(2, 10_000);
  const [ended, other] = threads;
  if (!ended || !other) throw new Error('two');
  ended.keep(...span(1, 90));
  clearRow(data.rows, 0);
  other.keep(...span(101, 200));
  expect(other.taken).toHaveLength(100);
});
