import type { ChildProcess } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { FleetLine } from '../../src/fleet/wire/fleet-line.ts';
import { Names } from '../../src/fleet/wire/names.ts';
import { ensureStreams } from '../../src/fleet/wire/streams.ts';
import { subjects } from '../../src/fleet/wire/subjects.ts';
import { Fleet, killed } from '../support/fleet.ts';
import type { HttpProgram } from '../support/http-program.ts';
import { httpClient, type McpClient } from '../support/mcp-client.ts';

const patience = { timeout: 60_000, interval: 50 };
/** INC $C100, JMP $C000: counts how often it was run, two instructions a round. */
const counter = 'EE 00 C1 4C 00 C0';

let fleet: Fleet;
let gateways: readonly HttpProgram[];
let one: McpClient;
let other: McpClient;
let a: ChildProcess;

beforeAll(async () => {
  fleet = await Fleet.open();
  [a] = await Promise.all([fleet.station('a'), fleet.station('b')]);
  gateways = await Promise.all([fleet.gateway(), fleet.gateway()]);
  const [first, next] = gateways;
  if (!first || !next) throw new Error('no gateways');
  [one, other] = await Promise.all([httpClient(first, 'modern'), httpClient(next, 'modern')]);
}, 180_000);

afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
});

afterEach(async () => {
  // A test that failed may have left it stopped.
  a.kill('SIGCONT');
  const { machines } = JSON.parse(await text(other, 'machine_list', { format: 'json' })) as {
    machines: { machine: string }[];
  };
  for (const { machine } of machines) await other.call('machine_stop', { machine });
});

async function text(client: McpClient, tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const answer = await client.call(tool, args);
  if (answer.isError) throw new Error(answer.text);
  return answer.text;
}

async function startCounter(name: string, on: string): Promise<void> {
  await text(one, 'machine_start', { kind: 'c64', name, options: { on, boot: false } });
  await text(one, 'memory_write', { machine: name, address: '$c000', bytes: counter });
  await text(one, 'registers_write', { machine: name, values: { PC: '$C000' } });
  await text(one, 'memory_write', { machine: name, address: '$c100', bytes: '00' });
}

/** All from this number on, however many answers they take. */
async function eventsFrom(client: McpClient, from: number) {
  const events: { seq: number; type: string; machine: string }[] = [];
  for (let next = from; ; ) {
    const page = JSON.parse(await text(client, 'events_read', { from: next, format: 'json' })) as {
      events: typeof events;
      next: number;
      left_out: number;
    };
    events.push(...page.events);
    next = page.next;
    if (page.left_out === 0) return { events, next };
  }
}

async function counted(machine: string): Promise<number> {
  const dump = await text(other, 'memory_read', { machine, address: '$c100', length: 1 });
  return Number.parseInt(/\$C100\s+([0-9A-F]{2})/i.exec(dump)?.[1] ?? '', 16);
}

/** One step after the other until it is told to end; each must be answered well. */
function stepping(client: McpClient, machine: string) {
  let isOver = false;
  let calls = 0;
  const errors: string[] = [];
  const done = (async () => {
    while (!isOver) {
      calls++;
      const answer = await client.call('step', { machine, count: 2 }, { timeout: 60_000 });
      if (answer.isError) errors.push(answer.text);
    }
  })();
  // Who waits for it hears of it.
  done.catch(() => {});
  return {
    get calls() {
      return calls;
    },
    async end(): Promise<{ readonly calls: number; readonly errors: readonly string[] }> {
      isOver = true;
      await done;
      return { calls, errors };
    },
  };
}

test.each([
  ['comes back with its store', false],
  ['loses its store', true],
])(
  'the server dies for five seconds and %s: no call fails, none is carried out twice, nothing is lost',
  async (_, loses) => {
    await startCounter('left', 'a');
    await startCounter('right', 'b');
    const [left, right] = [stepping(one, 'left'), stepping(other, 'right')];
    await vi.waitFor(() => expect(left.calls + right.calls).toBeGreaterThan(10), patience);
    await fleet.killServer(loses);
    await setTimeout(5000);
    await fleet.startServer();
    const [before, beside] = [left.calls, right.calls];
    await vi.waitFor(() => {
      expect(left.calls).toBeGreaterThan(before + 5);
      expect(right.calls).toBeGreaterThan(beside + 5);
    }, patience);
    for (const [machine, load] of [
      ['left', left],
      ['right', right],
    ] as const) {
      const { calls, errors } = await load.end();
      expect(errors).toEqual([]);
      expect(await counted(machine)).toBe(calls & 0xff);
    }
    // The names are written down again: nobody else gets them.
    await vi.waitFor(async () => {
      const again = await other.call('machine_start', { kind: 'c64', name: 'left', options: { on: 'b', boot: false } });
      expect(again.text).toMatch(/A machine named left is already running/);
    }, patience);
  },
  180_000,
);

test('a station that is stopped for long is told of, and loses nothing', async () => {
  await startCounter('still', 'a');
  await vi.waitFor(async () => expect(await text(other, 'machine_list')).toMatch(/^still PAUSED/m), patience);
  a.kill('SIGSTOP');
  const waiting = one.call('step', { machine: 'still', count: 2 }, { timeout: 60_000 });
  await vi.waitFor(
    async () => expect(await text(other, 'machine_list')).toMatch(/still .*\n.*UNREACHABLE: not heard of for/),
    patience,
  );
  a.kill('SIGCONT');
  expect(await waiting).toMatchObject({ isError: false });
  expect(await counted('still')).toBe(1);
}, 180_000);

test('a machine that was given up is stopped when its host comes back', async () => {
  await text(one, 'machine_start', { kind: 'c64', name: 'x', options: { on: 'a', boot: false } });
  await vi.waitFor(async () => expect(await text(other, 'machine_list')).toMatch(/^x PAUSED/m), patience);
  a.kill('SIGSTOP');
  await vi.waitFor(async () => expect(await text(one, 'machine_list')).toContain('UNREACHABLE'), patience);
  expect(await text(one, 'machine_stop', { machine: 'x' })).toMatch(/^x is given up/);
  await text(other, 'machine_start', { kind: 'c64', name: 'x', options: { on: 'b', boot: false } });
  a.kill('SIGCONT');
  await vi.waitFor(async () => {
    const { hosts } = JSON.parse(await text(other, 'machine_list', { format: 'json' })) as {
      hosts: { host: string; machines: number; silent_s?: number }[];
    };
    expect(hosts).toMatchObject([
      { host: 'a', machines: 0 },
      { host: 'b', machines: 1 },
    ]);
    expect(hosts[0]).not.toHaveProperty('silent_s');
  }, patience);
  const events = async () => text(one, 'events_read', { machine: 'x' });
  await vi.waitFor(async () => expect(await events()).toContain('given up by the fleet'), patience);
  for (const client of [one, other]) expect(await text(client, 'state_read', { machine: 'x' })).toMatch(/^x PAUSED/);
}, 180_000);

test('one of a thousand who want a name at once gets it, and nobody gets two', async () => {
  const lines = await Promise.all(['p', 'q'].map((name) => FleetLine.open({ url: fleet.url, name, log: () => {} })));
  const [first, next] = lines;
  if (!first || !next) throw new Error('no lines');
  await ensureStreams((await first.streams()).manager);
  const [p, q] = [new Names(first), new Names(next)];
  const winners: string[] = [];
  const c64 = { kind: 'c64', memoryMib: 25, isKept: false };
  for (let round = 0; round < 100; round++) {
    await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const name = `race-${round * 10 + index}`;
        const both = await Promise.allSettled([
          p.claim(name, { host: 'p', incarnation: '1' }, c64),
          q.claim(name, { host: 'q', incarnation: '1' }, c64),
        ]);
        expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        const winner = both[0].status === 'fulfilled' ? 'p' : 'q';
        winners.push(winner);
        expect((await p.find(name))?.host).toBe(winner);
      }),
    );
  }
  expect(winners).toHaveLength(1000);
  await Promise.all(lines.map((line) => line.close()));
}, 180_000);

test('of two hosts that are told to start a machine of one name one does, and nothing of the other is left', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `both-${index}`);
  const start = (client: McpClient, name: string, on: string) =>
    client.call('machine_start', { kind: 'c64', name, options: { on, boot: false } });
  const won = { a: 0, b: 0 };
  for (let first = 0; first < names.length; first += 10) {
    await Promise.all(
      names.slice(first, first + 10).map(async (name) => {
        const both = await Promise.all([start(one, name, 'a'), start(other, name, 'b')]);
        expect(both.map(({ isError }) => isError).sort()).toEqual([false, true]);
        won[both[0].isError ? 'b' : 'a'] += 1;
      }),
    );
    await vi.waitFor(async () => {
      const { hosts } = JSON.parse(await text(one, 'machine_list', { format: 'json' })) as {
        hosts: { host: string; machines: number }[];
      };
      expect(Object.fromEntries(hosts.map(({ host, machines }) => [host, machines]))).toEqual(won);
    }, patience);
    for (const name of names.slice(first, first + 10)) {
      await vi.waitFor(
        async () => expect(await text(other, 'machine_stop', { machine: name })).toMatch(/OFF/),
        patience,
      );
    }
    won.a = 0;
    won.b = 0;
  }
}, 180_000);

test('what a stranger writes in the place of a name is none: its holder writes it down again, and others can have it', async () => {
  const line = await FleetLine.open({ url: fleet.url, name: 'stranger', log: () => {} });
  try {
    const { client } = await line.streams();
    const names = new Names(line);
    await one.call('machine_start', { kind: 'c64', name: 'kept', options: { boot: false } });
    const holder = await names.find('kept');
    for (const junk of ['AAAA', '{"host":5}', '']) {
      await client.publish(subjects.name('kept'), junk);
      await vi.waitFor(async () => expect(await names.find('kept')).toMatchObject({ host: holder?.host }), patience);
      await client.publish(subjects.name('free'), junk);
      const who = { host: 'c', incarnation: 'x' };
      const revision = await names.claim('free', who, { kind: 'c64', memoryMib: 1, isKept: false });
      await names.release('free', revision);
    }
    expect(await text(other, 'machine_list')).toContain('kept PAUSED');
  } finally {
    await line.close();
  }
});

test('a station is killed: its calls are answered, others are not disturbed, and it comes back empty', async () => {
  await startCounter('dies', 'a');
  await startCounter('lives', 'b');
  const load = stepping(other, 'lives');
  const waiting = one.call('run', { machine: 'dies', timeout_ms: 50_000 }, { timeout: 60_000 });
  await vi.waitFor(async () => expect(await text(other, 'machine_list')).toMatch(/^dies RUNNING/m), patience);
  await killed(a);
  const answer = await waiting;
  expect(answer.isError).toBe(true);
  expect(answer.text).toMatch(/Host a did not answer run: .* It is not known whether the call was carried out/);
  const later = await one.call('memory_write', { machine: 'dies', address: '$c000', bytes: '01' });
  expect(later.text).toMatch(
    /Host a did not run memory_write: it was not available \(its connection broke\)\. Nothing was done/,
  );
  a = await fleet.station('a');
  await vi.waitFor(async () => {
    const gone = await one.call('state_read', { machine: 'dies' });
    expect(gone.text).toMatch(/dies was on host a and is gone: it was started anew/);
  }, patience);
  await vi.waitFor(
    async () => expect(await text(one, 'events_read', { machine: 'dies' })).toContain('host a ended unexpectedly'),
    patience,
  );
  // Its name went with it.
  await text(one, 'machine_start', { kind: 'c64', name: 'dies', options: { on: 'b', boot: false } });
  const { calls, errors } = await load.end();
  expect(errors).toEqual([]);
  expect(await counted('lives')).toBe(calls & 0xff);
}, 180_000);

test('a gateway is killed: the other goes on with the same machines, and no event is missing', async () => {
  await startCounter('m', 'a');
  const from = (await eventsFrom(one, 0)).next;
  await text(one, 'machine_start', { kind: 'c64', name: 'n', options: { on: 'b', boot: false } });
  const [first, next] = gateways;
  if (!first || !next) throw new Error('no gateways');
  const uri = 'machine://m/status';
  const earlier = await httpClient(first, 'legacy');
  await earlier.subscribeResource({ uri });
  await text(other, 'step', { machine: 'm', count: 2 });
  await vi.waitFor(() => expect(earlier.updates).toContainEqual(expect.objectContaining({ uri })), patience);
  await killed(first.child);
  const subscriber = await httpClient(next, 'legacy');
  await text(other, 'machine_stop', { machine: 'n' });
  await vi.waitFor(async () => {
    const { events } = await eventsFrom(other, from);
    // Of machines before it something may still have been on its way.
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => from + index));
    expect(events.filter(({ machine }) => machine === 'n').map(({ type }) => type)).toEqual([
      'machine_started',
      'machine_stopped',
    ]);
  }, patience);
  // Who had subscribed at the one that died is told at the other.
  await subscriber.subscribeResource({ uri });
  const told = subscriber.updates.length;
  await text(other, 'step', { machine: 'm', count: 2 });
  await vi.waitFor(
    () => expect(subscriber.updates.slice(told)).toContainEqual(expect.objectContaining({ uri })),
    patience,
  );
  await subscriber.close();
  expect(await counted('m')).toBe(2);
}, 180_000);
