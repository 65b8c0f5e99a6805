import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FleetLine } from '../../src/fleet/wire/fleet-line.ts';
import { encodeMessage } from '../../src/fleet/wire/message.ts';
import { subjects } from '../../src/fleet/wire/subjects.ts';
import { Fleet } from '../support/fleet.ts';
import type { HttpProgram } from '../support/http-program.ts';
import { httpClient, type McpClient } from '../support/mcp-client.ts';

const patience = { timeout: 20_000, interval: 50 };
/** No value of JavaScript can be made of it. */
const unprintable = { toString: 1, valueOf: 1 };
let fleet: Fleet;
let gateway: HttpProgram;
let client: McpClient;
let liar: FleetLine;
/** Where answers to calls of the gateway are expected that the liar was given. */
const asked: { readonly reply: string; readonly tool: unknown }[] = [];
let said: unknown[] = [];
let seq = 0;
let machines: readonly unknown[] = [];

beforeAll(async () => {
  fleet = await Fleet.open();
  await fleet.station('honest');
  gateway = await fleet.gateway();
  client = await httpClient(gateway, 'modern');
  liar = await FleetLine.open({ url: fleet.url, name: 'liar', log() {} });
  liar.subscribe(subjects.to('liar', 'call'), ({ head }, reply) => {
    if (reply === undefined) return;
    if (head.tool === 'machines_describe')
      return liar.publish(reply, { t: 'outcome', outcome: { type: 'answer', answer: { text: '', data: {} } } });
    asked.push({ reply, tool: head.tool });
    for (const answer of said) liar.publish(reply, answer as Record<string, unknown>);
  });
  liar.subscribe(subjects.to('liar', 'query'), (_, reply) => {
    if (reply !== undefined) liar.publish(reply, news(seq, machines));
  });
}, 180_000);

afterAll(async () => {
  await liar?.close();
  await fleet?.[Symbol.asyncDispose]();
});

const beat = (more: Record<string, unknown> = {}) => ({
  ...{ host: 'liar', incarnation: 'one', machines: 1, capacity: 9, kinds: ['c64'], labels: {}, version: '0' },
  ...{ load: 0, news: seq, isDraining: false, isLeaving: false, ...more },
});
const summary = ({ handle = 'lie', ...more }: Record<string, unknown> = {}) => ({
  ...{ handle, kind: 'c64', state: 'PAUSED', line: `${String(handle)} PAUSED`, notes: [], isKept: false, consoles: [] },
  ...{ watched: { state: 'PAUSED', line: 'lie', hasScreen: true }, hasControl: true, hasSound: false },
  ...{ capabilities: ['memory', 'screen'], canRewind: false, users: [], resources: [], sockets: [], ...more },
});
const news = (number: number, of: readonly unknown[]) => ({
  ...{ host: 'liar', incarnation: 'one', seq: number, machines: of, gone: [], changes: [] },
});

async function list(): Promise<string> {
  const { text, isError } = await client.call('machine_list');
  if (isError) throw new Error(text);
  return text;
}

/** What the liar said before has arrived: the gateway knows of this machine of its. */
async function heard(handle: string): Promise<void> {
  seq++;
  machines = [summary({ handle })];
  await vi.waitFor(async () => {
    liar.publish(subjects.beat('liar'), beat());
    expect(await list()).toContain(handle);
  }, patience);
}

test('what makes no sense is passed over, and the gateway goes on', async () => {
  await heard('first');
  const nonsense: unknown[] = [
    null,
    7,
    unprintable,
    { ...summary(), watched: null },
    { ...summary(), sockets: [unprintable] },
    { ...summary(), handle: unprintable, line: unprintable },
    { ...summary(), handle: '../../lie' },
    { ...summary(), capabilities: 'all' },
  ];
  for (const each of nonsense) liar.publish(subjects.news('liar'), news(seq + 1, [each]));
  for (const subject of ['beat', 'news', 'ev', 'name']) {
    for (const head of [beat({ labels: null }), unprintable, { t: unprintable }])
      liar.publish(`fp.${subject}.liar`, head as Record<string, unknown>);
    liar.send(`fp.${subject}.liar`, Buffer.from('no message'));
    liar.send(`fp.${subject}.liar`, Buffer.alloc(0));
  }
  await liar.flush();
  await heard('plain');
});

test('an answer that makes no sense ends its call at once', async () => {
  await heard('plain');
  for (const outcome of [undefined, null, 7, { type: 'answer', answer: unprintable }, { type: 'error', error: {} }]) {
    said = [
      { t: 'progress', message: unprintable },
      { t: 'outcome', outcome },
    ];
    const { text, isError } = await client.call('memory_read', { machine: 'plain', address: 0, length: 1 });
    expect([isError, text]).toEqual([true, expect.stringContaining('could not be read')]);
  }
  said = [];
});

test('a host speaks for itself alone', async () => {
  const { text, isError } = await client.call('machine_start', {
    ...{ kind: 'c64', name: 'real', options: { on: 'honest', boot: false, roms: 'own' } },
  });
  expect(isError, text).toBe(false);
  liar.publish(subjects.beat('liar'), beat({ host: 'honest', isLeaving: true }));
  liar.publish(subjects.beat('liar'), beat({ host: 'honest', incarnation: 'another' }));
  liar.publish(subjects.news('liar'), { ...news(seq + 1, []), host: 'honest', gone: ['real'] });
  await liar.flush();
  await heard('later');
  const read = await client.call('memory_read', { machine: 'real', address: 0, length: 1 });
  expect(read.isError, read.text).toBe(false);
});

test('another host cannot guess where an answer is expected', async () => {
  await heard('plain');
  asked.length = 0;
  const signal = AbortSignal.timeout(2000);
  const call = client.call('memory_read', { machine: 'plain', address: 0, length: 1 }, { signal }).catch(() => {});
  await vi.waitFor(() => expect(asked.map(({ tool }) => tool)).toContain('memory_read'), patience);
  const { reply = '' } = asked.find(({ tool }) => tool === 'memory_read') ?? {};
  expect(reply).toMatch(/^fp\.r\.[0-9a-f]+\.[A-Za-z0-9_-]{12,}$/);
  const outcome = { type: 'answer', answer: { text: 'plain PAUSED' } };
  liar.send(reply, encodeMessage({ t: 'outcome', outcome }));
  await call;
});

test('names of sockets do not lead out of the folder of the gateway', async () => {
  await heard('plain');
  const outside = join(fleet.sandbox.dir, 'outside');
  const sockets = [`${'../'.repeat(20)}${outside.slice(1)}`];
  liar.publish(subjects.news('liar'), news(++seq, [summary({ handle: 'far', consoles: ['serial'], sockets })]));
  machines = [summary({ handle: 'near', consoles: ['serial'], sockets: ['near-serial'] })];
  liar.publish(subjects.news('liar'), news(++seq, machines));
  const folders = fleet.sandbox.servers.map((server) => join(fleet.sandbox.dir, 'run', 'frontpanel', server));
  await vi.waitFor(() => {
    liar.publish(subjects.beat('liar'), beat());
    expect(folders.filter((folder) => existsSync(join(folder, 'near-serial.people')))).toHaveLength(1);
  }, patience);
  expect(['in', 'out', 'people'].filter((end) => existsSync(`${outside}.${end}`))).toEqual([]);
});
