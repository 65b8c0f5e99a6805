import { expect, test } from 'vitest';
import { readMessage } from './read-message.ts';

const call = (args: string) => `{"jsonrpc":"2.0","method":"tools/call","params":{"arguments":${args}},"id":"last"}`;
const many = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join();

test.each([
  ['lists in lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, '64 levels'],
  ['numbers', `[${many(200_000, String)}]`, '100000 values'],
  ['empty lists', `[${many(30_000, () => '[]')}]`, '25000 lists'],
  ['names', `{${many(1001, (n) => `"${n}":1`)}}`, '1000 members'],
])('a message with too many %s is refused with its id', (_what, args, bound) => {
  const refusal = { id: 'last', error: { code: -32600, message: expect.stringContaining(bound) } };
  expect(readMessage(call(args), false)).toEqual({ type: 'fault', fault: refusal });
  const fault = { error: { code: -32600, message: expect.stringContaining(bound) } };
  expect(readMessage(`[${call(args)}]`, true)).toEqual({ type: 'fault', fault });
});

test('the longest list that a tool takes is read, and so is a long text', () => {
  for (const args of [`{"data":[${many(65_536, () => '255')}]}`, JSON.stringify({ text: '",:[{'.repeat(200_000) })]) {
    expect(readMessage(call(args), false).type).toBe('message');
  }
});

test('several messages are one only where that is allowed, and what is not JSON is none', () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  expect(readMessage(`[${ping}]`, true)).toMatchObject({ type: 'message', value: [{ id: 1 }] });
  expect(readMessage(`[${ping}]`, false)).toMatchObject({ type: 'fault', fault: { error: { code: -32600 } } });
  expect(readMessage('{', true)).toMatchObject({ type: 'fault', fault: { error: { code: -32700 } } });
});

test('addresses are no longer in a list than alone', () => {
  const subscribe = { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: 'x'.repeat(1001) } };
  const text = JSON.stringify([{ jsonrpc: '2.0', id: 2, method: 'ping' }, subscribe]);
  const error = { code: -32602, message: expect.stringContaining('uri must not be longer') };
  expect(readMessage(text, true)).toEqual({ type: 'fault', fault: { error } });
});
