import { z } from 'zod';
import type { ConsolePort } from '../machine/console.ts';
import { MachineError } from '../machine/errors.ts';
import type { Caller, Outcome, Toolbox } from '../tools/toolbox.ts';
import { type Dialect, defineDialectTool } from './dialect.ts';
import { allNewText, allText, beginHere, forgetReader, newText, outputArrived } from './serencp/readers.ts';

const vmName = z.string().describe('Name of the VM');
const historyLines = 1000;

const start = defineDialectTool({
  name: 'start',
  title: 'Start VM serial bridge',
  description: 'Start the bridge to the serial console of a VM, with a terminal window; a running one is restarted.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    vm_name: vmName,
    port: z.number().int().min(1).max(65_535).default(4555).describe('TCP port of the serial console'),
  }),
  async call({ vm_name, port }, toolbox, caller) {
    const failed = await bridge(vm_name, port, toolbox, caller);
    if (failed) return failure(failed);
    const console = consoleOf(toolbox, vm_name);
    await linkUp(console, 10_000, caller);
    const { socketIn, socketOut, serialLinks, window } = console.humans;
    return {
      success: true,
      message: `Bridge started for VM ${vm_name} on port ${port}${console.link.state === 'up' ? '' : ', still connecting'}`,
      port,
      socket_in: serialLinks?.in ?? socketIn,
      socket_out: serialLinks?.out ?? socketOut,
      session_id: `session_${vm_name}_${Math.floor(Date.now() / 1000)}`,
      terminal_pid: window?.pid ?? null,
    };
  },
});

const status = defineDialectTool({
  name: 'status',
  title: 'VM bridge status',
  description: 'Whether the bridge of a VM is running, and how much output is buffered.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ vm_name: vmName }),
  async call({ vm_name }, toolbox) {
    const port = find(toolbox, vm_name)?.machine.console?.ports[0];
    if (!port) return { running: false, vm_name, port: null, link: 'ended', buffer_size: 0, buffer_bytes: 0 };
    const { link, output } = port;
    return {
      running: link.state !== 'ended',
      vm_name,
      port: Number(/:(\d+)$/.exec(link.target)?.[1] ?? 0),
      link: link.state,
      buffer_size: Math.min(output.lines, historyLines),
      buffer_bytes: output.end - output.start,
    };
  },
});

const read = defineDialectTool({
  name: 'read',
  title: 'Read VM output',
  description: 'All output of the VM since the last read; waits up to 2 seconds if there is none.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({ vm_name: vmName }),
  async call({ vm_name }, toolbox, { session, signal }) {
    if (!find(toolbox, vm_name)) return notRunning(vm_name);
    const port = consoleOf(toolbox, vm_name);
    const reader = `serencp@${session ?? 'local'}`;
    await outputArrived(port, reader, signal);
    return { success: true, output: await allNewText(port, reader) };
  },
});

const write = defineDialectTool({
  name: 'write',
  title: 'Write to VM',
  description: 'Send a line to the serial console of the VM; the end of the line is added.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({ vm_name: vmName, text: z.string().describe('Command to send') }),
  async call({ vm_name, text }, toolbox, caller) {
    if (!find(toolbox, vm_name)) return notRunning(vm_name);
    const line = { machine: vm_name, text: text.replace(/\n+$/, ''), eol: 'lf', quiet_ms: 0 };
    const outcome = await toolbox.call('console_send', line, caller);
    return outcome.type === 'answer'
      ? { success: true, message: `Sent ${new TextEncoder().encode(line.text).length + 1} bytes to VM ${vm_name}` }
      : failure(outcome);
  },
});

const stop = defineDialectTool({
  name: 'stop',
  title: 'Stop VM serial bridge',
  description: 'Stop the bridge of a VM and remove its sockets.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ vm_name: vmName }),
  async call({ vm_name }, toolbox, caller) {
    if (!find(toolbox, vm_name)) return notRunning(vm_name);
    const outcome = await toolbox.call('machine_stop', { machine: vm_name }, caller);
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
  tools: [start, status, read, write, stop],
  resources: {
    uri: (handle) => `vm://${handle}/output`,
    read: (handle, toolbox) => allText(consoleOf(toolbox, handle)),
    begin: (handle, reader, toolbox) => beginHere(consoleOf(toolbox, handle), reader),
    update(handle, reader, toolbox) {
      const { text: content, more } = newText(consoleOf(toolbox, handle), reader);
      return content === '' && !more ? undefined : { params: { content, stream: 'stdout' }, more };
    },
    end: (handle, reader, toolbox) => forgetReader(consoleOf(toolbox, handle), reader),
  },
};

function find(toolbox: Toolbox, name: string): Toolbox['rack']['machines'][number] | undefined {
  return toolbox.rack.machines.find(({ handle }) => handle === name);
}

function consoleOf(toolbox: Toolbox, name: string): ConsolePort {
  const port = toolbox.rack.get(name).machine.console?.ports[0];
  if (port) return port;
  throw new MachineError(
    'MISSING_CAPABILITY',
    `${name} has no serial console.`,
    'Use the name of a VM that was started.',
  );
}

/** A bridge with a clean slate: the one that is there, or a new one. Answers with what went wrong. */
async function bridge(
  name: string,
  port: number,
  toolbox: Toolbox,
  caller: Caller,
): Promise<Exclude<Outcome, { type: 'answer' }> | undefined> {
  const options = { port, terminal: 'auto', serial_links: true };
  const wanted = { kind: 'console', name, options };
  // A restart reaches the machine without a tool of ours in between, and is as much as a new one.
  toolbox.check('machine_start', wanted, caller);
  const racked = find(toolbox, name);
  const running = racked?.machine.console?.ports[0];
  if (running?.link.state !== 'ended' && running?.link.target === `tcp 127.0.0.1:${port}`) {
    if (!racked?.isKept) running.restart();
    // The window that was opened before shows the new bridge as well.
    if (!running.humans.window) await toolbox.call('console_setup', { machine: name, terminal: 'auto' }, caller);
    return undefined;
  }
  if (running) {
    const stopped = await toolbox.call('machine_stop', { machine: name }, caller);
    if (stopped.type !== 'answer') return stopped;
  }
  const started = await toolbox.call('machine_start', wanted, caller);
  return started.type === 'answer' ? undefined : started;
}

/** Waits for the first connection, so that the answer of `start` tells how it went. */
async function linkUp(port: ConsolePort, timeoutMs: number, { signal, progress }: Caller): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (port.link.state !== 'up' && port.link.attempts < 2 && performance.now() < deadline && !signal.aborted) {
    progress(`connecting to ${port.link.target}`);
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        unlisten();
        resolve();
      };
      const timer = setTimeout(done, 500);
      const unlisten = port.onActivity(done);
    });
  }
}

function notRunning(name: string) {
  return { success: false, message: `Bridge not running for VM ${name}. Call start first.` };
}

function failure(outcome: Exclude<Outcome, { type: 'answer' }>) {
  const message = outcome.type === 'error' ? `${outcome.error.message} ${outcome.error.fix}` : outcome.question;
  return { success: false, message };
}
