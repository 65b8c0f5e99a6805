import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Fleet } from '../support/fleet.ts';
import { Guest } from '../support/guest.ts';
import { httpClient, type McpClient } from '../support/mcp-client.ts';

const patience = { timeout: 60_000, interval: 50 };

let fleet: Fleet;
let one: McpClient;
let other: McpClient;
let second: ChildProcess;

beforeAll(async () => {
  fleet = await Fleet.open();
  [, second] = await Promise.all([fleet.station('a'), fleet.station('b', '--label', 'room=3')]);
  const [first, next] = await Promise.all([fleet.gateway(), fleet.gateway()]);
  [one, other] = await Promise.all([httpClient(first, 'modern'), httpClient(next, 'legacy')]);
}, 180_000);

afterAll(async () => {
  await Promise.all([one?.close(), other?.close()]);
  await fleet?.[Symbol.asyncDispose]();
});

async function text(client: McpClient, tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const answer = await client.call(tool, args);
  if (answer.isError) throw new Error(answer.text);
  return answer.text;
}

async function stopAll(): Promise<void> {
  for (const [handle] of (await text(one, 'machine_list')).matchAll(
    /^[a-z0-9-]+(?= (?:PAUSED|RUNNING|LINK|BREAK))/gm,
  )) {
    await one.call('machine_stop', { machine: handle });
  }
}

afterEach(stopAll);

describe('one endpoint over two hosts', () => {
  test('machines are placed by label and by name of the host, and all tools reach them', async () => {
    const at3 = await text(one, 'machine_start', { kind: 'c64', options: { on: 'room=3', boot: false } });
    expect(at3).toMatch(/On host b\.$/);
    const atA = await text(one, 'machine_start', { kind: 'c64', name: 'mine', options: { on: 'a', boot: false } });
    expect(atA).toMatch(/On host a\.$/);
    const list = await text(one, 'machine_list');
    expect(list).toMatch(/^c64-1 .*\n.*\n {2}on host b$/m);
    expect(list).toMatch(/^mine .*\n.*\n {2}on host a$/m);
    expect(list).toMatch(/Hosts: a 1\/32, b 1\/32 \(room=3\)\.$/);
    await text(one, 'memory_write', { machine: 'mine', address: '$c000', bytes: '11 22' });
    expect(await text(one, 'memory_read', { machine: 'mine', address: '$c000', length: 2 })).toContain('11 22');
    expect(await text(one, 'memory_read', { machine: 'c64-1', address: '$c000', length: 2 })).not.toContain('11 22');
    const steps = [{ tool: 'memory_read', arguments: { machine: 'mine', address: '$c000', length: 2 } }];
    expect(await text(one, 'batch', { steps })).toContain('11 22');
    const found = { tool: 'memory_search', arguments: { machine: 'mine', pattern: '11 22' } };
    expect(await text(one, 'tool_find', found)).toMatch(/\$C000/i);
  });

  test.each([
    ['room=4', 'No host of the fleet has the label "room=4"'],
    ['c', 'No host of the fleet is called "c"'],
  ])('nowhere to go is said at once: %s', async (on, why) => {
    const answer = await one.call('machine_start', { kind: 'c64', options: { on } });
    expect(answer).toMatchObject({ isError: true });
    expect(answer.text).toMatch(new RegExp(`${why}\\. Hosts: a 0/32.*\\n.*Use the name of a host`));
  });

  test('what is started through one gateway is there at the other at once, and its name is taken', async () => {
    await text(one, 'machine_start', { kind: 'c64', name: 'x', options: { boot: false } });
    expect(await text(other, 'state_read', { machine: 'x' })).toMatch(/^x /);
    const again = await other.call('machine_start', { kind: 'c64', name: 'x', options: { boot: false } });
    expect(again).toMatchObject({ isError: true });
    expect(again.text).toMatch(/A machine named x is already running/);
    expect(await text(other, 'machine_stop', { machine: 'x' })).toMatch(/^x OFF/);
    await text(one, 'machine_start', { kind: 'c64', name: 'x', options: { boot: false } });
  });

  test('confirmations, errors with advice and images pass', async () => {
    await text(one, 'machine_start', { kind: 'c64', name: 'c' });
    const shown = await one.call('screen_read', { machine: 'c', mode: 'image' });
    expect(shown.content.map(({ type }) => type)).toContain('image');
    const wrong = await one.call('console_read', { machine: 'c' });
    expect(wrong.text).toMatch(/has no console/);
    expect(JSON.stringify(wrong.meta)).toContain('"error_type":"MISSING_CAPABILITY"');
    const nobody = await one.call('pause', { machine: 'nobody' });
    expect(nobody.text).toMatch(/No machine "nobody".*Alive: c\./s);
  });

  test('events have the same numbers at all gateways, without a hole', async () => {
    for (const on of ['a', 'b', 'a']) {
      await text(one, 'machine_start', { kind: 'c64', name: `event-${on}`, options: { on, boot: false } });
      await text(one, 'machine_stop', { machine: `event-${on}` });
    }
    interface Told {
      readonly seq: number;
      readonly machine: string;
      readonly type: string;
    }
    const read = async (client: McpClient) =>
      (JSON.parse(await text(client, 'events_read', { format: 'json' })) as { events: Told[] }).events;
    const own = (events: readonly Told[]) => events.filter(({ machine }) => machine.startsWith('event-'));
    await vi.waitFor(async () => expect(own(await read(one))).toHaveLength(6), patience);
    const events = await read(one);
    expect(
      own(events)
        .map(({ machine, type }) => `${machine} ${type}`)
        .sort(),
    ).toEqual(['a', 'a', 'b'].flatMap((on) => [`event-${on} machine_started`, `event-${on} machine_stopped`]).sort());
    // Nothing is missing between them, whatever else was told.
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => (events[0]?.seq ?? 0) + index));
    await vi.waitFor(async () => expect((await read(other)).slice(0, events.length)).toEqual(events), patience);
  });

  test('resources of all hosts are listed and read, and changes are told', async () => {
    await text(one, 'machine_start', { kind: 'c64', name: 'r', options: { on: 'b', boot: false } });
    await vi.waitFor(async () => {
      const uris = (await other.listResources()).resources.map(({ uri }) => uri);
      expect(uris).toContain('machine://r/status');
    }, patience);
    const { contents } = await other.readResource({ uri: 'machine://r/status' });
    expect(JSON.stringify(contents)).toContain('r PAUSED');
    await other.subscribeResource({ uri: 'machine://r/status' });
    await text(one, 'run', { machine: 'r', frames: 2 });
    await vi.waitFor(
      () => expect(other.updates).toContainEqual(expect.objectContaining({ uri: 'machine://r/status' })),
      patience,
    );
  });

  test('a snapshot in the store goes on at another host, with the same memory', async () => {
    await text(one, 'machine_start', { kind: 'c64', name: 'from', options: { on: 'a', boot: false } });
    await text(one, 'memory_write', { machine: 'from', address: '$c000', bytes: '01 02 03 04' });
    const saved = { machine: 'from', name: 's', path: 'store:level1.fpsnap' };
    expect(await text(one, 'snapshot_save', saved)).toMatch(/bytes in store:level1\.fpsnap$/);
    const again = await one.call('snapshot_save', { ...saved, name: 't' });
    expect(again.text).toMatch(/store:level1\.fpsnap already exists.*nothing in the store is replaced/s);
    const to = { kind: 'c64', name: 'to', snapshot: 'store:level1.fpsnap', options: { on: 'b' } };
    expect(await text(other, 'machine_start', to)).toMatch(/On host b\.$/);
    for (const [address, length] of [
      ['$c000', 4],
      ['$0000', 1024],
    ])
      expect(await text(other, 'memory_read', { machine: 'to', address, length })).toBe(
        (await text(one, 'memory_read', { machine: 'from', address, length })).replaceAll('from', 'to'),
      );
    const none = await one.call('machine_start', { kind: 'c64', snapshot: 'store:level2.fpsnap' });
    expect(none.text).toMatch(/There is no store:level2\.fpsnap\..*has store:level1\.fpsnap/s);
    const wrong = await one.call('machine_start', { kind: 'c64', snapshot: 'store:../level1.fpsnap' });
    expect(wrong.text).toMatch(/is not a valid name for a file in the store/);
    const file = join(fleet.sandbox.dir, 'out.fpsnap');
    const store = async (...args: readonly string[]) => fleet.sandbox.run(['store', ...args, '--nats', fleet.url]);
    expect((await store('list')).stdout).toMatch(/^level1\.fpsnap {2}\d+ bytes/);
    await store('get', 'level1.fpsnap', file);
    expect(await store('put', 'copy', file)).toMatchObject({ code: 0 });
    expect(await store('delete', 'level1.fpsnap')).toMatchObject({ code: 0 });
    expect((await store('list')).stdout).toMatch(/^copy {2}\d+ bytes.*\n$/);
    expect((await store('delete', 'level1.fpsnap')).stderr).toMatch(/There is no level1\.fpsnap/);
    expect(await text(other, 'machine_start', { ...to, name: 'third', snapshot: 'store:copy' })).toMatch(
      /On host b\.$/,
    );
  });

  test('a console of another host is used, and its names are claimed as well', async () => {
    await using guest = await Guest.listen();
    const handle = await one.startConsole(guest.port, { on: 'b' }, 'line');
    expect(handle).toBe('line');
    await guest.print('login: ');
    expect(await text(other, 'console_read', { machine: 'line', expect: 'login:' })).toContain('login:');
    await text(other, 'console_send', { machine: 'line', text: 'root' });
    await vi.waitFor(() => expect(guest.received).toContain('root'), patience);
    // Over the sockets that the gateways have: the station's are under its own process.
    const pids = [fleet.gatewayPids[0], fleet.gatewayPids[1]];
    for (const pid of pids) {
      const attached = fleet.sandbox.spawn(['attach', `${pid}/line`]);
      let seen = '';
      attached.stdout.on('data', (part) => {
        seen += part;
      });
      await guest.print(`hello ${pid}\r\n`);
      await vi.waitFor(() => expect(seen).toContain(`hello ${pid}`), patience);
      attached.stdin.end(`typed at ${pid}\n`);
      await vi.waitFor(() => expect(guest.received).toContain(`typed at ${pid}`), patience);
      attached.kill();
    }
  });

  test('a second station of the same name is refused', async () => {
    const twin = await fleet.sandbox.run(['station', '--nats', fleet.url, '--host-name', 'a']);
    expect(twin).toMatchObject({ code: 1, stderr: expect.stringMatching(/already has a station named a/) });
  });

  test('a station that ends takes its machines along, and says so', async () => {
    await text(one, 'machine_start', { kind: 'c64', name: 'last', options: { on: 'b', boot: false } });
    second.kill('SIGTERM');
    await once(second, 'exit');
    await vi.waitFor(async () => expect(await text(one, 'machine_list')).toMatch(/Hosts: a 0\/32\.$/), patience);
    const gone = await one.call('state_read', { machine: 'last' });
    expect(gone.text).toMatch(/last was on host b and is gone: it has left/);
    await vi.waitFor(
      async () => expect(await text(other, 'events_read')).toContain('last machine_stopped: its server ended'),
      patience,
    );
    await text(one, 'machine_start', { kind: 'c64', name: 'last', options: { boot: false } });
  });
});
