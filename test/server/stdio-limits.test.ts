import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { Guest } from '../support/guest.ts';
import { modernMeta, RawStdio } from '../support/raw-stdio.ts';
import { Sandbox } from '../support/sandbox.ts';

test('calls that wait leave the line free: too many are refused, a ping is answered, and later ones are taken', async () => {
  await using sandbox = await Sandbox.open();
  await using guest = await Guest.listen();
  const raw = new RawStdio(sandbox);
  await raw.initialize();
  await raw.call('machine_start', { kind: 'console', options: { port: guest.port } });
  const params = { name: 'console_read', arguments: { expect: 'go on', timeout_ms: 50_000 } };
  for (let index = 0; index < 1000; index++) {
    raw.sendLine(JSON.stringify({ jsonrpc: '2.0', id: `wait ${index}`, method: 'tools/call', params }));
  }
  expect((await raw.request('ping')).result).toEqual({});
  const waits = () => raw.messages.filter(({ id }) => String(id).startsWith('wait'));
  await expect.poll(() => waits().length).toBe(1000 - 128);
  expect(waits()[0]?.error).toMatchObject({ code: -32000, message: expect.stringContaining('which is the limit') });
  raw.notify('notifications/cancelled', { requestId: 'wait 0' });
  expect(await raw.call('machine_list')).toContain('console-1');
  await guest.print('go on\n');
  await expect.poll(() => waits().filter(({ result }) => result !== undefined).length).toBe(127);
  expect(await raw.call('machine_list')).toContain('console-1');
});

test('calls that are answered at once are all taken, however many are sent together', async () => {
  await using sandbox = await Sandbox.open();
  const raw = new RawStdio(sandbox);
  await raw.initialize();
  const params = { name: 'machine_list', arguments: {} };
  for (let id = 1000; id < 1500; id++) {
    raw.sendLine(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
  }
  await raw.request('ping');
  await expect.poll(() => raw.messages.filter(({ id }) => Number(id) >= 1000).length).toBe(500);
  expect(raw.messages.filter(({ error }) => error !== undefined)).toEqual([]);
});

test('a number is of one request at a time, whatever it asks for', async () => {
  await using sandbox = await Sandbox.open();
  await using guest = await Guest.listen();
  const raw = new RawStdio(sandbox);
  await raw.initialize();
  await raw.call('machine_start', { kind: 'console', options: { port: guest.port } });
  const params = { name: 'console_read', arguments: { expect: 'go on', timeout_ms: 50_000 } };
  const send = (method: string) => raw.sendLine(JSON.stringify({ jsonrpc: '2.0', id: 'same', method, params }));
  const answers = () => raw.messages.filter(({ id }) => id === 'same');
  for (const method of ['tools/call', 'tools/call', 'ping', 'tools/list']) send(method);
  await expect
    .poll(() => answers().map(({ error }) => error?.message))
    .toEqual(
      Array.from({ length: 3 }, () =>
        expect.stringContaining('"same" is the id of a request that is still in progress'),
      ),
    );
  await guest.print('go on\n');
  await expect.poll(() => answers().at(-1)?.result).toBeDefined();
  send('ping');
  await expect.poll(() => answers().at(-1)?.result).toEqual({});
});

test('the number of an open stream is of no other request, and one that was refused is free', async () => {
  await using sandbox = await Sandbox.open();
  const raw = new RawStdio(sandbox);
  const send = (id: string, method: string, params = {}) =>
    raw.sendLine(JSON.stringify({ jsonrpc: '2.0', id, method, params: { _meta: modernMeta, ...params } }));
  const listen = (id: string, resourceSubscriptions: readonly string[]) =>
    send(id, 'subscriptions/listen', { notifications: { resourceSubscriptions } });
  const last = (wanted: string) => raw.messages.filter(({ id }) => id === wanted).at(-1);
  listen('stream', ['console://m']);
  send('stream', 'tools/call', { name: 'no_such_tool' });
  await expect.poll(() => last('stream')?.error?.message).toContain('still in progress');
  listen(
    'big',
    Array.from({ length: 1001 }, (_, index) => `console://n-${index}`),
  );
  await expect.poll(() => last('big')?.error?.message).toContain('at most 1000 subscriptions');
  send('big', 'tools/list');
  await expect.poll(() => last('big')?.result).toBeDefined();
  raw.notify('notifications/cancelled', { _meta: modernMeta, requestId: 'stream' });
  send('stream', 'tools/list');
  await expect.poll(() => last('stream')?.result).toBeDefined();
});

test('a client that reads nothing is not asked for more, even of what is refused, and misses no answer', async () => {
  await using sandbox = await Sandbox.open();
  const child = sandbox.spawn([]);
  const lines = 100_000;
  child.stdin.write('[1,2,3,4,5,6,7,8]\n'.repeat(lines));
  const work = () => readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(' ').slice(13, 15).join(' ');
  const seen: string[] = [];
  const isIdle = () => seen.push(work()) > 1 && seen.at(-1) === seen.at(-2);
  await expect.poll(isIdle, { timeout: 60_000, interval: 1000 }).toBe(true);
  expect(child.stdin.writableLength).toBeGreaterThan(0);
  let answers = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('"code":-32600')) answers++;
    if (answers === lines) break;
  }
  child.kill();
});

test('a number that is too long is not said again', async () => {
  await using sandbox = await Sandbox.open();
  const raw = new RawStdio(sandbox);
  await raw.initialize();
  raw.sendLine(JSON.stringify({ jsonrpc: '2.0', id: 'x'.repeat(5_000_000), method: 'ping' }));
  const { id, error } = await raw.message((message) => message.error !== undefined);
  expect(id).toBeUndefined();
  expect(error?.message).toContain('id must not be longer than 1000 characters');
});

test('streams and what they listen to have a bound for one connection; one that ends makes room', async () => {
  await using sandbox = await Sandbox.open();
  const raw = new RawStdio(sandbox);
  const listen = (id: string, resourceSubscriptions: readonly string[]) => {
    const params = { _meta: modernMeta, notifications: { resourceSubscriptions } };
    raw.sendLine(JSON.stringify({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params }));
  };
  const acknowledged = () =>
    raw.messages.filter(({ method }) => method === 'notifications/subscriptions/acknowledged').length;
  const ping = () => raw.request('tools/list', { _meta: modernMeta });
  listen('no stream', 'nothing of a list' as never);
  for (let index = 0; index < 100; index++) listen(`stream ${index}`, [`console://m-${index}`]);
  listen('one too many', []);
  const refused = await raw.message(({ id }) => id === 'one too many');
  expect(refused.error).toMatchObject({ code: -32602, message: expect.stringContaining('100 streams are the most') });
  await ping();
  expect(acknowledged()).toBe(100);
  raw.notify('notifications/cancelled', { _meta: modernMeta, requestId: 'stream 7' });
  const many = Array.from({ length: 902 }, (_, index) => `console://n-${index}`);
  listen('too much', many);
  const { error } = await raw.message(({ id }) => id === 'too much');
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('at most 1000 subscriptions') });
  listen('as much as there may be', many.slice(1));
  await ping();
  expect(acknowledged()).toBe(101);
});

test('an address that is too long is subscribed to by nobody, and none is said again as it came', async () => {
  await using sandbox = await Sandbox.open();
  const raw = new RawStdio(sandbox);
  await raw.initialize();
  const { error } = await raw.request('resources/subscribe', { uri: `console://${'x'.repeat(5_000_000)}` });
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('1000 characters') });
  const unseen = await raw.request('resources/read', { uri: 'console://\u202Ea\u0007' });
  expect(unseen.error?.message).toBe('Resource not found: console://\\u{202E}a\\x07');
});
