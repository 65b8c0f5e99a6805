import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { makeRack } from '../../test/make-rack.ts';
import { Toy, toyKind, toys } from '../../test/toy-kind.ts';
import { defineKind } from '../machine/kind.ts';
import type { Machine } from '../machine/machine.ts';
import { CallQueue } from './call-queue.ts';
import { EventLog } from './event-log.ts';
import { Journal } from './journal.ts';
import { checkMachineName } from './machine-name.ts';

const never = new AbortController().signal;

afterEach(() => vi.useRealTimers());

describe('handles', () => {
  test('are numbered by kind and reused when free', async () => {
    const rack = makeRack([toyKind]);
    await rack.start('toy', {});
    await rack.start('toy', {});
    await rack.stop('toy-1', 'test');
    expect((await rack.start('toy', {})).handle).toBe('toy-1');
    expect(rack.machines.map(({ handle }) => handle)).toEqual(['toy-2', 'toy-1']);
  });

  test('an unknown one names those that live', async () => {
    const rack = makeRack([toyKind]);
    await rack.start('toy', {}, 'mine');
    expect(() => rack.get('yours')).toThrow(expect.objectContaining({ type: 'UNKNOWN_MACHINE', fix: 'Alive: mine.' }));
  });

  test('may be left out while there is one machine, not with two', async () => {
    const rack = makeRack([toyKind]);
    expect(() => rack.get(undefined)).toThrow(/No machine is running/);
    await rack.start('toy', {});
    expect(rack.get(undefined).handle).toBe('toy-1');
    await rack.start('toy', {});
    expect(() => rack.get(undefined)).toThrow(/2 machines are running/);
  });

  test('are refused when taken, also while the first is still starting', async () => {
    const rack = makeRack([toyKind]);
    const both = await Promise.allSettled([rack.start('toy', {}, 'a'), rack.start('toy', {}, 'a')]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  test('the limit of machines holds', async () => {
    const rack = makeRack([toyKind], { machines: 1 });
    await rack.start('toy', {});
    await expect(rack.start('toy', {})).rejects.toThrow('The limit of 1 machine is reached.');
  });
});

test('200 names that try to be paths or commands are refused, and ordinary ones are not', () => {
  const parts = [
    '..',
    '../x',
    '/etc',
    'a/b',
    '$(id)',
    '`id`',
    ';rm',
    '|x',
    '&',
    'a b',
    '\n',
    '\0',
    'é',
    '-rf',
    '.',
    "'",
  ];
  const hostile = parts.flatMap((part) => [part, `${part}x/`, `x ${part}`, `/${part}`, `${part}\n`, `${part}\0`]);
  const long = Array.from({ length: 104 }, (_, index) => `${'a'.repeat(49 + index)}`);
  const names = [...hostile, ...long, '', 'a..b', 'a...', '..a'];
  expect(names.length).toBeGreaterThanOrEqual(200);
  for (const name of names) expect(() => checkMachineName(name), JSON.stringify(name)).toThrow(/cannot be a machine/);
  for (const name of ['a', 'vm-1', 'Router_2.lan', 'x'.repeat(48), '0']) checkMachineName(name);
});

describe('leases', () => {
  test('an idle machine is stopped and says why', async () => {
    vi.useFakeTimers();
    const rack = makeRack([toyKind], { idleTimeoutMs: 10_000 });
    await rack.start('toy', {});
    const toy = toys.at(-1);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(rack.machines).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(rack.machines).toHaveLength(0);
    expect(toy?.disposed).toBe(true);
    expect(rack.events.read(0).events.at(-1)).toMatchObject({ type: 'machine_stopped', text: /10 s without a call/ });
  });

  test('a machine with a call in progress is not idle', async () => {
    vi.useFakeTimers();
    const rack = makeRack([toyKind], { idleTimeoutMs: 10_000 });
    const { release } = (await rack.start('toy', {})).use();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(rack.machines).toHaveLength(1);
    release();
    await vi.advanceTimersByTimeAsync(11_000);
    expect(rack.machines).toHaveLength(0);
  });
});

describe('leases of machines in use', () => {
  /** A machine of which tests say how it is used. */
  const usage = { watching: 0, recorded: false, activeMsAgo: Number.POSITIVE_INFINITY };
  const used = defineKind({
    kind: 'used',
    summary: 'A machine with a console.',
    options: z.strictObject({}),
    start: async () =>
      Object.assign(new Toy(), {
        activeMsAgo: () => usage.activeMsAgo,
        console: {
          ports: [
            {
              onActivity: () => () => {},
              humans: {
                get watching() {
                  return usage.watching;
                },
              },
              recording: {
                get status() {
                  return usage.recorded ? { active: true } : undefined;
                },
              },
            },
          ],
        },
      }) as unknown as Machine,
  });
  const unused = { ...usage };
  let wanted = false;

  test.each<[string, (now: boolean) => void]>([
    ['watched', (now) => Object.assign(usage, { watching: Number(now) })],
    ['recorded', (now) => Object.assign(usage, { recorded: now })],
    ['printing', (now) => Object.assign(usage, { activeMsAgo: now ? 500 : Number.POSITIVE_INFINITY })],
    [
      'subscribed to',
      (now) => {
        wanted = now;
      },
    ],
  ])('one that is %s is not stopped, and has its whole time once that is over', async (_how, use) => {
    vi.useFakeTimers();
    Object.assign(usage, unused);
    const rack = makeRack([used], { idleTimeoutMs: 10_000 });
    rack.keepWhile((handle) => wanted && handle === 'used-1');
    use(true);
    await rack.start('used', {});
    await vi.advanceTimersByTimeAsync(65_000);
    expect(rack.machines).toHaveLength(1);
    use(false);
    await vi.advanceTimersByTimeAsync(25_000);
    expect(rack.machines).toHaveLength(0);
  });

  test('a clock that is set two hours ahead or back changes nothing', async () => {
    vi.useFakeTimers();
    Object.assign(usage, unused);
    const rack = makeRack([used], { idleTimeoutMs: 3_600_000 });
    const racked = await rack.start('used', {});
    const { release } = racked.use();
    vi.setSystemTime(Date.now() + 2 * 3_600_000);
    release();
    vi.setSystemTime(Date.now() + 2 * 3_600_000);
    expect(racked.idleMs).toBeLessThan(1000);
    await vi.advanceTimersByTimeAsync(3_500_000);
    expect(rack.machines).toHaveLength(1);
    vi.setSystemTime(Date.now() - 9 * 3_600_000);
    await vi.advanceTimersByTimeAsync(200_000);
    expect(rack.machines).toHaveLength(0);
  });

  test('a machine that cannot be stopped is logged, told of as gone, and ends nothing', async () => {
    vi.useFakeTimers();
    const lines: string[] = [];
    const released: string[] = [];
    const names = { claim: async () => {}, release: async (name: string) => void released.push(name) };
    const listChanged = vi.fn();
    const stuck = defineKind({
      kind: 'stuck',
      summary: '',
      options: z.strictObject({}),
      start: async () =>
        Object.assign(new Toy(), { [Symbol.asyncDispose]: () => Promise.reject(new Error('its disk is gone')) }),
    });
    const rack = makeRack([stuck], { idleTimeoutMs: 1000 }, { names, log: (_level, text) => lines.push(text) });
    await rack.start('stuck', {});
    rack.onChange(listChanged);
    await vi.advanceTimersByTimeAsync(2000);
    expect(lines.join()).toContain('its disk is gone');
    expect(released).toEqual(['stuck-1']);
    expect(listChanged).toHaveBeenCalledTimes(1);
    expect(rack.events.read(0).events).toContainEqual(expect.objectContaining({ type: 'machine_stopped' }));
  });
});

test('how long a call has been at work does not depend on the clock', async () => {
  vi.useFakeTimers();
  const queue = new CallQueue();
  const busy = queue.run('x', never, () => new Promise<void>((resolve) => setTimeout(resolve, 5000)));
  vi.setSystemTime(Date.now() + 7_200_000);
  const abort = new AbortController();
  const waiting = queue.run('y', abort.signal, async () => {});
  abort.abort();
  await expect(waiting).rejects.toThrow(/busy with x since 0\.0 s/);
  await vi.advanceTimersByTimeAsync(5000);
  await busy;
});

describe('the queue of calls', () => {
  test('runs one at a time, in order, also when a call comes in as another ends', async () => {
    const queue = new CallQueue();
    const log: string[] = [];
    const call = (name: string) =>
      queue.run(name, never, async () => {
        log.push(`${name} in`);
        await new Promise((resolve) => setImmediate(resolve));
        log.push(`${name} out`);
      });
    const first = call('a');
    const second = call('b');
    await first;
    await Promise.all([second, call('c')]);
    expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
  });

  test('a call that is not wanted any more when it comes sends nobody else away', async () => {
    const queue = new CallQueue();
    const first = queue.run('x', never, () => new Promise((resolve) => setImmediate(resolve)));
    const second = queue.run('y', never, async () => 'y ran');
    await expect(queue.run('z', AbortSignal.abort(), async () => 'z ran')).rejects.toThrow(/busy with x/);
    await first;
    await expect(second).resolves.toBe('y ran');
  });

  test('a failing call makes room; a cancelled one leaves the line and names the holder', async () => {
    const queue = new CallQueue();
    const failing = queue.run('x', never, async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error('x failed');
    });
    const abort = new AbortController();
    const cancelled = queue.run('y', abort.signal, async () => 'y ran');
    const third = queue.run('z', never, async () => 'z ran');
    abort.abort();
    await expect(cancelled).rejects.toThrow(/busy with x since/);
    await expect(failing).rejects.toThrow('x failed');
    await expect(third).resolves.toBe('z ran');
  });
});

test('events are numbered without a hole and count what was dropped', () => {
  const log = new EventLog(3);
  for (const type of ['a', 'b', 'c', 'd', 'e']) log.add('m', { type, text: type });
  expect(log.read(0)).toMatchObject({ lost: 2, events: [{ seq: 3 }, { seq: 4 }, { seq: 5 }] });
  expect(log.read(4)).toMatchObject({ lost: 0, events: [{ seq: 4 }, { seq: 5 }] });
  expect(log.read(6)).toMatchObject({ lost: 0, events: [] });
  expect(log.read(0, { types: ['d'] }).events).toHaveLength(1);
  expect(log.read(0, { machine: 'other' }).events).toHaveLength(0);
});

test('the journal keeps the newest calls within its size and writes all of them out', () => {
  const lines: string[] = [];
  const journal = new Journal(500, (line) => lines.push(line));
  const call = { at: 0, client: 'c', tool: 't', arguments: {}, answer: 'x'.repeat(100), isError: false, durationMs: 1 };
  for (let i = 0; i < 10; i++) journal.add(call);
  expect(lines).toHaveLength(10);
  expect(journal.entries.map(({ seq }) => seq)).toEqual([9, 10].filter((seq) => seq > 10 - journal.entries.length));
  expect(JSON.stringify(journal.entries).length).toBeLessThanOrEqual(510);
});
