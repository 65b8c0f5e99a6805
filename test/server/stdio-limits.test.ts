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

test('one request number, used for every call, counts as often as it is used', async () => {
  await using sandbox = await Sandbox.open();
  await using guest = await Guest.listen();
  const raw = new RawStdio(sandbox);
  await raw.initialize();
  await raw.call('machine_start', { kind: 'console', options: { port: guest.port } });
  const params = { name: 'console_read', arguments: { expect: 'go on', timeout_ms: 50_000 } };
  for (let index = 0; index < 200; index++) {
    raw.sendLine(JSON.stringify({ jsonrpc: '2.0', id: 'same', method: 'tools/call', params }));
  }
  await raw.request('ping');
  await expect.poll(() => raw.messages.filter(({ id }) => id === 'same').length).toBe(72);
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
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('1000 subscriptions are the most') });
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
