import { z } from 'zod';
import type { Caller, ToolHost } from '../api/tool-host.ts';
import { MachineError } from '../machine/errors.ts';
import { type Dialect, defineDialectTool } from './dialect.ts';
import { adviceNames, answerOf, found, handleIn, isRunning, requireRunning, statusOf } from './qemu/machine.ts';
import { readSerial, sendLine } from './qemu/serial.ts';

const seconds = z.number().min(0).max(3600).optional();
const changes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
const looks = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** How long a guest may take to power off before it is ended. */
const powerdownMs = 5000;

const boot = defineDialectTool({
  name: 'qemu_boot',
  title: 'Boot QEMU',
  description: 'Start QEMU. One runs at a time: shut it down before booting another.',
  annotations: changes,
  input: z.strictObject({
    gpu: z.boolean().default(false).describe('A display, for qemu_screenshot, keys and mouse'),
    network: z.boolean().default(false).describe('A network card behind NAT'),
    drives: z
      .array(z.string())
      .default([])
      .describe('Disk images; what is written to them is thrown away unless ",write" follows the path'),
    memory: z.number().int().min(1).optional().describe('RAM in MiB'),
    arch: z.string().optional().describe('x86_64, riscv64, aarch64 …'),
    options: z.record(z.string(), z.unknown()).default({}).describe('Any other option of the machine kind qemu'),
    wait_for: z.string().optional().describe('Text or /regex/ on the serial console to wait for'),
    timeout: seconds.describe('Seconds to wait for it'),
  }),
  async call({ gpu, network, drives, memory, arch, options, wait_for, timeout }, host, caller) {
    const already = (what: string) => ({
      success: false,
      message: `QEMU is already ${what}. Call qemu_shutdown first.`,
      ...statusOf(host),
    });
    if (isRunning(host)) return already('running');
    if (found(host)) await answerOf(host, caller, 'machine_stop', {});
    try {
      const { text } = await answerOf(host, caller, 'machine_start', {
        kind: 'qemu',
        name: handleIn(host),
        options: {
          gpu: gpu ? 'on' : 'none',
          network: network ? 'user' : 'none',
          drives,
          powerdown_ms: powerdownMs,
          ...(memory !== undefined && { memory }),
          ...(arch !== undefined && { arch }),
          ...options,
        },
      });
      return { success: true, message: text, ...(await readSerial(host, caller, { wait_for, timeout })) };
    } catch (error) {
      if (error instanceof MachineError && error.type === 'NAME_TAKEN') return already('being started by another call');
      throw error;
    }
  },
});

const send = defineDialectTool({
  name: 'qemu_send',
  title: 'Send to the serial console',
  description: 'Send a command line to the serial console and wait for the response.',
  annotations: changes,
  input: z.strictObject({
    command: z.string().describe('Sent with a carriage return after it'),
    wait_for: z.string().optional().describe('Text or /regex/ that ends the response, e.g. the prompt'),
    timeout: seconds.describe('Seconds to wait'),
  }),
  async call({ command, wait_for, timeout }, host, caller) {
    requireRunning(host);
    return { success: true, ...(await sendLine(host, caller, command, { wait_for, timeout })) };
  },
});

const read = defineDialectTool({
  name: 'qemu_read',
  title: 'Read the serial console',
  description: 'Serial output since the last read or send, without sending anything.',
  annotations: { ...looks, idempotentHint: false },
  input: z.strictObject({
    wait_for: z.string().optional().describe('Text or /regex/ to wait for'),
    timeout: seconds.describe('Seconds to wait for it, or for anything new'),
  }),
  async call({ wait_for, timeout }, host, caller) {
    // The last words of one that has ended can be read.
    if (!found(host)) requireRunning(host);
    return { success: true, ...(await readSerial(host, caller, { wait_for, timeout })) };
  },
});

const screenshot = defineDialectTool({
  name: 'qemu_screenshot',
  title: 'Screenshot',
  description: 'A picture of the display (boot with gpu=true).',
  annotations: looks,
  input: z.strictObject({}),
  async call(_input, host, caller) {
    requireRunning(host);
    const { images = [] } = await answerOf(host, caller, 'screen_read', { mode: 'image' });
    return { success: true, images };
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
  async call({ key, text }, host, caller) {
    requireRunning(host);
    if (key === undefined && text === undefined) throw nothingToDo('Give "key" or "text".');
    const keys = key === undefined ? undefined : key === '-' ? ['-'] : key.split(/[-+](?=.)/);
    const sent = await answerOf(host, caller, 'input_send', {
      ...(keys !== undefined && { keys }),
      ...(text !== undefined && { text }),
    });
    return { success: true, message: sent.text };
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
  async call({ x, y, relative, button, wheel }, host, caller) {
    requireRunning(host);
    const moves = x !== undefined || y !== undefined;
    if (!moves && button === undefined && wheel === undefined) throw nothingToDo('Give x and y, "button" or "wheel".');
    if (!relative && moves && (x === undefined || y === undefined)) throw nothingToDo('A place has both x and y.');
    const sent = await answerOf(host, caller, 'input_send', {
      ...(moves && { mouse: [x ?? 0, y ?? 0], relative }),
      ...(button !== undefined && { click: button }),
      ...(wheel !== undefined && { wheel }),
    });
    return { success: true, message: sent.text };
  },
});

const monitor = defineDialectTool({
  name: 'qemu_monitor',
  title: 'QEMU monitor',
  description: 'A raw QMP command: {"command":"query-status"}.',
  annotations: { ...changes, destructiveHint: true },
  input: z.strictObject({
    command: z.string().describe('Its name, or the whole of it: {"execute":…,"arguments":…}'),
    arguments: z.record(z.string(), z.unknown()).default({}),
  }),
  async call({ command, arguments: args }, host, caller) {
    requireRunning(host);
    const whole = Object(parsed(command));
    const asked =
      typeof whole.execute === 'string'
        ? { command: whole.execute, arguments: { ...Object(whole.arguments), ...args } }
        : { command, arguments: args };
    const { data } = await answerOf(host, caller, 'monitor_execute', asked);
    return { success: true, result: parsed(String(data?.answer)) };
  },
});

const pcapStart = defineDialectTool({
  name: 'qemu_pcap_start',
  title: 'Start a packet capture',
  description: 'Capture network traffic to a pcap file (boot with network=true).',
  annotations: changes,
  input: z.strictObject({
    path: z.string().optional().describe('Where to write it; without one the file goes with the machine'),
  }),
  async call({ path }, host, caller) {
    requireRunning(host);
    const running = (await captures(host, caller)).find(({ active }) => active);
    if (running)
      return { success: false, message: 'A capture is running. Call qemu_pcap_stop first.', pcap: running.path };
    const { data } = await answerOf(host, caller, 'network_capture_start', path === undefined ? {} : { path });
    return { success: true, pcap: data?.path, capture: data?.id };
  },
});

const pcapStop = defineDialectTool({
  name: 'qemu_pcap_stop',
  title: 'Stop the packet capture',
  description: 'Stop capturing and get the path of the pcap file.',
  annotations: { ...changes, idempotentHint: true },
  input: z.strictObject({}),
  async call(_input, host, caller) {
    // Of one that has ended the capture is still there.
    if (!found(host)) requireRunning(host);
    await captures(host, caller);
    const { data } = await answerOf(host, caller, 'network_capture_stop', {});
    return { success: true, pcap: data?.path, bytes: data?.bytes };
  },
});

const shutdown = defineDialectTool({
  name: 'qemu_shutdown',
  title: 'Shut QEMU down',
  description: 'Ask the guest to power off, end QEMU after five seconds at the latest, and clean up.',
  annotations: { ...changes, destructiveHint: true, idempotentHint: true },
  input: z.strictObject({}),
  async call(_input, host, caller) {
    if (!found(host)) return { success: true, message: 'QEMU is not running.' };
    const { text } = await answerOf(host, caller, 'machine_stop', {});
    return { success: true, message: text };
  },
});

const status = defineDialectTool({
  name: 'qemu_status',
  title: 'QEMU status',
  description: 'Whether QEMU is running, and what it is doing.',
  annotations: looks,
  input: z.strictObject({}),
  call: async (_input, host) => statusOf(host),
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
    'The project-wide lock is the option `--lock NAME` of the server; who holds it is named in the refusal.',
    'Output has escape sequences removed, as everywhere here. An answer holds 28,000 characters; `more_bytes` counts what the next ' +
      'call goes on with, so that nothing is left out.',
    'A call that fails is a result with `isError` and a text that says what failed and what to do.',
    '`qemu_send` with a `timeout` and without `wait_for` waits until the line that stood there before (the prompt) is back, until ' +
      'another line stands there that ends in `#`, `$` or `>`, or until the time is up; with neither, until nothing comes for 0.4 s.',
    'A `timeout` may be an hour. Clients give up a call after a time of their own, often 60 s, unless they ask for progress, which ' +
      'is told every two seconds.',
    '`qemu_monitor` takes what stays inside the machine, of QMP and, by `human-monitor-command`, of the human monitor; the rest ' +
      'needs `--allow-monitor`.',
    '`matched` says whether `wait_for` came. A capture without a `path` is removed by `qemu_shutdown`.',
  ],
  failuresAreResults: true,
  advice: adviceNames,
  tools: [boot, send, read, screenshot, sendKey, mouse, monitor, pcapStart, pcapStop, shutdown, status],
};

/** Throws where there is no network to capture. */
async function captures(host: ToolHost, caller: Caller): Promise<readonly Capture[]> {
  try {
    const { data } = await answerOf(host, caller, 'captures_list', {});
    return z.array(capture).parse(data?.captures);
  } catch (error) {
    if (!(error instanceof MachineError && error.type === 'MISSING_CAPABILITY')) throw error;
    throw noNetwork();
  }
}

const capture = z.object({ path: z.string(), active: z.boolean() });
type Capture = z.output<typeof capture>;

function noNetwork(): MachineError {
  return new MachineError('MISSING_CAPABILITY', 'QEMU was booted without a network.', 'Boot it with "network":true.');
}

function nothingToDo(fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', 'Nothing to do.', fix);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
