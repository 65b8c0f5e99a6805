import { hex } from '../../formats/hex.ts';
import type { TraceEntry, TraceStatus } from '../../machine/trace.ts';
import { count } from './code-place.ts';

export function showTraceStatus({ active, total, dropped, capacity, full }: TraceStatus): string {
  const parts = [
    active ? 'tracing' : 'no trace is going on',
    `${count(total)} instructions written`,
    dropped > 0 && `the oldest ${count(dropped)} dropped`,
    full && 'full',
    capacity > 0 && `room for ${count(capacity)}`,
  ];
  return parts.filter(Boolean).join(', ');
}

export function showTraceEntry({ seq, where, text, registers }: TraceEntry): string {
  const changed = registers.map(({ name, value, bits }) => `${name}=${hex(value, bits / 4)}`).join(' ');
  return `${seq} ${where} ${text.padEnd(24)} ${changed}`.trimEnd();
}
