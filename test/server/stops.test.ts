import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { McpClient } from '../support/mcp-client.ts';
import { type Served, serve, subscribe, ways } from '../support/mcp-servers.ts';

const patience = { timeout: 60_000, interval: 20 };
const statusUri = 'machine://mine/status';
const stateUri = 'machine://mine/state';

/** Each meets the breakpoint with the next tick of its clock. */
const machines = [
  { kind: 'c64', breakpoint: { type: 'write', address: '$a0', length: 3 } },
  { kind: 'dos', breakpoint: { type: 'interrupt', address: '8' } },
] as const;

describe.each(ways)('over %s with a client of the %s era', (way, era) => {
  let served: Served;
  let client: McpClient;
  beforeAll(async () => {
    served = await serve(way, era, ['--toolset', 'all']);
    client = served.client;
  });
  afterAll(() => served[Symbol.asyncDispose]());

  const status = async () => {
    const { contents } = await client.readResource({ uri: statusUri });
    return contents[0] && 'text' in contents[0] ? contents[0].text : '';
  };
  const state = async (): Promise<unknown> => {
    const { contents } = await client.readResource({ uri: stateUri });
    return contents[0] && 'text' in contents[0] ? JSON.parse(contents[0].text) : undefined;
  };
  /** The status was announced, and is this by now. */
  const announced = (expected: RegExp) =>
    vi.waitFor(async () => {
      expect(client.updates.some(({ uri }) => uri === statusUri)).toBe(true);
      expect(await status()).toMatch(expected);
    }, patience);

  test.each(machines)('a $kind that runs freely tells its subscribers when it stops', async ({ kind, breakpoint }) => {
    await client.call('machine_start', { kind, name: 'mine' });
    const unsubscribe = await subscribe(client, statusUri, stateUri);
    await client.call('breakpoint_set', { machine: 'mine', ...breakpoint });
    client.updates.length = 0;
    const from = Number(/"from":(\d+)/.exec((await client.call('events_read')).text)?.[1]);
    const { text } = await client.call('run', { machine: 'mine', detach: 'warp' });
    expect(text).toContain('It keeps running until pause, a breakpoint or an error.');
    await announced(/^mine BREAKPOINT .*stop \d+: breakpoint \d+/);
    await vi.waitFor(() => expect(client.updates.some(({ uri }) => uri === stateUri)).toBe(true), patience);
    const told = { cause: 'breakpoint', breakpoint: { id: expect.any(Number) }, event: { pc: expect.any(Number) } };
    expect(await state()).toMatchObject({ machine: 'mine', state: 'BREAKPOINT', stop: told });
    const { text: events } = await client.call('events_read', { machine: 'mine', types: ['stop'], from });
    expect(events.match(/ mine stop: breakpoint \d+/g)).toHaveLength(1);

    client.updates.length = 0;
    await client.call('machine_reset', { machine: 'mine' });
    await announced(/^mine RESET/);
    expect((await client.call('events_read', { machine: 'mine', types: ['reset'] })).text).toContain('soft reset');

    client.updates.length = 0;
    await client.call('machine_stop', { machine: 'mine' });
    await vi.waitFor(() => expect(client.updates.some(({ uri }) => uri === statusUri)).toBe(true), patience);
    await unsubscribe();
  });

  test('input leaves a machine running that ran, and pause ends a detached run for good', async () => {
    await client.call('machine_start', { kind: 'c64', name: 'mine' });
    await client.call('run', { machine: 'mine', screen_text: 'READY.' });
    await client.call('run', { machine: 'mine', detach: 'real' });
    const typed = await client.call('input_send', { machine: 'mine', text: 'PRINT 6*7\n' });
    expect(typed.text).toMatch(/^mine RUNNING/);
    const seen = await client.call('run', { machine: 'mine', screen_text: '42' });
    expect(seen.text).toContain('42');
    expect(await status()).toMatch(/^mine/);
    await client.call('pause', { machine: 'mine' });
    expect(await status()).toMatch(/^mine PAUSED/);
    const { text } = await client.call('run', { machine: 'mine', timeout_ms: 50 });
    expect(text).toMatch(/^mine PAUSED .*time limit/);
    await client.call('machine_stop', { machine: 'mine' });
  });
});
