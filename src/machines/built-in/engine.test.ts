import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RunLimits } from '../../machine/control.ts';
import { type Cause, conditionCause } from './cause.ts';
import { BuiltInEngine, type Stride } from './engine.ts';
import type { Slice } from './frames.ts';
import { History } from './history.ts';
import type { Lookout, PastStop, Timeline } from './rewind.ts';

const never = new AbortController().signal;
const wallMs = 20_000;
const keyframeEvery = 10;

interface Addition {
  readonly type: 'add';
  readonly value: number;
}

/** A number that one is added to in each moment, and whatever comes from outside. */
class Sum implements Timeline<Addition, readonly [number, number]> {
  readonly frameSpan = 5;
  readonly history: History<Addition, readonly [number, number]>;
  now = 0;
  value = 0;

  constructor() {
    const sum = this;
    this.history = new History({
      get now() {
        return sum.now;
      },
      save: () => [this.now, this.value] as const,
      restore: ([now, value]) => {
        this.now = now;
        this.value = value;
      },
      apply: ({ value }: Addition) => {
        this.value += value;
      },
      superfluous: () => [],
    });
  }

  runTo(time: number): void {
    while (this.now < time) {
      this.now++;
      this.value++;
      this.history.giveInputs();
      if (this.now % keyframeEvery === 0) this.history.keep();
    }
  }

  instructionBefore(count: number) {
    const time = Math.max(this.history.firstTime, this.now - count);
    return { time, missing: count - (this.now - time) };
  }
}

class Adder extends BuiltInEngine<Addition, readonly [number, number]> {
  readonly framesPerSecond = 1000;
  readonly sum: Sum;
  readonly heard: string[] = [];
  looks = 0;
  protected readonly errorFix = 'think again';

  constructor() {
    const sum = new Sum();
    super(sum);
    this.sum = sum;
  }

  protected runner({ cycles = Number.POSITIVE_INFINITY, frames }: RunLimits): Slice {
    const end = this.sum.now + (frames === undefined ? cycles : frames * 5);
    return () => {
      this.sum.runTo(Math.min(end, this.sum.now + 3));
      return this.sum.now === end ? { cause: 'limit', reason: 'enough' } : undefined;
    };
  }

  protected stride(): Stride {
    return () => {
      this.sum.runTo(this.sum.now + 1);
      return 'done';
    };
  }

  protected lookout({ condition }: RunLimits): Lookout | undefined {
    if (condition === undefined) return undefined;
    return (end) => {
      this.looks++;
      let last: PastStop | undefined;
      while (this.sum.now < end) {
        if (this.sum.value === Number(condition)) last = { time: this.sum.now, cause: conditionCause(condition) };
        this.sum.runTo(this.sum.now + 1);
      }
      return last;
    };
  }

  protected wentBack(span: number | undefined): string {
    return `back by ${span}`;
  }

  protected restart(): void {
    this.sum.now = 0;
    this.sum.value = 0;
  }

  protected leave(): void {
    this.heard.push('leave');
  }

  protected arrive({ reason }: Cause): void {
    this.heard.push(reason);
  }

  protected enterPast(): void {
    this.heard.push('past');
  }

  protected moved(): void {
    this.heard.push('moved');
  }
}

const run = (adder: Adder, limits: Partial<RunLimits>) => adder.run({ wallMs, ...limits }, never);
const step = (adder: Adder, count: number, back = false) => adder.step({ kind: 'into', count, back, wallMs }, never);

test('inputs are part of every moment they have passed, and are given once', async () => {
  const adder = new Adder();
  await run(adder, { cycles: 25 });
  adder.input({ type: 'add', value: 1000 });
  await run(adder, { cycles: 10 });
  expect(adder.sum.value).toBe(1035);
  await step(adder, 10, true);
  expect([adder.sum.now, adder.sum.value]).toEqual([25, 1025]);
  await step(adder, 1, true);
  expect([adder.sum.now, adder.sum.value]).toEqual([24, 24]);
  await run(adder, { cycles: 11 });
  expect(adder.sum.value).toBe(1035);
  // Another future.
  await step(adder, 11, true);
  adder.input({ type: 'add', value: 5 });
  await run(adder, { cycles: 11 });
  expect(adder.sum.value).toBe(40);
});

test('each stop has one number, and a run tells where it begins and ends', async () => {
  const adder = new Adder();
  expect(await step(adder, 7)).toEqual({ seq: 1, cause: 'step', reason: '7 steps' });
  expect(await run(adder, { cycles: 7 })).toEqual({ seq: 2, cause: 'limit', reason: 'enough' });
  expect(await run(adder, { back: true, frames: 2 })).toEqual({ seq: 3, cause: 'limit', reason: 'back by 10' });
  expect(await step(adder, 9, true)).toMatchObject({ seq: 4, reason: 'the beginning of what is remembered' });
  expect(adder.heard).toEqual(['leave', '7 steps', 'leave', 'enough', 'past', 'moved', 'past', 'moved']);
});

test('a run backwards stops at the last moment it looks for, stretch by stretch, and waits for no one', async () => {
  const adder = new Adder();
  await run(adder, { cycles: 95 });
  const going = run(adder, { back: true, condition: '42' });
  await setImmediate();
  expect([adder.state, adder.isRewinding]).toEqual(['RUNNING', true]);
  adder.input({ type: 'add', value: 1000 });
  expect(await going).toMatchObject({ cause: 'breakpoint', reason: 'condition 42' });
  expect([adder.sum.now, adder.looks]).toEqual([42, 6]);
  // What came meanwhile reaches the machine where it is then.
  expect(adder.sum.value).toBe(1042);
  const other = run(adder, { back: true, condition: '-1' });
  await setImmediate();
  const paused = adder.pause();
  expect(await other).toMatchObject({ cause: 'halt', reason: 'pause' });
  expect(await paused).toEqual(await other);
  expect([10, 20, 30, 40]).toContain(adder.sum.now);
});

test('by itself it runs until it is stopped, and a call with limits stops it', async () => {
  const adder = new Adder();
  adder.runFreely('warp');
  expect(await adder.run({ wallMs: 30 }, never)).toMatchObject({ reason: 'it runs on by itself' });
  expect(adder.state).toBe('RUNNING');
  expect(await run(adder, { cycles: 1 })).toMatchObject({ cause: 'limit', reason: 'enough' });
  const time = adder.sum.now;
  await setTimeout(20);
  expect([adder.state, adder.sum.now]).toEqual(['PAUSED', time]);
});
