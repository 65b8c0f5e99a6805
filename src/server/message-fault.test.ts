import { isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messageFault } from './message-fault.ts';

const good = { jsonrpc: '2.0', id: 1, method: 'ping' };

test.each([
  [good, undefined],
  [{ jsonrpc: '2.0', method: 'notifications/initialized' }, undefined],
  [{ jsonrpc: '2.0', id: 5, result: {} }, undefined],
  [{ ...good, params: {} }, undefined],
  [
    { ...good, params: [] },
    { id: 1, error: { code: -32602, message: 'Invalid params: params must be an object' } },
  ],
  [{ ...good, params: { arguments: { constructor: 1 } } }, undefined],
  [
    { ...good, params: { arguments: JSON.parse('{"__proto__":{}}') } },
    { id: 1, error: { code: -32602, message: 'Invalid params: unknown argument __proto__' } },
  ],
  [
    { ...good, params: 'x' },
    { id: 1, error: { code: -32602 } },
  ],
  [
    { ...good, params: null },
    { id: 1, error: { code: -32602 } },
  ],
  [
    { ...good, params: { _meta: 5 } },
    { id: 1, error: { code: -32602 } },
  ],
  [
    { ...good, params: { _meta: { progressToken: {} } } },
    { id: 1, error: { code: -32602 } },
  ],
  [
    { ...good, id: 1.5 },
    { id: 1.5, error: { code: -32600 } },
  ],
  [{ ...good, id: null }, { error: { code: -32600 } }],
  [{ ...good, id: true }, { error: { code: -32600 } }],
  [{ ...good, id: { a: 1 } }, { error: { code: -32600 } }],
  [
    { ...good, id: 1e300 },
    { id: 1e300, error: { code: -32600 } },
  ],
  [
    { ...good, jsonrpc: '1.0' },
    { id: 1, error: { code: -32600 } },
  ],
  [
    { ...good, extra: 1 },
    { id: 1, error: { code: -32600, message: 'Invalid request: unknown member "extra"' } },
  ],
  [
    { jsonrpc: '2.0', id: 'half' },
    { id: 'half', error: { code: -32600 } },
  ],
  [[good], { error: { code: -32600 } }],
  [null, { error: { code: -32600 } }],
  ['ping', { error: { code: -32600 } }],
])('%j', (message, fault) => {
  const found = messageFault(message);
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(fault);
  if (fault && !('id' in fault)) expect(found).not.toHaveProperty('id');
});

const long = 'x'.repeat(1001);

test.each([
  ['uri', { uri: long }],
  ['name', { name: long, arguments: {} }],
  ['cursor', { cursor: long }],
  ['progressToken', { _meta: { progressToken: long } }],
  ['ref.uri', { ref: { type: 'ref/resource', uri: long } }],
  ['resourceSubscriptions', { notifications: { resourceSubscriptions: ['console://a', long] } }],
])('%s is no longer than any address or name of ours', (name, params) => {
  const message = `Invalid params: ${name} must not be longer than 1000 characters`;
  expect(messageFault({ ...good, params })).toEqual({ id: 1, error: { code: -32602, message } });
  const shorter = JSON.parse(JSON.stringify(params).replace(long, long.slice(1)));
  expect(messageFault({ ...good, params: shorter })).toBeUndefined();
});

test('whatever is let through is a message to the SDK too, so nothing is dropped without an answer', () => {
  const part = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant(undefined));
  const message = fc.record({
    jsonrpc: fc.oneof(fc.constant('2.0'), part),
    id: fc.oneof(fc.integer(), fc.string(), part),
    method: fc.oneof(fc.constantFrom('ping', 'tools/list', 'tools/call'), part),
    params: fc.oneof(fc.constant({}), part),
  });
  fc.assert(
    fc.property(message, (given) => {
      const sent: unknown = JSON.parse(JSON.stringify(given));
      if (messageFault(sent) === undefined) expect(isJSONRPCRequest(sent) || isJSONRPCNotification(sent)).toBe(true);
    }),
  );
});
