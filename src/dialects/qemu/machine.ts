import { z } from 'zod';
import type { Caller, MachineSummary, ToolAnswer, ToolHost } from '../../api/tool-host.ts';
import { MachineError } from '../../machine/errors.ts';
import { type AdviceNames, inWordsOf } from '../advice-names.ts';
import type { DialectAnswer } from '../dialect.ts';

/** This surface has one machine at a time: running, or off and not yet cleared away. Consoles of the configuration may stand beside it. */
export function found(host: ToolHost): MachineSummary | undefined {
  return host.machines().find(({ kind }) => kind === 'qemu');
}

/** What it is called, or will be: a console of the configuration may have the name already. */
export function handleIn(host: ToolHost): string {
  const machine = found(host);
  if (machine) return machine.handle;
  const taken = new Set(host.machines().map(({ handle }) => handle));
  const names = ['qemu', ...Array.from(taken, (_, index) => `qemu-${index + 1}`)];
  return names.find((name) => !taken.has(name)) ?? 'qemu';
}

export function isRunning(host: ToolHost): boolean {
  const machine = found(host);
  return machine !== undefined && machine.state !== 'OFF';
}

export function requireRunning(host: ToolHost): void {
  if (isRunning(host)) return;
  const machine = found(host);
  throw new MachineError(
    'WRONG_STATE',
    `QEMU is not running${machine === undefined || machine.notes.length === 0 ? '' : `: ${machine.notes.join(', ')}`}.`,
    machine ? 'qemu_read has its last words. Start it again with qemu_boot.' : 'Start it with qemu_boot.',
    { running: false },
  );
}

export function statusOf(host: ToolHost): DialectAnswer {
  const machine = found(host);
  if (!machine) return { running: false };
  return { running: isRunning(host), state: machine.state, status: machine.line };
}

/** The answer of a call that must succeed. */
export async function answerOf(
  host: ToolHost,
  caller: Caller,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer> {
  const needsMachine = tool !== 'machine_start';
  const outcome = await host.call(tool, { ...(needsMachine && { machine: handleIn(host) }), ...args }, caller);
  if (outcome.type === 'answer') return outcome.answer;
  if (outcome.type === 'error') throw inWordsOf(adviceNames, outcome.error);
  throw new MachineError('DENIED', outcome.question, 'Start frontpanel with --yes to allow it without asking.');
}

export const adviceNames: AdviceNames = {
  machine_start: bootCall,
  machine_stop: 'qemu_shutdown',
  machine_list: 'qemu_status',
  events_read: 'qemu_status',
  console_read: 'qemu_read',
  console_send: 'qemu_send',
  screen_read: 'qemu_screenshot',
  input_send: 'qemu_send_key',
  monitor_execute: 'qemu_monitor',
  network_capture_start: 'qemu_pcap_start',
  network_capture_stop: 'qemu_pcap_stop',
  run: 'qemu_monitor {"command":"cont"}',
  pause: 'qemu_monitor {"command":"stop"}',
  machine_reset: 'qemu_monitor {"command":"system_reset"}',
};

/** Another kind of machine cannot be booted here. */
function bootCall({ kind = 'qemu', options }: Readonly<Record<string, unknown>>): string | undefined {
  if (kind !== 'qemu') return undefined;
  const { gpu, network, ...others } = z.record(z.string(), z.unknown()).default({}).parse(options);
  const args = {
    ...(gpu !== undefined && { gpu: gpu !== 'none' }),
    ...(network !== undefined && { network: network !== 'none' }),
    ...(Object.keys(others).length > 0 && { options: others }),
  };
  return Object.keys(args).length === 0 ? 'qemu_boot' : `qemu_boot ${JSON.stringify(args)}`;
}
