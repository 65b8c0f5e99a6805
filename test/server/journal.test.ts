import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import { HttpProgram } from '../support/http-program.ts';
import { httpClient } from '../support/mcp-client.ts';
import { serve } from '../support/mcp-servers.ts';
import { Sandbox } from '../support/sandbox.ts';

const patience = { timeout: 60_000, interval: 20 };

test('--journal has one line for every call, with its arguments, its answer and how long it took', async () => {
  await using guest = await Guest.listen();
  await using sandbox = await Sandbox.open();
  const path = join(sandbox.dir, 'calls.jsonl');
  // Begins an escape sequence of a terminal, and turns the rest of a line around.
  const strange = 'nobody\u009b31m\u202e';
  {
    await using server = await HttpProgram.start(sandbox, '--journal', path);
    await using old = await httpClient(server, 'legacy');
    await using current = await httpClient(server, 'modern');
    await old.call('machine_start', { kind: 'console', name: 'vm', options: { port: guest.port } });
    await guest.print('word\r\n');
    await current.call('console_read', { machine: 'vm', expect: 'word' });
    await current.call('console_read', { machine: 'vm', expect: 'never', timeout_ms: 300 });
    await old.call('console_send', { machine: 'vm', text: { no: 'text' } });
    await old.call('machine_stop', { machine: strange });
    await current.call('batch', { steps: [{ tool: 'machine_list' }] });
  }
  const text = readFileSync(path, 'utf8');
  expect(text).not.toMatch(/[\u009b\u202e]/);
  const calls = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(calls.map(({ seq, tool, isError }) => [seq, tool, isError])).toEqual([
    [1, 'machine_start', false],
    [2, 'console_read', false],
    [3, 'console_read', false],
    [4, 'console_send', true],
    [5, 'machine_stop', true],
    [6, 'machine_list', false],
    [7, 'batch', false],
  ]);
  expect(calls[0]).toMatchObject({
    client: 'test legacy',
    arguments: { kind: 'console', name: 'vm', options: { port: guest.port } },
    answer: expect.stringContaining('A person can watch and type: frontpanel attach vm'),
  });
  expect(calls[1]).toMatchObject({ client: 'test modern', machine: 'vm', answer: expect.stringContaining('word') });
  expect(calls[2]).toMatchObject({ durationMs: expect.any(Number), at: expect.any(Number) });
  expect(Number(calls[2]?.durationMs)).toBeGreaterThanOrEqual(290);
  expect(calls[4]).toMatchObject({ arguments: { machine: strange } });
  expect(calls[3]?.answer).toMatch(/^ERROR console_send: text: .*\nFix: /s);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a journal that cannot be written is said in the log, and the tools work', async () => {
  await using sandbox = await Sandbox.open();
  const { code, stdout, stderr } = await sandbox.run(['call', 'machine_list', '--journal', '/proc/no/such/file']);
  expect([code, stdout]).toEqual([0, 'No machine is running. Start one with machine_start.\n']);
  expect(stderr).toMatch(/error journal: .*ENOENT/);
});

test('--max-machines refuses the one too many, and a stopped machine makes room', async () => {
  await using guest = await Guest.listen();
  await using served = await serve('stdio', 'modern', ['--max-machines', '2']);
  const { client } = served;
  const start = () => client.call('machine_start', { kind: 'console', options: { port: guest.port } });
  await Promise.all([start(), start()]);
  const refused = await start();
  expect(refused).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^ERROR The limit of 2 machines is reached/),
  });
  expect(refused.text).toContain('Alive: console-1, console-2');
  await client.call('machine_stop', { machine: 'console-1' });
  expect((await start()).text).toMatch(/^console-1 /);
});

test('--idle-timeout stops a machine nobody uses, and events_read tells', async () => {
  await using guest = await Guest.listen();
  await using served = await serve('stdio', 'legacy', ['--idle-timeout', '1', '--toolset', 'all']);
  const { client } = served;
  // In one call, because this computer may be slow between two. A wait that lasts longer than the timeout is use.
  const steps = [
    { tool: 'machine_start', arguments: { kind: 'console', options: { port: guest.port } } },
    { tool: 'console_read', arguments: { expect: 'never', timeout_ms: 1600 } },
  ];
  const waited = await client.call('batch', { steps });
  expect(waited.text).toContain('Stopped automatically after 1 s idle.');
  expect(waited.text).toMatch(/console-1 LINK UP[\s\S]*not seen within the limit/);
  const events = await client.call('events_read', { types: ['machine_stopped'], wait_ms: 50_000 });
  expect(events.text).toMatch(/^\d+ [\d:.]+ console-1 machine_stopped: stopped after 1 s without a call\n/);
  expect((await client.call('console_read', { machine: 'console-1' })).text).toContain('sat idle too long');
  expect((await client.call('machine_list')).text).toContain('No machine is running');
});

test('events and log messages tell of a link that is lost, at the level asked for', async () => {
  await using guest = await Guest.listen();
  await using served = await serve('stdio', 'legacy', ['--toolset', 'all']);
  const { client } = served;
  const logged: { level: string; logger?: string | undefined; data: unknown }[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params));
  await client.setLoggingLevel('warning');
  await client.startConsole(guest.port);
  guest.hangUp();
  const events = await client.call('events_read', { types: ['link_lost'], wait_ms: 50_000 });
  expect(events.text).toContain('console-1 link_lost:');
  await vi.waitFor(() => expect(logged).toHaveLength(1), patience);
  expect(logged[0]).toMatchObject({ level: 'warning', logger: 'console-1', data: { type: 'link_lost' } });
  await client.setLoggingLevel('info');
  await client.call('machine_stop', { machine: 'console-1' });
  await vi.waitFor(
    () => expect(logged.at(-1)).toMatchObject({ level: 'info', data: { type: 'machine_stopped' } }),
    patience,
  );
});
