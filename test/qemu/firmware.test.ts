import { expect, test } from 'vitest';
import { buildKernel } from '../../examples/kernel/build-kernel.ts';
import { Sandbox } from '../support/sandbox.ts';
import { Lab } from './vm.ts';

test('firmware that packages install may be read without a word from the user, and nothing beside it', {
  timeout: 180_000,
}, async () => {
  await using sandbox = await Sandbox.open();
  const start = (bios: string, ...args: readonly string[]) =>
    sandbox.run([
      ...['call', 'machine_start', JSON.stringify({ kind: 'qemu', options: { arch: 'i386', bios, paused: true } })],
      ...args,
    ]);
  const firmware = '/usr/lib/u-boot/qemu-x86/u-boot.rom';
  expect((await start(firmware)).stdout).toMatch(/^qemu-1 PAUSED/);
  const refused = await start(firmware, '--allow-read', sandbox.dir);
  expect(refused.stdout + refused.stderr).toContain('--allow-path');
  const outside = await start('/etc/hostname');
  expect(outside.stdout + outside.stderr).toContain('--allow-path');
});

test('port 0xE9 is a console', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ memory: 32, gpu: 'none', kernel: buildKernel(), append: 'debug', debug_console: true });
  const port = vm.machine.console.ports.find(({ name }) => name === `${vm.handle}.debug`);
  if (!port) throw new Error('there is no such console');
  await vm.printed(/debug text\n/, { port });
  expect((await lab.refusal({ arch: 'riscv64', debug_console: true })).message).toContain('0xE9');
});

test('UEFI starts by one option, and each machine has its own variables', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ memory: 256, gpu: 'none', uefi: true });
  await vm.printed(/UEFI Interactive Shell|Shell>|BdsDxe/, { timeoutMs: 90_000 });
  const ask = (tool: string, args: Record<string, unknown> = {}) => lab.call(tool, { machine: vm.handle, ...args });
  expect(await ask('pause')).toMatch(/PAUSED at 0x[0-9a-f]{8}/);
  // All memory is mapped where it is, in long mode.
  expect(await ask('pages_read', { address: 'rip' })).toMatch(/4-level x86 tables/);
  expect(await ask('disassemble', { count: 2 })).toMatch(/^> 0x[0-9a-f]{8}/m);
  expect((await lab.refusal({ uefi: true, bios: 'bios.bin' })).message).toContain('firmware');
  expect((await lab.refusal({ arch: 'riscv64', uefi: true })).message).toContain(
    'No UEFI firmware is known for riscv64',
  );
});
