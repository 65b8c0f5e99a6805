import { expect, test } from 'vitest';
import { isFull, storeIsFull, whyOfServer } from './server-faults.ts';

function fault(name: string, message: string, code?: number): Error {
  return Object.assign(new Error(message), { name, ...(code !== undefined && { code }) });
}

test('a full server is told from one that is away, and its folders and streams are not shown', () => {
  const disk = fault(
    'JetStreamApiError',
    'write /var/lib/nats/jetstream/$G/streams/FP_PARTS/1.blk: no space left on device',
  );
  expect(isFull(disk)).toBe(true);
  expect(isFull(fault('JetStreamApiError', 'insufficient storage resources available', 10047))).toBe(true);
  expect(isFull(fault('TimeoutError', 'timeout'))).toBe(false);
  expect(isFull(fault('JetStreamApiError', 'stream not found', 10059))).toBe(false);
  const { message, fix } = storeIsFull(disk);
  expect(`${message} ${fix}`).not.toMatch(/\/var|FP_|jetstream/);
  expect(fix).toContain('path of the host');
  expect(whyOfServer(fault('JetStreamApiError', 'open /var/lib/nats/x: permission denied'))).not.toContain('/var');
  expect(whyOfServer(fault('TimeoutError', 'timeout'))).toContain('does not answer in time');
});
