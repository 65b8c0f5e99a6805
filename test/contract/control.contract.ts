import { expect, test } from 'vitest';
import { type Context, never, patientMs } from './context.ts';

export function controlContract(context: Context): void {
  const control = () => context.with('control').control;

  test('stops are numbered, and the number never falls', async () => {
    let last = 0;
    for (let round = 0; round < 3; round++) {
      const ran = await control().run({ wallMs: 30 }, never);
      expect(ran.seq).toBeGreaterThanOrEqual(last);
      const paused = await control().pause();
      expect(paused.seq).toBeGreaterThanOrEqual(Math.max(1, ran.seq));
      expect(paused.reason).not.toBe('');
      last = paused.seq;
    }
  });

  test('after a pause it is stopped, and says by what', async () => {
    await control().run({ wallMs: 30 }, never);
    const { seq } = await control().pause();
    const { state, stop } = context.machine.status();
    expect(['PAUSED', 'BREAKPOINT']).toContain(state);
    if (stop) expect(stop.seq).toBe(seq);
  });

  test('a run ends when its call is cancelled', async () => {
    const began = performance.now();
    await control().run({ wallMs: 10 * patientMs }, AbortSignal.timeout(100));
    expect(performance.now() - began).toBeLessThan(5 * patientMs);
    await control().pause();
  });

  test('held, it shows one moment to several reads, and letting go twice is once', async () => {
    const { memory } = context.machine;
    const [space] = memory?.spaces ?? [];
    const at = context.subject.bench ? (await context.bench()).written : 0n;
    const letGo = await control().hold();
    const second = await control().hold();
    if (memory && space) {
      const bytes = await memory.peek(space.name, at, 16);
      expect(await memory.peek(space.name, at, 16)).toEqual(bytes);
    }
    letGo();
    letGo();
    second();
    await control().run({ wallMs: 20 }, never);
    await control().pause();
  });

  test.each(['soft', 'hard'] as const)('a %s reset leaves a machine that can run', async (mode) => {
    await control().reset(mode);
    const stop = await control().run({ wallMs: 50 }, never);
    expect(stop.cause).toBe('limit');
    await control().pause();
  });
}

export function framesContract(context: Context): void {
  test('a run of frames lets so much time pass', async () => {
    const { control } = context.with('control');
    expect(control.framesPerSecond).toBeGreaterThan(20);
    const took = async (frames: number) => {
      const before = timeOf(context);
      expect(await control.run({ frames, wallMs: patientMs }, never)).toMatchObject({ cause: 'limit' });
      return timeOf(context) - before;
    };
    // From where it stands to the end of that frame is less than one.
    await took(1);
    const [two, six] = [await took(2), await took(6)];
    if (context.subject.timeless !== undefined) return;
    expect(two).toBeGreaterThan(0);
    expect(six / two).toBeCloseTo(3, 1);
  });
}

/** As the machine counts it. */
function timeOf({ machine }: Context): number {
  return machine.status().now?.time ?? 0;
}

export function freeRunContract(context: Context): void {
  test('runs without anybody waiting until it is paused', async () => {
    const { control } = context.with('control');
    await control.runFreely?.('warp');
    expect(context.machine.status().state).toBe('RUNNING');
    const begun = timeOf(context);
    await expect.poll(() => timeOf(context)).toBeGreaterThan(begun);
    const stop = await control.pause();
    expect(stop.cause).toBe('halt');
    expect(context.machine.status()).toMatchObject({ state: 'PAUSED', stop: { seq: stop.seq } });
  });

  test('an interlude gives the free run back', async () => {
    const { control } = context.with('control');
    await control.runFreely?.('warp');
    await control.interlude?.(() => control.run({ frames: 1, wallMs: patientMs }, never));
    expect(context.machine.status().state).toBe('RUNNING');
    await control.pause();
  });
}
