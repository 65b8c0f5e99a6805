import { afterEach } from 'vitest';
import type { BreakpointSpec } from '../../../src/machine/breakpoints.ts';
import type { ReportedEvent } from '../../../src/machine/events.ts';
import { QemuDebugger } from '../../../src/machines/qemu/debug/qemu-debugger.ts';
import type { Recording } from '../../../src/machines/qemu/debug/recording.ts';
import { Guest, type GuestName } from './start-guest.ts';

export const patientMs = 60_000;
export const never = new AbortController().signal;

const open: Guest[] = [];
afterEach(async () => {
  for (const guest of open.splice(0)) await guest[Symbol.asyncDispose]();
});

/** A guest that is gone after the test. */
export async function startGuest(name: GuestName, args: readonly string[] = []): Promise<Guest> {
  const guest = await Guest.start(name, args);
  open.push(guest);
  return guest;
}

/** With a debugger on it and everything that it reported. */
export async function debugGuest(name: GuestName, args: readonly string[] = [], recording?: Recording) {
  const guest = await startGuest(name, args);
  return attachTo(guest, recording);
}

export async function attachTo(guest: Guest, recording?: Recording) {
  const events: ReportedEvent[] = [];
  const own = await QemuDebugger.attach({
    gdbPath: guest.gdbPath,
    qmp: guest.qmp,
    arch: guest.arch,
    report: (event) => void events.push(event),
    timeoutMs: patientMs,
    recording,
  });
  const { control, cpu, memory, breakpoints, addresses } = own;
  return {
    guest,
    events,
    own,
    control,
    cpu,
    memory,
    breakpoints,
    symbols: addresses.symbols,
    run: (more: { address?: bigint; condition?: string; back?: boolean } = {}) =>
      control.run({ wallMs: patientMs, ...more }, never),
    step: (kind: 'into' | 'over' | 'out' = 'into', count = 1, back = false) =>
      control.step({ kind, count, back, wallMs: patientMs }, never),
    word: async (address: bigint) => Buffer.from(await memory.peek('virtual', address, 4)).readUInt32LE(),
  };
}

export function breakpoint(address: bigint, more: Partial<BreakpointSpec> = {}): BreakpointSpec {
  return { type: 'exec', address, length: 1, logOnly: false, temporary: false, ...more };
}
