import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RunLimits } from '../../machine/control.ts';
import { advice } from '../../machine/errors.ts';
import { BuiltInEngine, type Stride } from './built-in-engine.ts';
import { type Cause, conditionCause } from './cause.ts';
import type { Slice } from './frames.ts';
import { History } from './history.ts';
import type { Lookout, PastStop, Timeline } from './history-rewind.ts';

const never = new AbortController().signal;
const wallMs = 20_000;

interface Addition {
  readonly type: 'add';
  readonly value: number;
}

/** A number that one is added to in each moment, and whatever comes from outside. */
class Sum implements Timeline<Addition, readonly [number, number]> {
  readonly frameSpan = 5;
  readonly history: History<Addition, readonly [number, number]>;
  keyframeEvery = 10;
  /** How long the process takes for a moment. */
  momentMs = 0;
  /** Moments that were run, in the past too. */
  moments = 0;
  now = 0;
  value = 0;

  constructor() {
    const sum = this;
    const save = () => [this.now, this.value] as const;
    const restore = ([now, value]: readonly [number, number]) => {
      this.now = now;
      this.value = value;
    };
    this.history = new History({
      get now() {
        return sum.now;
      },
      save,
      restore,
      keep: save,
      recall: restore,
      discard: () => {},
      keptBytes: () => 0,
      apply: ({ value }: Addition) => {
        this.value += value;
      },
      superfluous: () => [],
    });
  }

  runTo(time: number, until = Number.POSITIVE_INFINITY): boolean {
    while (this.now < time && performance.now() < until) {
      const end = performance.now() + this.momentMs;
      while (performance.now() < end);
      this.moments++;
      this.now++;
      this.value++;
      this.history.giveInputs();
      if (this.now % this.keyframeEvery === 0) this.history.keep();
    }
    return this.now >= time;
  }

  async instructionBefore(count: number) {
    const time = Math.max(this.history.firstTime, this.now - count);
    return { time, missing: count - (this.now - time) };
  }
}

class Adder extends BuiltInEngine<Addition, readonly [number, number]> {
  readonly framesPerSecond = 1000;
  readonly sum: Sum;
  readonly heard: string[] = [];
  looks = 0;
  protected readonly errorFix = advice`Think again.`;

  constructor() {
    const sum = new Sum();
    super(sum);
    this.sum = sum;
  }

  /** What goes wrong in the next slice. */
  bug: Error | undefined;

  protected runner({ cycles = Number.POSITIVE_INFINITY, frames }: RunLimits): Slice {
    const end = this.sum.now + (frames === undefined ? cycles : frames * 5);
    return () => {
      if (this.bug) throw this.bug;
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

  protected readonly routines = { level: () => 0, leftHere: () => undefined, underWay: () => undefined };

  protected lookout({ condition }: RunLimits): Lookout | undefined {
    if (condition === undefined) return undefined;
    return (end) => {
      this.looks++;
      let last: PastStop | undefined;
      return (until) => {
        while (this.sum.now < end) {
          if (this.sum.value === Number(condition)) last = { time: this.sum.now, cause: conditionCause(condition) };
          this.sum.runTo(this.sum.now + 1);
          if (performance.now() >= until) return undefined;
        }
        return last ?? null;
      };
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

  protected arrive(cause: Cause): Cause {
    this.heard.push(cause.reason);
    return cause;
  }

  protected cure(): void {}

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

test('a run backwards that is cut short by what is remembered says so', async () => {
  const adder = new Adder();
  await run(adder, { cycles: 7 });
  const beginning = { cause: 'limit', reason: 'the beginning of what is remembered' };
  expect(await run(adder, { back: true, cycles: 8 })).toMatchObject(beginning);
  expect(adder.sum.now).toBe(0);
  await run(adder, { cycles: 7 });
  expect(await run(adder, { back: true, cycles: 8, condition: '-1' })).toMatchObject(beginning);
  await run(adder, { cycles: 7 });
  expect(await run(adder, { back: true, cycles: 7 })).toMatchObject({ cause: 'limit', reason: 'back by 7' });
});

test('a run backwards stops at the last moment it looks for, stretch by stretch, and waits for no one', async () => {
  const adder = new Adder();
  await run(adder, { cycles: 95 });
  adder.sum.momentMs = 1;
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
  expect([10, 20, 30, 40, 42]).toContain(adder.sum.now);
});

test('left alone it runs until it is stopped, and a call with limits stops it', async () => {
  const adder = new Adder();
  adder.runAlways('warp');
  expect(await adder.run({ wallMs: 30 }, never)).toMatchObject({ reason: 'it runs on' });
  expect(adder.state).toBe('RUNNING');
  expect(await run(adder, { cycles: 1 })).toMatchObject({ cause: 'limit', reason: 'enough' });
  const time = adder.sum.now;
  await setTimeout(20);
  expect([adder.state, adder.sum.now]).toEqual(['PAUSED', time]);
});

test('nothing moves while somebody holds the machine', async () => {
  const adder = new Adder();
  adder.runAlways('warp');
  const [first, second] = [await adder.hold(), await adder.hold()];
  const time = adder.sum.now;
  await setTimeout(20);
  first();
  await setTimeout(20);
  expect([adder.sum.now, adder.state]).toEqual([time, 'RUNNING']);
  second();
  while (adder.sum.now === time) await setImmediate();
  await adder.pause();
});

test('a search in the past keeps its time limit within a stretch, and goes on from there the next time', async () => {
  const adder = new Adder();
  adder.sum.keyframeEvery = 600;
  await run(adder, { cycles: 590 });
  adder.sum.momentMs = 1;
  adder.sum.moments = 0;
  const limits = { back: true, condition: '3', wallMs: 100 };
  expect(await run(adder, limits)).toMatchObject({ cause: 'limit', reason: 'time limit' });
  // Nothing was left out: it stands where it was, since not even the latest stretch was looked through.
  expect([adder.sum.now, adder.sum.value, adder.state]).toEqual([590, 590, 'PAUSED']);
  expect(adder.sum.moments).toBeLessThan(500);
  let tries = 0;
  for (; adder.sum.now !== 3; tries++) await run(adder, limits);
  expect([adder.sum.value, adder.state, tries > 1]).toEqual([3, 'BREAKPOINT', true]);
});

test('steps back that take too long, or that nobody waits for, leave the machine where it was', async () => {
  const adder = new Adder();
  adder.sum.keyframeEvery = 5000;
  await run(adder, { cycles: 3000 });
  adder.sum.momentMs = 1;
  const back = { kind: 'into', count: 10, back: true } as const;
  expect(await adder.step({ ...back, wallMs: 50 }, never)).toMatchObject({ cause: 'limit', reason: 'time limit' });
  const abort = new AbortController();
  const going = adder.step({ ...back, wallMs }, abort.signal);
  await setImmediate();
  abort.abort();
  expect(await going).toMatchObject({ cause: 'halt', reason: 'the call was cancelled' });
  expect([adder.sum.now, adder.sum.value]).toEqual([3000, 3000]);
});

test('inputs without number are not kept for ever', async () => {
  const adder = new Adder();
  for (let number = 0; number < 450_000; number++) {
    if (number % 50_000 === 0) await run(adder, { cycles: 10 });
    adder.input({ type: 'add', value: 1 });
  }
  await run(adder, { cycles: 10 });
  const { now, value } = adder.sum;
  expect(adder.sum.history.firstTime).toBeGreaterThan(0);
  await step(adder, 5, true);
  expect([adder.sum.now, adder.sum.value]).toEqual([now - 5, value - 5]);
  await run(adder, { back: true });
  await run(adder, { cycles: now - adder.sum.now });
  expect([adder.sum.now, adder.sum.value]).toEqual([now, value]);
});

test('a failure of our own stops the machine and nothing else', async () => {
  const adder = new Adder();
  const bugs: unknown[] = [];
  adder.onBug = (error) => bugs.push(error);
  adder.runAlways('warp');
  adder.bug = new Error('a mistake');
  while (adder.state === 'RUNNING') await setImmediate();
  expect([adder.state, bugs]).toEqual(['ERROR', [adder.bug]]);
  expect(adder.stop).toMatchObject({ cause: 'fault', reason: 'an internal error; it was logged' });
  const other = new Adder();
  other.bug = adder.bug;
  await expect(run(other, { cycles: 10 })).rejects.toThrow('a mistake');
  expect(other.state).toBe('ERROR');
});
