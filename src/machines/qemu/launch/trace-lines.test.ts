import { expect, test } from 'vitest';
import { TraceLines } from './trace-lines.ts';

test('lines of the tracepoints are told once they are whole, without addresses of QEMU itself', () => {
  const told: string[] = [];
  const lines = new TraceLines(['fw_cfg_select', 'virtio_set_status'], (line) => told.push(line));
  expect(lines.take("fw_cfg_select 0xaaab12624f60 key 0x0000 'sig")).toBe('');
  expect(told).toEqual([]);
  expect(lines.take("nature', ret: 1\nEAX=00000000\nvirtio_set_status vdev 0x7f00deadbee0 val 11\nvirtio")).toBe(
    "fw_cfg_select 0x… key 0x0000 'signature', ret: 1\nEAX=00000000\nvirtio_set_status vdev 0x… val 11\n",
  );
  expect(told).toEqual(["fw_cfg_select 0x… key 0x0000 'signature', ret: 1", 'virtio_set_status vdev 0x… val 11']);
  expect(lines.take('_set_status at 0x80001000 and 0xffffffff81000000\n')).toContain(
    '0x80001000 and 0xffffffff81000000',
  );
});

test('a line without an end is not kept for ever', () => {
  const lines = new TraceLines(['fw_cfg_select'], () => {});
  expect(lines.take('x'.repeat(5000))).toHaveLength(5000);
});
