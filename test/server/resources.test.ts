import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import type { McpClient } from '../support/mcp-client.ts';
import { type Served, serve, subscribe, ways } from '../support/mcp-servers.ts';

const patience = { timeout: 60_000, interval: 20 };
/** Longer than output is gathered before it is announced. */
const settleMs = 200;
const outputUri = 'console://console-1/console-1/output';

describe.each(ways)('over %s with a client of the %s era', (way, era) => {
  let served: Served;
  let client: McpClient;
  let guest: Guest;

  beforeAll(async () => {
    guest = await Guest.listen();
    served = await serve(way, era);
    client = served.client;
    await client.startConsole(guest.port);
  });
  afterAll(async () => {
    await served[Symbol.asyncDispose]();
    await guest[Symbol.asyncDispose]();
  });

  test('kinds, states and consoles are listed and read', async () => {
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toContain('kind://console');
    expect(uris.filter((uri) => !uri.startsWith('kind:'))).toEqual([
      'machine://console-1/status',
      'machine://console-1/state',
      outputUri,
      'console://console-1/console-1/screen',
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'kind://{kind}',
      'machine://{machine}/status',
      'machine://{machine}/state',
      'machine://{machine}/screen',
      'console://{machine}/{port}/output',
      'console://{machine}/{port}/screen',
    ]);
    await guest.print('\x1b[31mred\x1b[0m alert\r\n');
    await client.call('console_read', { expect: 'alert' });
    expect(await textOf(client, 'kind://console')).toContain('write_policy');
    expect(await textOf(client, 'machine://console-1/status')).toBe(`console-1 LINK UP · tcp 127.0.0.1:${guest.port}`);
    expect(await textOf(client, outputUri)).toContain('red alert');
    expect(await textOf(client, outputUri)).not.toContain('\x1b');
    expect((await textOf(client, 'console://console-1/console-1/screen')).split('\n')[1]).toBe('red alert');
  });

  test('a resource that is not there is an error of the protocol', async () => {
    for (const uri of ['kind://toaster', 'machine://console-9/status', 'file:///etc/passwd']) {
      const failure = await client.readResource({ uri }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: -32602, data: { uri } });
    }
  });

  test('handles, ports and kinds are completed', async () => {
    const complete = async (uri: string, name: string, value: string) => {
      const ref = { type: 'ref/resource' as const, uri };
      return (await client.complete({ ref, argument: { name, value } })).completion.values;
    };
    expect(await complete('kind://{kind}', 'kind', 'con')).toEqual(['console']);
    expect(await complete('kind://{kind}', 'kind', 'no such kind')).toEqual([]);
    expect(await complete('machine://{machine}/status', 'machine', '')).toEqual(['console-1']);
    expect(await complete('console://{machine}/{port}/output', 'machine', 'console-')).toEqual(['console-1']);
    expect(await complete('console://{machine}/{port}/screen', 'port', 'c')).toEqual(['console-1']);
    expect(await complete('unknown://{x}', 'x', '')).toEqual([]);
  });

  test('a subscriber hears of output until it unsubscribes, and of nothing else', async () => {
    await delay(settleMs);
    client.updates.length = 0;
    const unsubscribe = await subscribe(client, outputUri);
    await guest.print('first');
    await vi.waitFor(() => expect(client.updates.length).toBeGreaterThan(0), patience);
    await delay(settleMs);
    expect(new Set(client.updates.map(({ uri }) => uri))).toEqual(new Set([outputUri]));
    await unsubscribe();
    if (era === 'legacy') await heardAll(client, guest);
    client.updates.length = 0;
    await guest.print('second');
    await client.call('console_read', { expect: 'second' });
    await delay(settleMs);
    expect(client.updates).toEqual([]);
  });

  test('a flood is announced a few times, and its end is', async () => {
    const unsubscribe = await subscribe(client, outputUri);
    client.updates.length = 0;
    const started = performance.now();
    for (let i = 0; i < 10_000; i++) void guest.print(`${i};`);
    await guest.print('the end');
    let seen = 0;
    await vi.waitFor(async () => {
      expect(client.updates.length).toBeGreaterThan(seen);
      seen = client.updates.length;
      expect(await textOf(client, outputUri)).toMatch(/9998;9999;the end\n\[\/output \w+\]$/);
    }, patience);
    await delay(settleMs);
    const intervals = (performance.now() - started) / 50;
    expect(client.updates.length).toBeGreaterThan(0);
    expect(client.updates.length).toBeLessThan(intervals + 2);
    await unsubscribe();
  });

  test('the list changes when machines come and go', async () => {
    const unsubscribe = await subscribe(client, 'machine://other/status');
    client.listChanges = 0;
    await client.startConsole(guest.port, {}, 'other');
    await vi.waitFor(() => expect(client.listChanges).toBe(1), patience);
    const uris = async () => (await client.listResources()).resources.map(({ uri }) => uri);
    expect(await uris()).toContain('machine://other/status');
    await client.call('machine_stop', { machine: 'other' });
    await vi.waitFor(() => expect(client.listChanges).toBe(2), patience);
    expect(await uris()).not.toContain('machine://other/status');
    await unsubscribe();
  });
});

/** What was told before this comes before it. */
async function heardAll(client: McpClient, guest: Guest): Promise<void> {
  const before = client.listChanges;
  await client.startConsole(guest.port, {}, 'fence');
  await vi.waitFor(() => expect(client.listChanges).toBeGreaterThan(before), patience);
  await client.call('machine_stop', { machine: 'fence' });
  await vi.waitFor(() => expect(client.listChanges).toBeGreaterThan(before + 1), patience);
}

async function textOf(client: McpClient, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  expect(contents).toHaveLength(1);
  expect(contents[0]).toMatchObject({ uri, mimeType: 'text/plain' });
  return contents[0] && 'text' in contents[0] ? contents[0].text : '';
}
