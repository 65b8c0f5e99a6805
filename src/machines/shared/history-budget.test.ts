import { expect, test } from 'vitest';
import { History } from './history.ts';
import { HistoryBudget } from './history-budget.ts';

/** A counter whose keyframes take 100 bytes each. */
class Counter {
  now = 0;
  kept = 0;
  /** How often it was asked for what it takes. */
  asked = 0;
  readonly history: History<never, number, number>;

  constructor(budget: HistoryBudget) {
    const counter = this;
    this.history = new History<never, number, number>(
      {
        get now() {
          return counter.now;
        },
        save: () => this.now,
        restore: (state) => {
          this.now = state;
        },
        keep: () => {
          this.kept += 1;
          return this.now;
        },
        recall: (state) => {
          this.now = state;
        },
        discard: () => {
          this.kept -= 1;
        },
        keptBytes: () => {
          this.asked += 1;
          return this.kept * 100;
        },
        apply: () => {},
        superfluous: () => [],
      },
      budget,
    );
  }

  pass(count: number): void {
    for (let index = 0; index < count; index += 1) {
      this.now += 1;
      this.history.keep();
    }
  }
}

test('all together take no more than the limit, and the oldest goes first, whoever has it', () => {
  const budget = new HistoryBudget(3200);
  const early = new Counter(budget);
  early.pass(20);
  const late = new Counter(budget);
  late.pass(20);
  expect(budget.bytes).toBeLessThanOrEqual(3200);
  expect(late.history.firstTime).toBe(0);
  expect(early.history.firstTime).toBeGreaterThan(5);
  late.pass(40);
  expect(early.kept).toBe(1);
  expect(early.history.firstTime).toBe(20);
  expect(budget.bytes).toBeLessThanOrEqual(3200);
  expect(late.history.firstTime).toBeGreaterThan(20);
});

test('a machine that is given up leaves its share to others', () => {
  const budget = new HistoryBudget(10_000);
  const counter = new Counter(budget);
  counter.pass(10);
  counter.history.end();
  expect(budget.bytes).toBe(0);
  expect(counter.kept).toBe(0);
  counter.pass(3);
  expect(counter.kept).toBe(0);
});

test('as long as there is room, a keyframe of one machine asks nothing of the others', () => {
  const budget = new HistoryBudget(10_000);
  const others = Array.from({ length: 20 }, () => new Counter(budget));
  const asked = () => others.map((each) => each.asked);
  const before = asked();
  const counter = new Counter(budget);
  counter.pass(50);
  expect(asked()).toEqual(before);
  expect(budget.bytes).toBe(7100);
  counter.pass(100);
  expect(budget.bytes).toBeLessThanOrEqual(10_000);
});

test('what was forgotten or given up meanwhile does not count', () => {
  const budget = new HistoryBudget(3000);
  const [one, two, three] = [new Counter(budget), new Counter(budget), new Counter(budget)];
  one.pass(12);
  two.pass(12);
  one.history.restart();
  two.history.end();
  three.pass(25);
  expect(three.history.firstTime).toBe(0);
  expect(budget.bytes).toBe(2700);
});
