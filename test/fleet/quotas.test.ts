import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { quotaFindings } from '../../src/cli/doctor/fleet-check.ts';
import { CallPace } from '../../src/fleet/station/call-pace.ts';
import { HeldNames } from '../../src/fleet/station/held-names.ts';
import { HostMemory } from '../../src/fleet/station/host-memory.ts';
import { Census } from '../../src/fleet/wire/census.ts';
import { FileStore } from '../../src/fleet/wire/file-store.ts';
import { FleetLine } from '../../src/fleet/wire/fleet-line.ts';
import { Names } from '../../src/fleet/wire/names.ts';
import { type Quota, quotaFrom } from '../../src/fleet/wire/quota.ts';
import { Fleet } from '../support/fleet.ts';
import { httpClient, type McpClient } from '../support/mcp-client.ts';

const patience = { timeout: 60_000, interval: 50 };
const c64 = { kind: 'c64', memoryMib: 25, isKept: false };
const log = () => {};

// Begun first: in the first seconds of a store no machine starts.
let fleet: Fleet;
let client: McpClient;

beforeAll(async () => {
  fleet = await Fleet.open();
  const quotas = ['machines=2', 'console=0', 'memory=80', 'calls=30'].flatMap((each) => ['--quota', each]);
  await fleet.station('a', ...quotas);
  client = await httpClient(await fleet.gateway(), 'modern');
}, 120_000);

afterAll(async () => {
  await client?.close();
  await fleet?.[Symbol.asyncDispose]();
});

test('a quota is a name and a number, and a name is known', () => {
  const kinds = ['c64', 'console'];
  expect(quotaFrom(['machines=3', 'console=1', 'memory=100'], kinds)).toEqual({
    quota: { machines: 3, console: 1, memory: 100 },
    problems: [],
  });
  for (const wrong of ['machines', 'machines=-1', 'vax=1', '=1', 'machines=99999999999', 'toString=1'])
    expect(quotaFrom([wrong], kinds).problems, wrong).toHaveLength(1);
  expect(quotaFrom(['c64=1', 'c64=2'], kinds).problems).toEqual([expect.stringContaining('twice')]);
});

test('calls are counted over the last minute', () => {
  let now = 500;
  const pace = new CallPace(3, () => now);
  for (const at of [500, 900, 30_000]) {
    now = at;
    expect(pace.refuse()).toBeUndefined();
  }
  expect(pace.refuse()).toMatchObject({ type: 'LIMIT_REACHED', data: { quota: 'calls', used: 3, retry_after_s: 30 } });
  now = 60_000;
  expect(pace.refuse()).toBeUndefined();
  expect(pace.refuse()).toBeUndefined();
  expect(pace.refuse()).toMatchObject({ data: { retry_after_s: 30 } });
  expect(new CallPace(0, () => now).refuse()).toMatchObject({ data: { limit: 0, used: 0 } });
});

test('memory that was promised a moment ago is not promised again', () => {
  let free = 100;
  const memory = new HostMemory(undefined, () => free);
  memory.take('a', 60);
  expect(memory.roomMib).toBe(40);
  expect(() => memory.take('b', 41)).toThrow(/has 40 MiB of memory for another machine, and this one may take 41/);
  memory.give('a');
  expect(memory.roomMib).toBe(100);
  const limited = new HostMemory(50, () => free);
  limited.keep('user', 45);
  expect(limited.roomMib).toBe(5);
  free = 3;
  expect(limited.roomMib).toBe(0);
});

test('doctor says where stations do not agree', () => {
  const describeAs = (quota: Quota) => JSON.stringify(quota);
  const [a, b] = [
    { host: 'a', quota: { machines: 3 } },
    { host: 'b', quota: { machines: 4 } },
  ];
  expect(quotaFindings([], describeAs)).toMatchObject([{ status: 'warn' }]);
  expect(quotaFindings([{ host: 'a', quota: {} }], describeAs)).toMatchObject([{ status: 'ok', detail: 'a' }]);
  expect(quotaFindings([a, { ...a, host: 'c' }], describeAs)).toMatchObject([{}, { check: 'quotas', status: 'ok' }]);
  expect(quotaFindings([a, b], describeAs)[1]).toMatchObject({
    status: 'warn',
    detail: 'stations do not agree: a: {"machines":3}; b: {"machines":4}',
  });
});

test('two hosts that claim at once never pass a quota together, also after the store was lost', async () => {
  await using fleet = await Fleet.open();
  const quota = { machines: 7, memory: 1000 };
  const hosts = await Promise.all(
    ['a', 'b'].map(async (host) => {
      const line = await FleetLine.open({ url: fleet.url, name: host, log });
      const names = new HeldNames({
        line,
        names: new Names(line),
        who: { host, incarnation: host },
        quota,
        memory: new HostMemory(),
        log,
      });
      await names.begin();
      return { line, names, mine: [] as string[] };
    }),
  );
  const [a, b] = hosts;
  if (!a || !b) throw new Error('two hosts');
  try {
    const claims = hosts.flatMap(({ names, mine }, host) =>
      Array.from({ length: 12 }, async (_, index) => {
        const name = `c64-${host}-${index}`;
        await names.claim(name, c64);
        mine.push(name);
      }),
    );
    const settled = await Promise.allSettled(claims);
    const refused = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(refused).toHaveLength(17);
    for (const error of refused)
      expect(error).toMatchObject({ type: 'LIMIT_REACHED', data: { quota: 'machines', limit: 7, used: 7 } });
    const held = async () => [...(await new Census(a.line).read()).records.keys()].sort();
    const mine = () => hosts.flatMap((each) => each.mine).sort();
    expect(await held()).toEqual(mine());
    // What the operator keeps is not counted, and what is released makes room.
    await a.names.claim('kept', { ...c64, isKept: true });
    const [first = ''] = a.mine.length > 0 ? a.mine : b.mine;
    await (a.mine.length > 0 ? a : b).names.release(first);
    await expect(b.names.claim('large', { ...c64, memoryMib: 851 })).rejects.toMatchObject({
      data: { quota: 'memory', limit: 1000, used: 150 },
    });
    await b.names.claim('fits', { ...c64, memoryMib: 850 });
    await b.names.release('fits');
    await b.names.claim('again', c64);
    await fleet.killServer(true);
    await fleet.startServer();
    await expect(a.names.claim('late', c64)).rejects.toMatchObject({ data: { quota: 'machines', used: 7 } });
  } finally {
    for (const { line, names } of hosts) {
      names.close();
      await line.close();
    }
  }
}, 120_000);

test('two writers never put more into the store than it takes, nor two files under one name', async () => {
  await using fleet = await Fleet.open();
  const lines = await Promise.all(['a', 'b'].map((name) => FleetLine.open({ url: fleet.url, name, log })));
  try {
    const stores = lines.map((line) => new FileStore(line, 1));
    const bytes = randomBytes(300_000);
    const writes = stores.flatMap((store, host) =>
      Array.from({ length: 4 }, (_, index) => store.store(`f-${host}-${index}`, bytes)),
    );
    const settled = await Promise.allSettled(writes);
    const refused = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(refused).toHaveLength(5);
    for (const error of refused) expect(error).toMatchObject({ type: 'LIMIT_REACHED', data: { quota: 'store' } });
    const [a, b] = stores;
    const names = [...((await a?.list()) ?? new Map()).keys()];
    for (const name of names) {
      expect(Buffer.from((await b?.readStored(name)) ?? []).equals(bytes)).toBe(true);
      if (name !== names[0]) await a?.delete(name);
    }
    const both = await Promise.allSettled(stores.map((store) => store.store('same', bytes)));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await b?.delete('same');
    await expect(a?.readStored('same')).rejects.toMatchObject({ type: 'NOT_FOUND' });
    // Nothing is left of those that were refused or deleted.
    const { manager } = (await lines[0]?.streams()) ?? {};
    expect((await manager?.streams.info('FP_PARTS'))?.state.messages).toBe(2);
  } finally {
    await Promise.all(lines.map((line) => line.close()));
  }
}, 60_000);

test('the minutes of a machine end, and those of one that was stopped do not', async () => {
  await using fleet = await Fleet.open();
  const line = await FleetLine.open({ url: fleet.url, name: 'a', log });
  const names = new HeldNames({
    ...{ line, names: new Names(line), who: { host: 'a', incarnation: 'a' }, log },
    quota: { minutes: 0.02 },
    memory: new HostMemory(),
  });
  try {
    await names.begin();
    const over: string[] = [];
    names.onOver = (name) => over.push(name);
    await names.claim('stopped', c64);
    await names.release('stopped');
    await names.claim('kept', { ...c64, isKept: true });
    await names.claim('short', c64);
    await vi.waitFor(() => expect(over).toContain('short'), patience);
    expect(over).toEqual(['short']);
  } finally {
    names.close();
    await line.close();
  }
}, 60_000);

describe('a station with quotas', () => {
  test('refuses what is too much with the way out, and says what may be', async () => {
    const boot = { boot: false };
    const first = await client.call('machine_start', { kind: 'c64', name: 'one', options: boot });
    expect(first.text).toMatch(/On host a\.$/);
    const large = await client.call('machine_start', { kind: 'dos', options: { memory: 2048 } });
    expect(large.text).toMatch(
      /quota of the team is 80 MiB of memory: 25 are in use, and this machine would take 56 more/,
    );
    const line = await client.call('machine_start', { kind: 'console', options: { tcp: '127.0.0.1:9' } });
    expect(line).toMatchObject({ isError: true });
    expect(line.text).toMatch(/quota of the team is 0 machines of kind console.*--quota console=NUMBER/s);
    await client.call('machine_start', { kind: 'c64', name: 'two', options: boot });
    const third = await client.call('machine_start', { kind: 'c64', options: boot });
    expect(third).toMatchObject({ isError: true });
    expect(third.text).toMatch(/quota of the team is 2 machines: 2 are in use.*machine_stop/s);
    const kinds = await client.call('machine_kinds', {});
    expect(kinds.text).toMatch(
      /quota of the team: 2 of 2 machines, 0 of 0 console, 30 calls a minute at each host, 80 MiB/,
    );
    expect((await client.call('machine_list', {})).text).toMatch(
      /Hosts: a 2\/32\. The quota of the team: 2 of 2 machines/,
    );
    const { stdout } = await fleet.sandbox.run(['doctor', '--quick', '--json', '--nats', fleet.url]);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; detail: string }[] };
    expect(findings.find(({ check }) => check === 'quotas')?.detail).toMatch(/^2 of 2 machines, .*50 of 80 MiB/);
  }, 120_000);

  test('takes so many calls a minute, and no more', async () => {
    const answers = [];
    for (let at = 0; at < 60 && answers.at(-1)?.isError !== true; at++)
      answers.push(await client.call('state_read', { machine: 'one' }));
    expect(answers.at(-1)).toMatchObject({ isError: true });
    expect(answers.at(-1)?.text).toMatch(/made 30 calls to this host in the last minute.*Try again in \d+ s/s);
  }, 60_000);
});
