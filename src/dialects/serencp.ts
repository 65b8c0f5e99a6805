import { z } from 'zod';
import type { Caller, MachineSummary, Outcome, ToolHost } from '../api/tool-host.ts';
import { type AdviceNames, adviceIn } from './advice-names.ts';
import { type Dialect, defineDialectTool } from './dialect.ts';

const vmName = z.string().describe('Name of the VM');
const historyLines = 1000;
/** `start` tells how the first connection went, if it comes within this time. */
const connectMs = 10_000;
/** As long as the original's `read` waits. */
const readMs = 2000;
/** A silence after which an answer is taken to be whole. */
const settleMs = 100;

const names: AdviceNames = {
  machine_start: 'start',
  machine_stop: 'stop',
  console_send: 'write',
  console_read: 'read',
  machine_list: 'status',
};

const start = defineDialectTool({
  name: 'start',
  title: 'Start VM serial bridge',
  description: 'Start the bridge to the serial console of a VM, with a terminal window; a running one is restarted.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    vm_name: vmName,
    port: z.number().int().min(1).max(65_535).default(4555).describe('TCP port of the serial console'),
  }),
  async call({ vm_name, port }, host, caller) {
    const failed = await bridge(vm_name, port, host, caller);
    if (failed) return failure(failed);
    const outcome = await host.call('serial_status', { machine: vm_name, wait_ms: connectMs }, caller);
    if (outcome.type !== 'answer') return failure(outcome);
    const { link, socket_in, socket_out, window_pid } = outcome.answer.data ?? {};
    return {
      success: true,
      message: `Bridge started for VM ${vm_name} on port ${port}${link === 'up' ? '' : ', still connecting'}`,
      port,
      socket_in,
      socket_out,
      session_id: `session_${vm_name}_${Math.floor(Date.now() / 1000)}`,
      terminal_pid: window_pid,
    };
  },
});

const status = defineDialectTool({
  name: 'status',
  title: 'VM bridge status',
  description: 'Whether the bridge of a VM is running, and how much output is buffered.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ vm_name: vmName }),
  async call({ vm_name }, host, caller) {
    const bridge = await statusOf(vm_name, host, caller);
    if (!bridge) return { running: false, vm_name, port: null, link: 'ended', buffer_size: 0, buffer_bytes: 0 };
    const { link, target, lines, bytes } = bridge;
    return {
      running: link !== 'ended',
      vm_name,
      port: Number(/:(\d+)$/.exec(String(target))?.[1] ?? 0),
      link,
      buffer_size: Math.min(Number(lines), historyLines),
      buffer_bytes: bytes,
    };
  },
});

const read = defineDialectTool({
  name: 'read',
  title: 'Read VM output',
  description: 'All output of the VM since the last read; waits up to 2 seconds if there is none.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({ vm_name: vmName }),
  async call({ vm_name }, host, caller) {
    if (!find(host, vm_name)) return notRunning(vm_name);
    const wanted = { machine: vm_name, reader: 'serencp', wait_ms: readMs, settle_ms: settleMs };
    const outcome = await host.call('serial_take_new', wanted, caller);
    return outcome.type === 'answer' ? { success: true, output: outcome.answer.data?.output } : failure(outcome);
  },
});

const write = defineDialectTool({
  name: 'write',
  title: 'Write to VM',
  description: 'Send a line to the serial console of the VM; the end of the line is added.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({ vm_name: vmName, text: z.string().describe('Command to send') }),
  async call({ vm_name, text }, host, caller) {
    if (!find(host, vm_name)) return notRunning(vm_name);
    const line = { machine: vm_name, text: text.replace(/\n+$/, ''), eol: 'lf', quiet_ms: 0 };
    const outcome = await host.call('console_send', line, caller);
    if (outcome.type !== 'answer') return failure(outcome);
    const { written = 0, queued = 0, link_lost: isLost } = outcome.answer.data ?? {};
    const sent = `Sent ${Number(written) + Number(queued)} bytes to VM ${vm_name}`;
    return isLost
      ? { success: false, message: `${sent}, but the link was lost at the same time: they may not have arrived.` }
      : { success: true, message: sent };
  },
});

const stop = defineDialectTool({
  name: 'stop',
  title: 'Stop VM serial bridge',
  description: 'Stop the bridge of a VM and remove its sockets.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ vm_name: vmName }),
  async call({ vm_name }, host, caller) {
    if (!find(host, vm_name)) return notRunning(vm_name);
    const outcome = await host.call('machine_stop', { machine: vm_name }, caller);
    return outcome.type === 'answer'
      ? { success: true, message: `Bridge stopped for VM ${vm_name}` }
      : failure(outcome);
  },
});

/** The surface of serencp, the serial console bridge. */
export const serencp: Dialect = {
  name: 'serencp',
  instructions:
    'Serial consoles of VMs. start attaches to a VM by its TCP port, write sends a line, read gives the output since the ' +
    'last read, stop detaches. Subscribe to vm://NAME/output for live output.',
  notes: [
    '`start` opens a terminal window where there is one to be had and links `/tmp/serial_NAME.in` and `.out` to the sockets; `terminal_pid` is null on a headless machine, and the log has an error that tells what a person can do. A second `start` keeps the window; `stop` and the end of the server close it.',
    '`status` is `running` until `stop`, also while it reconnects; `link` says how the connection is (up, connecting, down, ended).',
    '`read` gives what came since the last `read` of the same client, and waits up to 2 seconds if there is nothing; unlike the original it takes nothing away from other readers.',
    '`resources/read` of `vm://NAME/output` gives everything that is kept and empties nothing.',
    'Output is made into notifications only for clients that subscribed. One that does not read gets its notifications later and larger, at most 256 KB of output each; what the ring of 10 MB has lost by then is named as `[gap of N bytes]`.',
    'Update notifications carry `content` and `stream` beside `uri` on stdio and in sessions of the protocols up to 2025-11-25. The 2026-07-28 protocol over HTTP has room for `uri` only.',
    'Output is UTF-8; bytes that are none, and control characters other than tab and line ends, are written as `\\xNN`, characters that cannot be seen (zero-width, bidirectional, tags) as `\\u{200B}`.',
    'The client mode `--socket PATH.out` is the same as `frontpanel attach PATH.out`.',
  ],
  advice: names,
  tools: [start, status, read, write, stop],
  output: {
    uri: (machine) => `vm://${machine}/output`,
    machineOf: (uri) => /^vm:\/\/([^/]+)\/output$/.exec(uri)?.[1],
    update: (content) => ({ content, stream: 'stdout' }),
  },
};

function find(host: ToolHost, name: string): MachineSummary | undefined {
  return host.machines().find(({ handle }) => handle === name);
}

async function statusOf(name: string, host: ToolHost, caller: Caller) {
  const found = find(host, name);
  if (!found || found.consoles.length === 0) return undefined;
  const outcome = await host.call('serial_status', { machine: name }, caller);
  if (outcome.type === 'error') throw outcome.error;
  return outcome.type === 'answer' ? outcome.answer.data : undefined;
}

/** A bridge with a clean slate: the one that is there, or a new one. Answers with what went wrong. */
async function bridge(
  name: string,
  port: number,
  host: ToolHost,
  caller: Caller,
): Promise<Exclude<Outcome, { type: 'answer' }> | undefined> {
  const wanted = { kind: 'console', name, options: { port, terminal: 'auto', serial_links: true } };
  // A restart is as much as a new one.
  host.check('machine_start', wanted, caller);
  const running = await statusOf(name, host, caller);
  if (running && running.link !== 'ended' && running.target === `tcp 127.0.0.1:${port}`) {
    if (!find(host, name)?.isKept) {
      const restarted = await host.call('serial_restart', { machine: name }, caller);
      if (restarted.type !== 'answer') return restarted;
    }
    // The window that was opened before shows the new bridge as well.
    if (running.window_pid === null) await host.call('console_setup', { machine: name, terminal: 'auto' }, caller);
    return undefined;
  }
  if (running) {
    const stopped = await host.call('machine_stop', { machine: name }, caller);
    if (stopped.type !== 'answer') return stopped;
  }
  const started = await host.call('machine_start', wanted, caller);
  return started.type === 'answer' ? undefined : started;
}

function notRunning(name: string) {
  return { success: false, message: `Bridge not running for VM ${name.slice(0, 60)}. Call start first.` };
}

function failure(outcome: Exclude<Outcome, { type: 'answer' }>) {
  const message =
    outcome.type === 'error' ? `${outcome.error.message} ${adviceIn(names, outcome.error)}` : outcome.question;
  return { success: false, message };
}
