import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ToolHost } from '../../src/api/tool-host.ts';
import type { Viewer, WatchedPicture } from '../../src/api/watch.ts';
import { versionFinding } from '../../src/cli/doctor/nats-check.ts';
import { natsProblems } from '../../src/cli/fleet-line.ts';
import { Gateway } from '../../src/fleet/gateway/gateway.ts';
import { RemoteWatch } from '../../src/fleet/gateway/remote-watch.ts';
import { FleetLine } from '../../src/fleet/wire/fleet-line.ts';
import { letsAccountsIn } from '../../src/fleet/wire/server-version.ts';
import { DroppedFiles } from '../../src/host/files/dropped-files.ts';
import { kinds } from '../../src/machines/index.ts';
import { LocalToolHost } from '../../src/station/local-tool-host.ts';
import { Confirmations } from '../../src/tools/confirmations.ts';
import { tools } from '../../src/tools/index.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { makeRack } from '../make-rack.ts';
import { Fleet, saidBy } from '../support/fleet.ts';
import { httpClient } from '../support/mcp-client.ts';

const patience = { timeout: 60_000, interval: 20 };
const caller = { client: 'test', role: 'own', signal: new AbortController().signal, progress() {} } as const;
const person = { client: 'Ann', role: 'own', person: 'ann' } as const;

describe('people at a gateway', () => {
  let fleet: Fleet;
  let gateway: Gateway;
  let host: ToolHost;

  beforeAll(async () => {
    // The configuration that the documentation gives: nothing of this needs more rights than a host has there.
    fleet = await Fleet.open(documentedConfig());
    const line = await FleetLine.open({ url: as('gateway'), name: 'test', log: () => {} });
    gateway = new Gateway(line, 100, () => {});
    const rack = makeRack(kinds);
    const confirmations = new Confirmations(false, () => '');
    const failed = (error: unknown) => {
      throw error;
    };
    const toolbox = new Toolbox(tools, ['all'], rack, confirmations, failed, gateway.elsewhere);
    const files = new DroppedFiles(rack.files);
    const local = new LocalToolHost(toolbox, (name, bytes) => files.drop(name, bytes));
    const parts = { events: rack.events, memoryOf: rack.memoryOf.bind(rack), files };
    host = await gateway.open(local, parts, mkdtempSync(join(fleet.sandbox.dir, 'g')));
    await fleet.station('lab1', '--nats', as('lab1'));
    await vi.waitFor(async () => expect(await listed()).toMatch(/lab1 0\/\d/), patience);
    const started = await host.call('machine_start', { kind: 'c64', name: 'c', options: { clock: 'real' } }, caller);
    expect(started.type).toBe('answer');
    await vi.waitFor(() => expect(host.machines()).toMatchObject([{ handle: 'c', canRewind: true }]), patience);
  }, 180_000);

  afterAll(async () => {
    await gateway?.close();
    await fleet?.[Symbol.asyncDispose]();
  });

  const as = (user: string) => fleet.url.replace('//', `//${user}:${encodeURIComponent(`secret of ${user}`)}@`);
  const listed = async () => {
    const outcome = await host.call('machine_list', {}, caller);
    return outcome.type === 'answer' ? outcome.answer.text : '';
  };

  function viewer(
    isReady: () => boolean,
  ): Viewer & { readonly pictures: WatchedPicture[]; readonly inputs: unknown[] } {
    const pictures: WatchedPicture[] = [];
    const inputs: unknown[] = [];
    return {
      ...{ pictures, inputs, isReady, isLooking: () => true, sound() {}, terminal() {}, typing() {}, trouble() {} },
      picture: (picture) => pictures.push(picture),
      input: (input) => inputs.push(input),
    };
  }

  test('see the pictures of a machine, use it, and see that in its memory', async () => {
    const ann = viewer(() => true);
    const watch = host.watch('c', undefined, person, ann);
    await vi.waitFor(() => expect(ann.pictures.length).toBeGreaterThan(3), patience);
    const [first] = ann.pictures;
    expect(first?.pixels.length).toBe((first?.width ?? 0) * (first?.height ?? 0));
    expect(first?.palette.length).toBeGreaterThan(0);
    await vi.waitFor(() => expect(ann.inputs.length).toBeGreaterThan(0), patience);
    await watch?.act({ type: 'paste', text: 'POKE 49152,77\n' });
    await vi.waitFor(async () => {
      const read = await host.call('memory_read', { machine: 'c', address: '$c000', length: 1 }, caller);
      expect(read).toMatchObject({ answer: { text: expect.stringMatching(/\$C000\s+4D/) } });
    }, patience);
    watch?.close();
  });

  test('calls have their place on the film of the machine', async () => {
    await host.call('memory_read', { machine: 'c', address: '$0400' }, caller);
    expect(host.calls(0)).toContainEqual(
      expect.objectContaining({ tool: 'memory_read', machine: 'c', time: expect.any(Number) }),
    );
  });

  test('who does not keep up gets no pictures, and the machine goes on', async () => {
    let isReady = true;
    const slow = viewer(() => isReady);
    const watch = host.watch('c', undefined, person, slow);
    await vi.waitFor(() => expect(slow.pictures.length).toBeGreaterThan(0), patience);
    isReady = false;
    const had = slow.pictures.length;
    const quick = viewer(() => true);
    const beside = host.watch('c', undefined, person, quick);
    await vi.waitFor(() => expect(quick.pictures.length).toBeGreaterThan(20), patience);
    expect(slow.pictures.length).toBe(had);
    isReady = true;
    await vi.waitFor(() => expect(slow.pictures.length).toBeGreaterThan(had), patience);
    watch?.close();
    beside?.close();
  });

  test('a picture that was on its way to somebody who became busy is shown when they are not', async () => {
    let isReady = false;
    let send: (message: { readonly head: Record<string, unknown>; readonly body: Uint8Array }) => void = () => {};
    const late = viewer(() => isReady);
    const watch = new RemoteWatch(late, (take) => {
      send = take;
      return { isClosed: false, memory: undefined, send() {}, close() {} };
    });
    const head = { t: 'picture', width: 1, height: 1, palette: 3, bytes: 4 };
    for (const pixel of [7, 8]) send({ head, body: Uint8Array.of(1, 2, 3, pixel) });
    expect(late.pictures).toEqual([]);
    isReady = true;
    await vi.waitFor(() => expect(late.pictures.map(({ pixels }) => [...pixels])).toEqual([[8]]), patience);
    watch.close();
  });

  test('look at all machines in small, at one moment of one, and take it', async () => {
    const glimpse = await host.glimpse('c');
    expect(glimpse?.picture?.pixels.length).toBeGreaterThan(0);
    const seen = await host.inspect('c', [{ tool: 'state_read', arguments: {} }], { ...caller, ...person });
    expect(seen?.outcomes).toMatchObject([{ type: 'answer' }]);
    await host.take('c', person);
    const denied = await host.call('machine_reset', { machine: 'c' }, caller);
    expect(denied).toMatchObject({ type: 'error', error: { type: 'HELD' } });
    await vi.waitFor(() => expect(host.machines()[0]?.holder?.name).toBe('Ann'), patience);
    const waiting = host.call('machine_list', { wait_for: 'c' }, caller);
    await host.handBack('c', person, 'yours');
    const notes = ['Ann had c in their hands and gave it back: “yours”'];
    expect(await waiting).toMatchObject({ type: 'answer', answer: { data: { notes } } });
    await host.rename('c', 'Mine', person);
    await vi.waitFor(() => expect(host.machines()[0]).toMatchObject({ title: 'Mine' }), patience);
    await expect(host.rename('c', 'x', { ...person, role: 'observe' })).rejects.toMatchObject({ type: 'DENIED' });
  });

  test('see how the screen was around a call', async () => {
    await host.call('machine_reset', { machine: 'c' }, caller);
    const reset = host.calls(0).findLast(({ tool }) => tool === 'machine_reset');
    const png = expect.stringMatching(/^iVBORw0KGgo/);
    await vi.waitFor(async () => expect(await host.recorded(reset?.seq ?? 0)).toMatchObject({ before: png }), patience);
  });

  test('bring a file, which is where the machine is when a call names it', async () => {
    const path = host.drop('answer.prg', Uint8Array.of(0x00, 0xc0, 0xa9, 0x2a, 0x60), person);
    expect(() => host.drop('x', Uint8Array.of(1), { ...person, role: 'observe' })).toThrow(/Bringing a file/);
    const run = await host.call('program_run', { machine: 'c', path }, caller);
    expect(run).toMatchObject({ type: 'answer' });
    const read = await host.call('memory_read', { machine: 'c', address: '$c000', length: 3 }, caller);
    expect(read).toMatchObject({ answer: { text: expect.stringMatching(/\$C000\s+A9 2A 60/) } });
    const missing = await host.call('program_run', { machine: 'c', path: 'dropped:other.prg' }, caller);
    expect(missing).toMatchObject({ error: { message: expect.stringContaining('never dropped') } });
  });

  test('a machine goes where there is memory for it, and a host hears nothing that is for another', async () => {
    await fleet.station('lab2', '--nats', as('lab2'), '--max-memory', '30');
    await vi.waitFor(async () => expect(await listed()).toMatch(/lab2 0\/\d/), patience);
    const start = (name: string, options: object) =>
      host.call('machine_start', { kind: 'c64', name, options: { boot: false, ...options } }, caller);
    expect(await start('small', { on: 'lab2' })).toMatchObject({ answer: { data: { host: 'lab2' } } });
    const full = await start('more', { on: 'lab2' });
    expect(full).toMatchObject({ error: { type: 'LIMIT_REACHED', message: expect.stringContaining('5 MiB') } });
    expect(await start('else', {})).toMatchObject({ answer: { data: { host: 'lab1' } } });
    const spy = await connect({ ...spyOptions(as('lab2')), inboxPrefix: 'fp.i.lab2' });
    const heard: string[] = [];
    const refused: string[] = [];
    void (async () => {
      for await (const status of spy.status()) if (status.type === 'error') refused.push(String(status.error));
    })();
    const foreign = [
      'fp.>',
      'fp.h.lab1.call',
      'fp.c.lab1.*.up',
      'fp.c.lab1.*.down',
      'fp.r.>',
      'fp.news.lab1',
      '_INBOX.>',
    ];
    for (const subject of [...foreign, 'fp.h.lab2.call'])
      spy.subscribe(subject, { callback: (error, { subject }) => void (error ?? heard.push(subject)) });
    await vi.waitFor(() => expect(refused).toHaveLength(foreign.length), patience);
    await host.call('state_read', { machine: 'else' }, caller);
    await host.call('state_read', { machine: 'small' }, caller);
    await vi.waitFor(() => expect(heard).toContain('fp.h.lab2.call'), patience);
    expect(heard).toEqual(heard.filter((subject) => subject === 'fp.h.lab2.call'));
    await spy.close();
  });
});

function spyOptions(url: string) {
  const { host, username, password } = new URL(url);
  return { servers: host, user: username, pass: decodeURIComponent(password) };
}

/** What readers are told to write, without TLS, and with the same hosts. */
function documentedConfig(): string {
  const text = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8');
  const [, config = ''] = /```hcl\n(authorization \{\n[\s\S]*?)```/.exec(text) ?? [];
  expect(config).toContain('fp.h.lab1.>');
  return config;
}

test('a server beyond this computer needs TLS and credentials', () => {
  expect(natsProblems('nats://127.0.0.1:4222', false, false)).toEqual([]);
  expect(natsProblems('nats://lab:4222', false, false)).toHaveLength(2);
  expect(natsProblems('tls://lab:4222', false, false)).toEqual([expect.stringContaining('credentials')]);
  expect(natsProblems('nats://u:p@lab:4222', false, false)).toEqual([expect.stringContaining('TLS')]);
  expect(natsProblems('tls://lab:4222', true, false)).toEqual([]);
  expect(natsProblems('nats://u:p@lab:4222', false, true)).toEqual([]);
  expect(natsProblems('http://u:secret@lab', false, true)).toEqual([expect.not.stringContaining('secret')]);
});

test('doctor knows the server, its version and its holes', async () => {
  await using fleet = await Fleet.open();
  const { stdout } = await fleet.sandbox.run(['doctor', '--json', '--nats', fleet.url]);
  const found = (JSON.parse(stdout) as { findings: { check: string; detail: string }[] }).findings;
  expect(found.find(({ check }) => check === 'NATS')?.detail).toMatch(/^server 2\.\d+\.\d+ with JetStream/);
  for (const bad of ['2.9.10', '2.10.26', '2.11.0']) expect(versionFinding(bad).status).toBe('warn');
  for (const good of ['2.10.27', '2.11.1', '2.12.0', '3.0.0']) expect(versionFinding(good).status).toBe('ok');
}, 180_000);

test('without --nats nothing of NATS is loaded', async () => {
  await using fleet = await Fleet.open();
  const [hooks, load] = ['hooks.mjs', 'load.mjs'].map((name) => join(fleet.sandbox.dir, name));
  writeFileSync(
    hooks ?? '',
    'export async function resolve(name, context, next) { if (name.startsWith("@nats-io")) throw new Error("NATS was loaded"); return next(name, context); }',
  );
  writeFileSync(load ?? '', `import { register } from 'node:module';\nregister('file://${hooks}');\n`);
  const env = { NODE_OPTIONS: `--import ${load}` };
  const call = await fleet.sandbox.run(['call', 'machine_kinds', '{}'], { env });
  expect(call).toMatchObject({ code: 0, stdout: expect.stringContaining('c64') });
  const served = fleet.sandbox.spawn(['--threads', '1', '--page', 'off'], { env });
  const answered = saidBy(served, /Can: control/);
  const say = (id: number, method: string, params: unknown) =>
    served.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  say(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  say(2, 'tools/call', { name: 'machine_start', arguments: { kind: 'c64', options: { boot: false } } });
  await answered;
  const station = await fleet.sandbox.run(['station', '--nats', fleet.url], { env });
  expect(station.code).not.toBe(0);
  expect(station.stderr).toContain('NATS was loaded');
}, 180_000);

test('teams see nothing of each other, a drained host takes no more, and ends with its last machine', async () => {
  await using fleet = await Fleet.open(accounts());
  const as = (team: string) => fleet.url.replace('//', `//${team}:secret@`);
  const trust = '--nats-trust-accounts';
  const version = /v([\d.]+)/.exec(execFileSync('nats-server', ['--version'], { encoding: 'utf8' }))?.[1] ?? '';
  if (letsAccountsIn(version)) {
    const refused = await fleet.sandbox.run(['station', '--host-name', 'host', '--nats', as('a')]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(
      /CVE-2025-30215: its accounts can change each other's store, and this is account "a"/,
    );
  }
  const [station] = await Promise.all([
    fleet.station('host', '--nats', as('a'), '--drain-timeout', '600', trust),
    fleet.station('host', '--nats', as('b'), trust),
  ]);
  const [atA, atB] = await Promise.all([
    fleet.gateway('--nats', as('a'), trust),
    fleet.gateway('--nats', as('b'), trust),
  ]);
  // One user may have started both: who was told the token of one is still nobody at the other.
  expect(atA.token).not.toBe(atB.token);
  expect((await fetch(atA.url, { headers: { authorization: `Bearer ${atB.token}` } })).status).toBe(401);
  const [a, b] = await Promise.all([httpClient(atA, 'modern'), httpClient(atB, 'modern')]);
  const start = { kind: 'c64', name: 'same', options: { boot: false } };
  expect(await a.call('machine_start', start)).toMatchObject({ isError: false });
  expect((await b.call('machine_list')).text).toMatch(/^No machine is running/);
  expect((await b.call('state_read', { machine: 'same' })).text).toMatch(/No machine "same"/);
  expect((await b.call('events_read')).text).toMatch(/^No events/);
  expect(await b.call('machine_start', start)).toMatchObject({ isError: false });
  station.kill('SIGTERM');
  await vi.waitFor(async () => expect((await a.call('machine_list')).text).toContain('takes no more'), patience);
  expect((await a.call('machine_start', { kind: 'c64' })).text).toMatch(
    /is being shut down by its operator and takes no new machines/,
  );
  const ended = once(station, 'exit');
  expect((await a.call('machine_stop', { machine: 'same' })).text).toMatch(/^same OFF/);
  expect(await ended).toEqual([0, null]);
  expect((await b.call('state_read', { machine: 'same' })).text).toMatch(/^same PAUSED/);
  await Promise.all([a.close(), b.close()]);
}, 180_000);

function accounts(): string {
  const account = (name: string) => `${name}: { jetstream: enabled, users: [ { user: ${name}, password: secret } ] }`;
  return `accounts { ${account('a')}, ${account('b')} }\n`;
}
