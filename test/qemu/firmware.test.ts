import { expect, test } from 'vitest';
import { buildKernel } from '../../examples/kernel/build-kernel.ts';
import { Lab } from './vm.ts';

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
