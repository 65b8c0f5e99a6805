import { expect, test } from 'vitest';
import { RequestsUnderWay } from './requests-under-way.ts';

const limit = 128;
const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'slow' } });
const cancel = (requestId: number) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

test('a call that is cancelled keeps its place until its work has ended', async () => {
  const requests = new RequestsUnderWay();
  const ends: (() => void)[] = [];
  for (let id = 0; id < limit; id++) {
    expect(await requests.admit(call(id))).toBeUndefined();
    ends.push(requests.begin(call(id)));
    expect(await requests.admit(cancel(id))).toBeUndefined();
  }
  expect((await requests.admit(call(1000)))?.error.message).toContain('which is the limit');
  expect(await requests.admit({ jsonrpc: '2.0', id: 1001, method: 'ping' })).toBeUndefined();
  ends[0]?.();
  ends[0]?.();
  expect(await requests.admit(call(1002))).toBeUndefined();
  expect((await requests.admit(call(1003)))?.error.message).toContain('which is the limit');
});

test('one that is cancelled before its work has begun takes a place when it begins', async () => {
  const requests = new RequestsUnderWay();
  for (let id = 0; id < limit; id++) {
    await requests.admit(call(id));
    await requests.admit(cancel(id));
    requests.begin(call(id));
  }
  expect((await requests.admit(call(1000)))?.error.message).toContain('which is the limit');
});

test('one that is answered has its place until then, and no longer', async () => {
  const requests = new RequestsUnderWay();
  for (let id = 0; id < 10 * limit; id++) {
    expect(await requests.admit(call(id))).toBeUndefined();
    requests.begin(call(id))();
    requests.answered({ jsonrpc: '2.0', id, result: {} });
  }
  // Refused by the SDK: no work ever began.
  for (let id = 0; id < 10 * limit; id++) {
    expect(await requests.admit(call(id))).toBeUndefined();
    requests.answered({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
  }
});
