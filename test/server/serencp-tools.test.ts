import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isAlive } from '../../src/host/process-identity.ts';
import { Guest } from '../support/guest.ts';
import { stdioClient } from '../support/mcp-client.ts';
import { RawStdio } from '../support/raw-stdio.ts';
import { endOf, Sandbox } from '../support/sandbox.ts';
import { SerencpVm } from '../support/serencp-vm.ts';
import { Tmux } from '../support/tmux.ts';

const patience = { timeout: 60_000, interval: 20 };

let sandbox: Sandbox;
let raw: RawStdio;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  raw = new RawStdio(sandbox, ['--dialect', 'serencp']);
  await raw.initialize();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

test('the five tools have the arguments and annotations of the original', async () => {
  const { result = {} } = await raw.request('tools/list');
  const tools = result.tools as { name: string; inputSchema: Record<string, unknown>; annotations: object }[];
  const vm_name = { type: 'string' };
  const tool = (name: string, more: object, required: string[], hints: readonly boolean[]) => ({
    name,
    inputSchema: { type: 'object', properties: { vm_name, ...more }, required },
    annotations: {
      title: expect.any(String),
      readOnlyHint: hints[0],
      destructiveHint: hints[1],
      idempotentHint: hints[2],
      openWorldHint: hints[3],
    },
  });
  expect(tools).toMatchObject([
    tool('start', { port: { default: 4555 } }, ['vm_name'], [false, false, true, true]),
    tool('status', {}, ['vm_name'], [true, false, true, false]),
    tool('read', {}, ['vm_name'], [true, false, false, true]),
    tool('write', { text: { type: 'string' } }, ['vm_name', 'text'], [false, false, false, true]),
    tool('stop', {}, ['vm_name'], [false, true, true, false]),
  ]);
});

test('write says truly what became of a line that the guest has just closed', async () => {
  await using vm = await SerencpVm.boot(raw);
  await vm.start();
  for (let round = 0; round < 5; round++) {
    await vi.waitFor(async () => expect(await vm.call('status')).toMatchObject({ link: 'up' }), patience);
    await vm.guest.connected();
    vm.guest.hangUp();
    const answer = await vm.call('write', { text: `${round}` });
    if (answer.success === true) await vi.waitFor(() => expect(vm.guest.received).toContain(`${round}\n`), patience);
    else expect(answer.message).toMatch(/may not have arrived|did not take/);
  }
});

test('start, status, write, read and stop answer with the fields of the original', async () => {
  await using vm = await SerencpVm.boot(raw);
  expect(await vm.start()).toEqual({
    success: true,
    message: `Bridge started for VM ${vm.name} on port ${vm.guest.port}`,
    port: vm.guest.port,
    socket_in: expect.stringMatching(/\.in$/),
    socket_out: expect.stringMatching(/\.out$/),
    session_id: expect.stringMatching(new RegExp(`^session_${vm.name}_\\d+$`)),
    terminal_pid: null,
  });
  for (const end of ['in', 'out']) expect(lstatSync(`/tmp/serial_${vm.name}.${end}`).isSymbolicLink()).toBe(true);

  await vm.guest.print('one\r\ntwo\r\nthree');
  await vm.buffered(15);
  expect(await vm.call('status')).toMatchObject({
    running: true,
    vm_name: vm.name,
    port: vm.guest.port,
    buffer_size: 3,
  });
  expect(await vm.call('read')).toEqual({ success: true, output: 'one\r\ntwo\r\nthree' });
  expect(await vm.call('read')).toEqual({ success: true, output: '' });

  expect(await vm.call('write', { text: 'ls -l /' })).toEqual({ success: true, message: expect.any(String) });
  expect(await vm.call('write', { text: 'date\n' })).toMatchObject({ success: true });
  await vi.waitFor(() => expect(vm.guest.received).toBe('ls -l /\ndate\n'), patience);

  expect(await vm.call('stop')).toEqual({ success: true, message: expect.stringContaining(vm.name) });
  expect(await vm.call('status')).toMatchObject({ running: false, vm_name: vm.name });
  for (const end of ['in', 'out']) expect(existsSync(`/tmp/serial_${vm.name}.${end}`)).toBe(false);
});

test('a second start begins afresh', async () => {
  await using vm = await SerencpVm.boot(raw);
  await vm.start();
  await vm.guest.print('old');
  await vm.buffered(3);
  expect(await vm.start()).toMatchObject({ success: true });
  await vi.waitFor(() => expect(vm.guest.connections).toBe(2), patience);
  expect(await vm.call('status')).toMatchObject({ running: true, buffer_size: 0 });
  expect(await vm.call('read')).toEqual({ success: true, output: '' });
});

test('a VM that is not there, and a name that cannot be one, are answers', async () => {
  await using vm = await SerencpVm.boot(raw);
  expect(await vm.call('status')).toMatchObject({ running: false, vm_name: vm.name });
  for (const [name, more] of Object.entries({ read: {}, write: { text: 'x' }, stop: {} })) {
    const message = `Bridge not running for VM ${vm.name}. Call start first.`;
    expect(await vm.call(name, more)).toEqual({ success: false, message });
  }
  expect(await vm.call('start', { vm_name: '../../tmp/x', port: vm.guest.port })).toMatchObject({ success: false });
  expect(vm.guest.connections).toBe(0);
  const wrong = await raw.request('tools/call', { name: 'start', arguments: { vm_name: vm.name, port: 'four' } });
  expect(wrong.error).toMatchObject({ code: -32602 });
  expect((await raw.request('tools/call', { name: 'read', arguments: {} })).error).toMatchObject({ code: -32602 });
});

test('a VM that is switched off is started all the same, and found when it comes', async () => {
  await using vm = await SerencpVm.boot(raw);
  const { port } = vm.guest;
  await vm.guest[Symbol.asyncDispose]();
  expect(await vm.call('start', { port })).toMatchObject({
    success: true,
    message: expect.stringContaining('still connecting'),
  });
  expect(await vm.call('status')).toMatchObject({
    running: true,
    link: expect.stringMatching(/down|connecting/),
    port,
  });
  await using switchedOn = await Guest.listen(port);
  await switchedOn.print('here I am');
  await vm.buffered(9);
  expect(await vm.call('status')).toMatchObject({ running: true, link: 'up', port });
});

test('a bridge that lost its VM is running, and says how its link is', async () => {
  await using vm = await SerencpVm.boot(raw);
  const { port } = vm.guest;
  await vm.start();
  await vm.guest[Symbol.asyncDispose]();
  await vi.waitFor(async () => {
    expect(await vm.call('status')).toMatchObject({ running: true, link: expect.not.stringMatching('up') });
  }, patience);
  await using back = await Guest.listen(port);
  await back.print('back');
  await vm.buffered(4);
  expect(await vm.call('status')).toMatchObject({ running: true, link: 'up' });
  await vm.call('stop');
  expect(await vm.call('status')).toMatchObject({ running: false, link: 'ended' });
});

test('read right after write waits for the answer', async () => {
  await using vm = await SerencpVm.boot(raw);
  await vm.start();
  let attempt = 0;
  // Unless the two seconds were over before these calls were through: then it is tried again.
  await vi.waitFor(async () => {
    if (++attempt > 1) await vm.call('read');
    await vm.call('write', { text: 'uname' });
    let isAnswered = false;
    const answer = vm.call('read').finally(() => {
      isAnswered = true;
    });
    await vm.call('status');
    await vm.call('status');
    const isWaiting = !isAnswered;
    await vm.guest.print(`Linux vm 6.${attempt}\r\n# `);
    const { output } = await answer;
    expect({ isWaiting, output }).toEqual({
      isWaiting: true,
      output: expect.stringContaining(`Linux vm 6.${attempt}`),
    });
  }, patience);
});

test('text of a megabyte is sent, and more is refused', async () => {
  await using vm = await SerencpVm.boot(raw);
  await vm.start();
  const text = 'x'.repeat(1024 * 1024);
  expect(await vm.call('write', { text })).toMatchObject({ success: true });
  await vi.waitFor(() => expect(vm.guest.received).toHaveLength(text.length + 1), patience);
  await expect(vm.call('write', { text: `${text}x` })).rejects.toThrow('1,048,576 is the limit');
});

describe('terminal windows', () => {
  /** A server whose terminal is a script, which notes each window it is asked for. */
  async function windowed(): Promise<{ raw: RawStdio; opened: () => number[] }> {
    const bin = join(sandbox.dir, 'bin');
    const log = join(sandbox.dir, `windows-${++servers}`);
    await mkdir(bin, { recursive: true });
    const script = `#!/bin/sh\necho $$ >> "$WINDOWS"\nwhile [ "$1" != -e ]; do shift; done\nshift\nexec "$@"\n`;
    await writeFile(join(bin, 'xterm'), script);
    await chmod(join(bin, 'xterm'), 0o755);
    const env = { PATH: `${bin}:${sandbox.env.PATH}`, DISPLAY: ':99', WINDOWS: log };
    const raw = new RawStdio(sandbox, ['--dialect', 'serencp', '--terminal', 'xterm'], env);
    await raw.initialize();
    const opened = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').map(Number) : []);
    return { raw, opened };
  }
  let servers = 0;

  test('start opens one, a second start keeps it, stop closes it', async () => {
    const { raw, opened } = await windowed();
    await using vm = await SerencpVm.boot(raw);
    const { terminal_pid } = await vm.start();
    await vi.waitFor(() => expect(opened()).toEqual([terminal_pid]), patience);
    expect(isAlive(Number(terminal_pid))).toBe(true);
    expect(await vm.start()).toMatchObject({ success: true, terminal_pid });
    expect(opened()).toEqual([terminal_pid]);
    expect(await vm.call('start', { port: vm.guest.port })).toMatchObject({ terminal_pid });
    await vm.call('stop');
    await vi.waitFor(() => expect(isAlive(Number(terminal_pid))).toBe(false), patience);
  });

  test('a start on another port leaves one window, the new one', async () => {
    const { raw, opened } = await windowed();
    await using vm = await SerencpVm.boot(raw);
    await using other = await Guest.listen();
    const { terminal_pid: before } = await vm.start();
    // One that is closed before its script has begun notes nothing.
    await vi.waitFor(() => expect(opened()).toEqual([before]), patience);
    const { terminal_pid } = await vm.call('start', { port: other.port });
    await vi.waitFor(() => expect(opened()).toEqual([before, terminal_pid]), patience);
    await vi.waitFor(() => expect(isAlive(Number(before))).toBe(false), patience);
    expect(isAlive(Number(terminal_pid))).toBe(true);
  });

  test.each<[string, (raw: RawStdio) => unknown]>([
    ['ends', (raw) => raw.child.stdin.end()],
    ['is killed', (raw) => raw.child.kill('SIGKILL')],
  ])('all are closed when the server %s', async (_how, end) => {
    const { raw } = await windowed();
    const vm = await SerencpVm.boot(raw);
    const { terminal_pid } = await vm.start();
    expect(isAlive(Number(terminal_pid))).toBe(true);
    end(raw);
    await raw.ended;
    await vi.waitFor(() => expect(isAlive(Number(terminal_pid))).toBe(false), patience);
    await vm.guest[Symbol.asyncDispose]();
    for (const end of ['in', 'out']) rmSync(`/tmp/serial_${vm.name}.${end}`, { force: true });
  });

  test('in tmux: a second start keeps the window; stop closes it', async () => {
    await using tmux = await Tmux.start(sandbox, 'exec cat');
    const raw = new RawStdio(sandbox, ['--dialect', 'serencp'], { TMUX: await tmux.variable() });
    await raw.initialize();
    await using vm = await SerencpVm.boot(raw);
    const windows = async () => (await tmux.run('list-windows', '-t', 'person')).trim().split('\n').length;
    const { terminal_pid } = await vm.start();
    expect(await windows()).toBe(2);
    expect(await vm.start()).toMatchObject({ terminal_pid });
    expect(await windows()).toBe(2);
    await vm.call('stop');
    await vi.waitFor(async () => expect(await windows()).toBe(1), patience);
  });

  test('one that cannot be opened is an error in the log, with what a person can do', async () => {
    await raw.request('logging/setLevel', { level: 'error' });
    await using vm = await SerencpVm.boot(raw);
    expect(await vm.start()).toMatchObject({ success: true, terminal_pid: null });
    const { params } = await raw.message(
      ({ method, params }) => method === 'notifications/message' && params?.logger === vm.name,
    );
    expect(params).toMatchObject({ level: 'error', data: { type: 'terminal_failed' } });
    expect(JSON.stringify(params)).toMatch(/no display .*A person can run this in any terminal .*attach/);
    await raw.request('logging/setLevel', { level: 'debug' });
  });
});

test('--socket is the client of a bridge', async () => {
  await using vm = await SerencpVm.boot(raw);
  const { socket_out } = await vm.start();
  await vm.guest.print('history\r\n');
  await vm.buffered(9);
  for (const path of [`/tmp/serial_${vm.name}.out`, String(socket_out)]) {
    const child = sandbox.spawn(['--socket', path]);
    const ended = endOf(child);
    let shown = '';
    child.stdout.on('data', (text) => {
      shown += text;
    });
    await vi.waitFor(() => expect(shown).toContain('history'), patience);
    child.stdin.write(`typed ${path}\r`);
    await vi.waitFor(() => expect(vm.guest.received).toContain(`typed ${path}\r`), patience);
    await vm.guest.print('live\r\n');
    await vi.waitFor(() => expect(shown).toContain('live'), patience);
    child.stdin.end('\x1d');
    expect(await ended).toMatchObject({ code: 0, signal: null });
  }
});

test('--dialect-names underscore leaves names without dots as they are', async () => {
  await using client = await stdioClient(sandbox, 'modern', ['--dialect', 'serencp', '--dialect-names', 'underscore']);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['start', 'status', 'read', 'write', 'stop']);
  const status = await client.callTool({ name: 'status', arguments: { vm_name: 'nobody' } });
  expect(status.structuredContent).toMatchObject({ running: false });
});
