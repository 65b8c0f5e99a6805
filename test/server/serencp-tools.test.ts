import { existsSync, lstatSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import { stdioClient } from '../support/mcp-client.ts';
import { RawStdio } from '../support/raw-stdio.ts';
import { endOf, Sandbox } from '../support/sandbox.ts';
import { SerencpVm } from '../support/serencp-vm.ts';

const patience = { timeout: 10_000, interval: 20 };

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
  expect(vm.guest.connections).toBe(2);
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
  expect(await vm.call('status')).toMatchObject({ running: false, port });
  await using switchedOn = await Guest.listen(port);
  await switchedOn.print('here I am');
  await vm.buffered(9);
  expect(await vm.call('status')).toMatchObject({ running: true, port });
});

test('start opens a terminal window, whose process it names', async () => {
  const bin = join(sandbox.dir, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'xterm'), '#!/bin/sh\nwhile [ "$1" != -e ]; do shift; done\nshift\nexec "$@"\n');
  await chmod(join(bin, 'xterm'), 0o755);
  const env = { PATH: `${bin}:${sandbox.env.PATH}`, DISPLAY: ':99' };
  const windowed = new RawStdio(sandbox, ['--dialect', 'serencp', '--terminal', 'xterm'], env);
  await windowed.initialize();
  const vm = await SerencpVm.boot(windowed);
  const { terminal_pid } = await vm.start();
  expect(terminal_pid).toEqual(expect.any(Number));
  expect(() => process.kill(Number(terminal_pid), 0)).not.toThrow();
  await vm[Symbol.asyncDispose]();
  windowed.child.stdin.end();
  expect((await windowed.ended).code).toBe(0);
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
