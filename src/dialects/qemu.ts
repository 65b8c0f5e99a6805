import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import type { Caller, Toolbox } from '../tools/toolbox.ts';
import { type Dialect, type DialectAnswer, defineDialectTool } from './dialect.ts';

/** This surface has one machine at a time. */
const handle = 'qemu';
const reader = 'qemu-dialect';
const seconds = (most: number) => z.number().min(0).max(most).optional();
const changes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
const looks = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const boot = defineDialectTool({
  name: 'qemu_boot',
  title: 'Boot QEMU',
  description: 'Start QEMU. One runs at a time: shut it down before booting another.',
  annotations: changes,
  input: z.strictObject({
    gpu: z.boolean().default(false).describe('A display, for qemu_screenshot, keys and mouse'),
    network: z.boolean().default(false).describe('A network card behind NAT'),
    drives: z.array(z.string()).default([]).describe('Disk images; what is written to them is thrown away'),
    memory: z.number().int().min(1).optional().describe('RAM in MiB'),
    arch: z.string().optional().describe('x86_64, riscv64, aarch64 …'),
    options: z.record(z.string(), z.unknown()).default({}).describe('Any other option of the machine kind qemu'),
    wait_for: z.string().optional().describe('Text or /regex/ on the serial console to wait for'),
    timeout: seconds(50).describe('Seconds to wait for it'),
  }),
  async call({ gpu, network, drives, memory, arch, options, wait_for, timeout }, toolbox, caller) {
    if (running(toolbox)) {
      return { success: false, message: 'QEMU is already running. Call qemu_shutdown first.', ...statusOf(toolbox) };
    }
    if (toolbox.rack.machines.some((racked) => racked.handle === handle))
      await ask(toolbox, caller, 'machine_stop', {});
    const started = await tell(toolbox, caller, 'machine_start', {
      kind: 'qemu',
      name: handle,
      options: {
        gpu: gpu ? 'on' : 'none',
        network: network ? 'user' : 'none',
        drives,
        ...(memory !== undefined && { memory }),
        ...(arch !== undefined && { arch }),
        ...options,
      },
    });
    const output = await readOutput(toolbox, caller, wait_for, timeout);
    return { success: true, message: started, output };
  },
});

const send = defineDialectTool({
  name: 'qemu_send',
  title: 'Send to the serial console',
  description: 'Send a command line to the serial console and wait for the response.',
  annotations: changes,
  input: z.strictObject({
    command: z.string().describe('Sent with a carriage return behind it'),
    wait_for: z.string().optional().describe('Text or /regex/ that ends the response, e.g. the prompt'),
    timeout: seconds(50).describe('Seconds to wait'),
  }),
  async call({ command, wait_for, timeout }, toolbox, caller) {
    const { output } = await ask(toolbox, caller, 'console_send', {
      text: command,
      eol: 'cr',
      reader,
      max_chars: 28_000,
      ...(wait_for !== undefined && { expect: wait_for }),
      ...(timeout !== undefined && { timeout_ms: Math.round(timeout * 1000) }),
    });
    return { success: true, output };
  },
});

const read = defineDialectTool({
  name: 'qemu_read',
  title: 'Read the serial console',
  description: 'Serial output since the last read or send, without sending anything.',
  annotations: { ...looks, idempotentHint: false },
  input: z.strictObject({
    wait_for: z.string().optional().describe('Text or /regex/ to wait for'),
    timeout: seconds(50).describe('Seconds to wait'),
  }),
  async call({ wait_for, timeout }, toolbox, caller) {
    return { success: true, output: await readOutput(toolbox, caller, wait_for, timeout) };
  },
});

const screenshot = defineDialectTool({
  name: 'qemu_screenshot',
  title: 'Screenshot',
  description: 'A picture of the display (boot with gpu=true).',
  annotations: looks,
  input: z.strictObject({}),
  async call(_input, toolbox, caller) {
    const outcome = await toolbox.call('screen_read', { machine: handle, mode: 'image' }, caller);
    if (outcome.type !== 'answer') throw errorOf(outcome);
    return { success: true, images: outcome.answer.images ?? [] };
  },
});

const sendKey = defineDialectTool({
  name: 'qemu_send_key',
  title: 'Send keys',
  description: 'Press keys on the keyboard: {"key":"ctrl-alt-delete"}, or type {"text":"ls\\n"}.',
  annotations: changes,
  input: z.strictObject({
    key: z.string().optional().describe('One key or a chord joined by -'),
    text: z.string().optional().describe('Typed through the keyboard layout'),
  }),
  async call({ key, text }, toolbox, caller) {
    const keys = key === undefined ? undefined : key === '-' ? ['-'] : key.split(/[-+](?=.)/);
    const sent = await tell(toolbox, caller, 'input_send', {
      ...(keys !== undefined && { keys }),
      ...(text !== undefined && { text }),
    });
    return { success: true, message: sent };
  },
});

const mouse = defineDialectTool({
  name: 'qemu_mouse',
  title: 'Mouse',
  description: 'Move the mouse to a pixel, or by so much, and click: {"x":100,"y":50,"button":"left"}.',
  annotations: changes,
  input: z.strictObject({
    x: z.number().int().optional(),
    y: z.number().int().optional(),
    relative: z.boolean().default(false),
    button: z.enum(['left', 'middle', 'right']).optional().describe('Clicked there'),
    wheel: z.number().int().optional(),
  }),
  async call({ x, y, relative, button, wheel }, toolbox, caller) {
    const sent = await tell(toolbox, caller, 'input_send', {
      ...((x !== undefined || y !== undefined) && { mouse: [x ?? 0, y ?? 0], relative }),
      ...(button !== undefined && { click: button }),
      ...(wheel !== undefined && { wheel }),
    });
    return { success: true, message: sent };
  },
});

const monitor = defineDialectTool({
  name: 'qemu_monitor',
  title: 'QEMU monitor',
  description: 'A raw QMP command: {"command":"query-status"}.',
  annotations: { ...changes, destructiveHint: true },
  input: z.strictObject({ command: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) }),
  async call({ command, arguments: args }, toolbox, caller) {
    const { answer } = await ask(toolbox, caller, 'monitor_execute', { command, arguments: args });
    return { success: true, result: parsed(String(answer)) };
  },
});

const pcapStart = defineDialectTool({
  name: 'qemu_pcap_start',
  title: 'Start a packet capture',
  description: 'Capture network traffic to a pcap file (boot with network=true).',
  annotations: changes,
  input: z.strictObject({ path: z.string().optional().describe('Where to write it') }),
  async call({ path }, toolbox, caller) {
    const capture = await ask(toolbox, caller, 'network_capture_start', path === undefined ? {} : { path });
    return { success: true, pcap: capture.path, capture: capture.id };
  },
});

const pcapStop = defineDialectTool({
  name: 'qemu_pcap_stop',
  title: 'Stop the packet capture',
  description: 'Stop capturing and get the path of the pcap file.',
  annotations: { ...changes, idempotentHint: true },
  input: z.strictObject({}),
  async call(_input, toolbox, caller) {
    const capture = await ask(toolbox, caller, 'network_capture_stop', {});
    return { success: true, pcap: capture.path, bytes: capture.bytes };
  },
});

const shutdown = defineDialectTool({
  name: 'qemu_shutdown',
  title: 'Shut QEMU down',
  description: 'Ask the guest to power off, end QEMU, and clean up.',
  annotations: { ...changes, destructiveHint: true, idempotentHint: true },
  input: z.strictObject({}),
  async call(_input, toolbox, caller) {
    if (!running(toolbox)) return { success: true, message: 'QEMU is not running.' };
    return { success: true, message: await tell(toolbox, caller, 'machine_stop', {}) };
  },
});

const status = defineDialectTool({
  name: 'qemu_status',
  title: 'QEMU status',
  description: 'Whether QEMU is running, and what it is doing.',
  annotations: looks,
  input: z.strictObject({}),
  call: async (_input, toolbox) => statusOf(toolbox),
});

/** The surface of the one-machine QEMU server. */
export const qemu: Dialect = {
  name: 'qemu',
  instructions:
    'One QEMU at a time. qemu_boot starts it, qemu_send and qemu_read use its serial console, qemu_screenshot, qemu_send_key and ' +
    'qemu_mouse its display, qemu_monitor takes QMP, qemu_pcap_start and qemu_pcap_stop capture packets, qemu_shutdown ends it.',
  notes: [
    'Serial output comes over a socket that is connected before the guest runs, not over named pipes; nothing of the boot is lost.',
    'The display needs no VNC and the capture neither TAP, tcpdump nor root; `options` of `qemu_boot` takes everything the kind `qemu` knows, TAP included.',
    'The project-wide lock is the option `lock` of the kind `qemu`; who holds it is named in the refusal.',
    'Output has escape sequences removed, as everywhere here.',
  ],
  tools: [boot, send, read, screenshot, sendKey, mouse, monitor, pcapStart, pcapStop, shutdown, status],
};

function running(toolbox: Toolbox): boolean {
  const racked = toolbox.rack.machines.find((each) => each.handle === handle);
  return racked !== undefined && racked.machine.status().state !== 'OFF';
}

function statusOf(toolbox: Toolbox): DialectAnswer {
  const racked = toolbox.rack.machines.find((each) => each.handle === handle);
  if (!racked) return { running: false };
  return { running: running(toolbox), state: racked.machine.status().state, status: racked.stateLine };
}

/** The data of a call that must succeed. */
async function ask(
  toolbox: Toolbox,
  caller: Caller,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const outcome = await toolbox.call(tool, { machine: handle, ...args }, caller);
  if (outcome.type !== 'answer') throw errorOf(outcome);
  return outcome.answer.data ?? {};
}

/** The text of a call that must succeed. */
async function tell(
  toolbox: Toolbox,
  caller: Caller,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string> {
  const needsMachine = tool !== 'machine_start';
  const outcome = await toolbox.call(tool, { ...(needsMachine && { machine: handle }), ...args }, caller);
  if (outcome.type !== 'answer') throw errorOf(outcome);
  return outcome.answer.text;
}

async function readOutput(
  toolbox: Toolbox,
  caller: Caller,
  waitFor: string | undefined,
  timeout: number | undefined,
): Promise<unknown> {
  if (toolbox.rack.get(handle).machine.console === undefined) return '';
  const { output } = await ask(toolbox, caller, 'console_read', {
    reader,
    max_chars: 28_000,
    ...(waitFor !== undefined && { expect: waitFor }),
    ...(timeout !== undefined && { timeout_ms: Math.round(timeout * 1000) }),
  });
  return output;
}

function errorOf(outcome: Exclude<Awaited<ReturnType<Toolbox['call']>>, { type: 'answer' }>): MachineError {
  if (outcome.type === 'error') return outcome.error;
  return new MachineError('DENIED', outcome.question, 'Start frontpanel with --yes to allow it without asking.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
