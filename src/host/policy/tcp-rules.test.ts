import { expect, test } from 'vitest';
import { parseTcpRule, TcpRules } from './tcp-rules.ts';

const denied = { type: 'DENIED' };

test('addresses, ranges and ports', async () => {
  const rules = new TcpRules(['127.0.0.0/8', '[::1]:23', '10.0.0.5:4000-4010', '[fd00::/8]:7']);
  for (const [host, port] of [
    ['127.0.0.1', 4555],
    ['127.9.9.9', 1],
    ['::1', 23],
    ['10.0.0.5', 4000],
    ['10.0.0.5', 4010],
    ['fd12::1', 7],
    ['::ffff:127.0.0.1', 80],
    ['::ffff:7f00:1', 80],
  ] as const) {
    expect(await rules.host(host, port), `${host} ${port}`).toBe(host);
  }
  for (const [host, port] of [
    ['128.0.0.1', 4555],
    ['::1', 24],
    ['10.0.0.5', 4011],
    ['10.0.0.6', 4000],
    ['0.0.0.0', 80],
    ['::', 80],
    ['169.254.169.254', 80],
    ['::ffff:169.254.169.254', 80],
    ['::ffff:a9fe:a9fe', 80],
  ] as const) {
    await expect(rules.host(host, port), `${host} ${port}`).rejects.toMatchObject(denied);
  }
});

test('a name is what it leads to, unless the operator named it', async () => {
  const loopback = new TcpRules(['127.0.0.0/8', '[::1]']);
  expect(await loopback.host('localhost', 5000)).toMatch(/^(127\.0\.0\.1|::1)$/);
  // Other ways to write an address that getaddrinfo understands.
  expect(await loopback.host('2130706433', 5000)).toBe('127.0.0.1');
  expect(await loopback.host('0x7f.1', 5000)).toBe('127.0.0.1');
  await expect(loopback.host('2852039166', 80)).rejects.toMatchObject(denied);
  await expect(loopback.host('no-such-host.invalid', 80)).rejects.toMatchObject({
    message: expect.stringContaining('which has no address'),
  });
  const named = new TcpRules(['Router.example:23']);
  expect(await named.host('router.example', 23)).toBe('router.example');
  await expect(named.host('router.example', 24)).rejects.toMatchObject(denied);
  await expect(new TcpRules([]).host('127.0.0.1', 1)).rejects.toMatchObject(denied);
  expect(await new TcpRules(['*:23']).host('anything.example', 23)).toBe('anything.example');
});

test.for([
  '',
  'a b',
  '1.2.3.4/33',
  '1.2.3.4/x',
  'host:0',
  'host:70000',
  'host:9-5',
  'fd00::1',
  '[fd00::1',
  'host/8',
  '-x',
])('%j is no rule', (text) => {
  expect(parseTcpRule(text)).toBeUndefined();
});
