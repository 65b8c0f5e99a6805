import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RawStdio } from '../support/raw-stdio.ts';
import { Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let raw: RawStdio;

beforeAll(async () => {
  sandbox = await Sandbox.open();
  raw = new RawStdio(sandbox, ['--dialect', 'qemu', '--allow-path', `${sandbox.dir},/usr/lib/u-boot`]);
  await raw.initialize();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

const call = async (tool: string, args: Record<string, unknown> = {}) =>
  JSON.parse(await raw.call(tool, args)) as Record<string, unknown>;

test('the eleven tools of the original are there', async () => {
  const { result = {} } = await raw.request('tools/list');
  expect((result.tools as { name: string }[]).map(({ name }) => name)).toEqual([
    ...['qemu_boot', 'qemu_send', 'qemu_read', 'qemu_screenshot', 'qemu_send_key', 'qemu_mouse'],
    ...['qemu_monitor', 'qemu_pcap_start', 'qemu_pcap_stop', 'qemu_shutdown', 'qemu_status'],
  ]);
});

test('a machine is booted, talked to, seen, captured and shut down', { timeout: 120_000 }, async () => {
  expect(await call('qemu_status')).toEqual({ running: false });
  const firmware = { arch: 'i386', options: { bios: '/usr/lib/u-boot/qemu-x86/u-boot.rom', nic: 'e1000' } };
  const booted = await call('qemu_boot', {
    gpu: true,
    network: true,
    memory: 128,
    ...firmware,
    wait_for: 'Hit any key',
    timeout: 40,
  });
  expect(booted).toMatchObject({ success: true, output: expect.stringContaining('U-Boot') });
  expect(await call('qemu_boot', {})).toMatchObject({ success: false, message: expect.stringContaining('already') });
  await call('qemu_send', { command: '', wait_for: '=>', timeout: 20 });
  const { output } = await call('qemu_send', { command: 'echo o""k', wait_for: '=>', timeout: 20 });
  expect(output).toContain('ok');
  expect(await call('qemu_read')).toMatchObject({ success: true });
  expect(await call('qemu_status')).toMatchObject({ running: true, state: 'RUNNING' });

  const { result = {} } = await raw.request('tools/call', { name: 'qemu_screenshot', arguments: {} });
  const [, picture] = result.content as { type: string; mimeType?: string; data?: string }[];
  expect(picture).toMatchObject({ type: 'image', mimeType: 'image/png' });
  expect(await call('qemu_send_key', { key: 'ctrl-c' })).toMatchObject({ success: true });
  expect(await call('qemu_send_key', { text: 'help\n' })).toMatchObject({ success: true });
  expect(await call('qemu_mouse', { x: 5, y: 5, relative: true })).toMatchObject({ success: true });
  expect(await call('qemu_monitor', { command: 'query-status' })).toMatchObject({ result: { running: true } });

  const path = join(sandbox.dir, 'traffic.pcap');
  expect(await call('qemu_pcap_start', { path })).toMatchObject({ success: true, pcap: path });
  expect(await call('qemu_pcap_stop')).toMatchObject({ success: true, pcap: path });
  expect(statSync(path).size).toBeGreaterThanOrEqual(24);
  expect(await call('qemu_shutdown')).toMatchObject({ success: true });
  expect(await call('qemu_status')).toEqual({ running: false });
});
