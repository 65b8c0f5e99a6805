import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Guest } from '../support/guest.ts';
import { RawStdio } from '../support/raw-stdio.ts';
import { Sandbox } from '../support/sandbox.ts';

test('a line of more than 10 MB is answered with its id, and the connection goes on', async () => {
  await using sandbox = await Sandbox.open();
  const raw = new RawStdio(sandbox);
  await raw.initialize();
  const padding = 'x'.repeat(11_000_000);
  raw.sendLine(`{"jsonrpc":"2.0","method":"tools/call","params":{"id":3,"a":"${padding}"},"id":"huge"}`);
  const refused = await raw.message(({ id }) => id === 'huge');
  expect(refused.error).toMatchObject({
    code: -32600,
    message: expect.stringMatching(/a line of 110\d+ bytes; the limit is 10000000/),
  });
  raw.sendLine(`${padding} and no JSON at all`);
  await raw.message(() => raw.messages.filter(({ error }) => error?.message.includes('10000000')).length === 2);
  raw.sendLine('');
  expect((await raw.request('ping')).result).toEqual({});
  expect(await raw.call('machine_list')).toContain('No machine is running');
});

test('a line of just less is taken', async () => {
  await using sandbox = await Sandbox.open();
  const raw = new RawStdio(sandbox);
  await raw.initialize();
  const { error } = await raw.request('tools/call', { name: 'x'.repeat(9_900_000) });
  expect(error?.code).toBe(-32602);
});

describe('is answered:', () => {
  let sandbox: Sandbox;
  let raw: RawStdio;
  beforeAll(async () => {
    sandbox = await Sandbox.open();
    raw = new RawStdio(sandbox);
    await raw.initialize();
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test.each([
    ['params that are an array', '"id":"a","method":"ping","params":[]', { id: 'a', code: -32602 }],
    ['params that are a string', '"id":"b","method":"ping","params":"x"', { id: 'b', code: -32602 }],
    ['params that are null', '"id":"c","method":"ping","params":null', { id: 'c', code: -32602 }],
    ['an id that is a fraction', '"id":1.5,"method":"ping"', { id: 1.5, code: -32600 }],
    ['an id that is null', '"id":null,"method":"ping"', { id: undefined, code: -32600 }],
    ['an id that is an object', '"id":{},"method":"ping"', { id: undefined, code: -32600 }],
    ['a member that nobody knows', '"id":"d","method":"ping","more":1', { id: 'd', code: -32600 }],
    ['a bogus log level', '"id":"e","method":"logging/setLevel","params":{"level":"loud"}', { id: 'e', code: -32602 }],
    ['a resource that is a number', '"id":"f","method":"resources/read","params":{"uri":5}', { id: 'f', code: -32602 }],
    ['a subscription to nothing', '"id":"g","method":"resources/subscribe","params":{}', { id: 'g', code: -32602 }],
    ['a completion of nothing', '"id":"h","method":"completion/complete","params":{}', { id: 'h', code: -32602 }],
    ['a tool that is a number', '"id":"i","method":"tools/call","params":{"name":7}', { id: 'i', code: -32602 }],
    ['an unknown method', '"id":"j","method":"no/such"', { id: 'j', code: -32601 }],
    [
      'what is nested without end',
      `"id":"k","method":"ping","params":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
      { id: 'k', code: -32600 },
    ],
  ])('%s', async (_what, members, { id, code }) => {
    const before = raw.messages.length;
    raw.sendLine(`{"jsonrpc":"2.0",${members}}`);
    await raw.message(() => raw.messages.length > before);
    expect(raw.messages[before]).toMatchObject({ error: { code } });
    expect(raw.messages[before]?.id).toBe(id);
    expect((await raw.request('ping')).result).toEqual({});
  });
});

test('a byte order mark, and blanks that only JavaScript knows, are no part of a message', async () => {
  await using sandbox = await Sandbox.open();
  const raw = new RawStdio(sandbox);
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  raw.sendLine(`\uFEFF${JSON.stringify({ jsonrpc: '2.0', id: 'bom', method: 'initialize', params })}`);
  await raw.message(({ id, result }) => id === 'bom' && result !== undefined);
  raw.sendLine('\u00a0\u2003{"jsonrpc":"2.0","id":"blanks","method":"ping"}\u2028\r');
  await raw.message(({ id, result }) => id === 'blanks' && result !== undefined);
});

test('a client that asks and does not read is not read either, and nothing is lost when it does', async () => {
  await using sandbox = await Sandbox.open();
  await using guest = await Guest.listen();
  const raw = new RawStdio(sandbox);
  await raw.initialize();
  await raw.call('machine_start', { kind: 'console', options: { port: guest.port } });
  raw.child.stdout.pause();
  const count = 3000;
  let taken = 0;
  const params = { padding: 'x'.repeat(4000) };
  for (let index = 0; index < count; index++) {
    const request = JSON.stringify({ jsonrpc: '2.0', id: `flood ${index}`, method: 'tools/list', params });
    raw.child.stdin.write(`${request}\n`, () => taken++);
  }
  // All answers together are tens of megabytes: it stops taking requests long before the end.
  await expect.poll(() => raw.child.stdin.writableLength, { timeout: 60_000 }).toBeGreaterThan(0);
  const stuck = await settled(() => taken);
  expect(stuck).toBeLessThan(count / 2);
  raw.child.stdout.resume();
  await expect
    .poll(() => raw.lines.filter((line) => line.includes('"flood ')).length, { timeout: 60_000, interval: 500 })
    .toBe(count);
}, 180_000);

/** The value once it has not changed for a while. */
async function settled(read: () => number): Promise<number> {
  let before = -1;
  while (read() !== before) {
    before = read();
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return before;
}
