import { expect, test } from 'vitest';
import type { ReportedEvent } from '../../machine/events.ts';
import { MachineEvents } from './machine-events.ts';

function reports(events: readonly (readonly [name: string, at: number, data?: Record<string, unknown>])[]): string[] {
  const reported: ReportedEvent[] = [];
  const log = new MachineEvents((event) => reported.push(event));
  for (const [name, at, data = {}] of events) log.event({ name, at, data });
  return reported.map(({ type, text }) => `${type}: ${text}`);
}

test('QEMU events in words; what the debugger does is its own affair', () => {
  expect(
    reports([
      ['STOP', 1],
      ['RESUME', 2],
      ['RESET', 3, { guest: true, reason: 'guest-reset' }],
      ['SHUTDOWN', 4, { guest: false, reason: 'host-qmp-quit' }],
      ['BLOCK_IO_ERROR', 5, { operation: 'write', device: '', 'node-name': 'drive0-image', reason: 'no space' }],
      ['SOMETHING_NEW', 6, { answer: 42 }],
    ]),
  ).toEqual([
    'reset: the guest reset the machine (guest-reset)',
    'shutdown: QEMU shuts down (host-qmp-quit)',
    'block_io_error: a write on drive0-image failed: no space',
    'something_new: {"answer":42}',
  ]);
});

test('a flood becomes a count', () => {
  const flood = Array.from({ length: 500 }, (_, at) => ['RTC_CHANGE', at] as const);
  const texts = reports([...flood, ['RTC_CHANGE', 20_000]]);
  expect(texts).toHaveLength(12);
  expect(texts[10]).toBe('rtc_change: 490 more within 10 s were left out');
});

test('what was left out is told at the latest when it ends', () => {
  const flood = Array.from({ length: 15 }, (_, at) => ['RTC_CHANGE', at] as const);
  const texts = reports([...flood, ['SHUTDOWN', 20, { guest: false, reason: 'host-qmp-quit' }]]);
  expect(texts.slice(-2)).toEqual([
    'shutdown: QEMU shuts down (host-qmp-quit)',
    'rtc_change: 5 more within 10 s were left out',
  ]);
});

test('jobs of somebody else are told, ours are not', () => {
  const states = ['created', 'running', 'waiting', 'pending', 'concluded', 'null'];
  const job = (id: string) => states.map((status) => ['JOB_STATUS_CHANGE', 1, { id, status }] as const);
  const done = (device: string) => ['BLOCK_JOB_COMPLETED', 2, { device, error: 'no space' }] as const;
  expect(reports([...job('job7'), done('job7'), ...job('mine'), done('mine')])).toEqual([
    'job_status_change: the job mine is pending',
    'job_status_change: the job mine is concluded',
    'block_job_completed: the job mine has ended: no space',
  ]);
});

test('a device is gone once', () => {
  const path = '/machine/peripheral/drive0';
  expect(
    reports([
      ['DEVICE_DELETED', 1, { path: `${path}/virtio-backend` }],
      ['DEVICE_DELETED', 2, { device: 'drive0', path }],
    ]),
  ).toEqual(['device_deleted: the device drive0 is gone']);
});
