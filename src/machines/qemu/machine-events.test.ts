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
