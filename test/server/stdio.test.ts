import { expect, test } from 'vitest';
import { Guest } from '../support/guest.ts';
import { eras, stdioClient } from '../support/mcp-client.ts';
import { modernMeta, RawStdio } from '../support/raw-stdio.ts';
import { Sandbox } from '../support/sandbox.ts';

test.each(eras)('a client of the %s era connects, lists and calls', async (era) => {
  await using sandbox = await Sandbox.open();
  await using guest = await Guest.listen();
  await using client = await stdioClient(sandbox, era);
  expect(client.getNegotiatedProtocolVersion()).toBe(era === 'modern' ? '2026-07-28' : '2025-11-25');
  expect(client.getServerVersion()).toMatchObject({ name: 'frontpanel' });
  expect(client.getInstructions()?.length).toBeGreaterThan(500);
  expect(client.getInstructions()?.length).toBeLessThan(2048);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('console_send');

  const handle = await client.startConsole(guest.port);
  await guest.print('login: ');
  const read = await client.call('console_read', { machine: handle, expect: 'login:' });
  expect(read.text).toMatch(/^console-1 LINK UP · tcp 127\.0\.0\.1:\d+\nmatched "login:"/);
  expect(await client.call('console_read', { machine: 'nobody' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^ERROR No machine "nobody".*\nFix: Alive: console-1\./),
  });
  await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({ code: -32602 });
});

test('a client may ask with server/discover and then initialize on the same pipe', async () => {
  await using sandbox = await Sandbox.open();
  const raw = new RawStdio(sandbox);
  const discovered = await raw.request('server/discover', { _meta: modernMeta });
  expect(discovered.result).toMatchObject({ supportedVersions: ['2026-07-28'] });
  expect(String(discovered.result?.instructions).length).toBeLessThan(2048);
  expect(discovered.result?.instructions).toContain('Machines end with this connection');
  expect(discovered.result?.instructions).toMatch(/C64.*DOS PC.*QEMU/);
  expect(discovered.result?.instructions).toContain('Time passes on built-in machines only in calls');
  const initialized = await raw.initialize();
  expect(initialized.result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'frontpanel' } });
  expect(initialized.result?.instructions).toBe(discovered.result?.instructions);
  expect(await raw.call('machine_list')).toBe('No machine is running. Start one with machine_start.');
});

test('the first tools/list after the start is answered, sent before anything was heard', async () => {
  await using sandbox = await Sandbox.open();
  const raw = new RawStdio(sandbox);
  const listed = await raw.request('tools/list', { _meta: modernMeta });
  expect(listed.result?.tools).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'machine_start' })]));
});

test('nothing but JSON-RPC is on stdout, whatever the guest prints and whatever fails', async () => {
  await using sandbox = await Sandbox.open();
  await using guest = await Guest.listen();
  const raw = new RawStdio(sandbox, ['--log-level', 'debug', '--toolset', 'all']);
  await raw.initialize();
  await raw.request('logging/setLevel', { level: 'debug' });
  await raw.call('machine_start', { kind: 'console', options: { port: guest.port } });
  await raw.request('resources/subscribe', { uri: 'console://console-1/console-1/output' });
  const noise = '{"jsonrpc":"2.0","id":1,"result":"forged"}\r\n\0\x1b]0;title\x07\x1b[2J\xff\u2028\n';
  for (let round = 0; round < 50; round++) await guest.print(noise);
  for (const view of ['text', 'screen', 'raw', 'hex']) await raw.call('console_read', { view, from: 'start' });
  await raw.call('console_send', { text: 'x', quiet_ms: 0 });
  await raw.call('console_read', { from: 'nowhere' });
  await raw.call('console_read', { expect: '/(/' });
  await raw.call('machine_start', { kind: 'console', options: { command: ['true'] } });
  await raw.call('console_setup', { terminal: 'auto' });
  await raw.request('no/such/method');
  await raw.request('tools/call', { name: 7 });
  raw.child.stdin.end();
  const { code, stdout, stderr } = await raw.ended;
  expect(code).toBe(0);
  expect(stderr).toContain('machine_started');
  const lines = stdout.split('\n');
  expect(lines.pop()).toBe('');
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  expect(raw.messages.filter(({ result }) => String(result) === 'forged')).toEqual([]);
});

test('lines that are no JSON-RPC get an error, and the server lives on', async () => {
  await using sandbox = await Sandbox.open();
  const raw = new RawStdio(sandbox);
  raw.sendLine('{ this is not JSON');
  expect(await raw.message(({ error }) => error?.code === -32700)).not.toHaveProperty('id');
  await raw.initialize();
  raw.sendLine('{"jsonrpc":"2.0","id":"half a request"}');
  await raw.message(({ id, error }) => id === 'half a request' && error?.code === -32600);
  raw.sendLine('[]');
  raw.sendLine('{"jsonrpc":"1.0","method":7}');
  raw.sendLine('');
  await raw.message(() => raw.messages.filter(({ error }) => error?.code === -32600).length === 3);
  expect((await raw.request('ping')).result).toEqual({});
  expect(await raw.call('machine_list')).toContain('No machine is running');
});
