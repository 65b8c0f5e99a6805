import { expect, test } from 'vitest';
import { at, image } from './guests/riscv64.ts';
import { at as x86, image as x86Real } from './guests/x86-real.ts';
import { Lab } from './vm.ts';

test('a breakpoint that is hit between two calls is told by the next run', async () => {
  await using lab = new Lab();
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios: lab.file('rv.bin', image) });
  await vm.printed(/READY/);
  const machine = vm.handle;
  const address = `0x${at.outer.toString(16)}`;
  // An answer that set it and came after the hit has told it.
  let set = 'BREAKPOINT';
  while (set.includes('BREAKPOINT')) {
    await lab.call('run', { machine, timeout_ms: 1 });
    set = await lab.call('breakpoint_set', { machine, address, temporary: true });
  }
  await vm.until('the stop', () => vm.machine.status().state === 'BREAKPOINT');
  const first = await lab.call('run', { machine, timeout_ms: 100 });
  expect(first).toMatch(/^qemu-1 BREAKPOINT at 0x\S+ · stop \d+: breakpoint \d+, exec/);
  expect(first).toContain('it had stopped before this call');
  const second = await lab.call('run', { machine, timeout_ms: 100 });
  expect(second, 'once told, it goes on').toMatch(/^qemu-1 RUNNING .*\n.*time limit/);
});

test('one whose stop was seen in another answer goes on at once', async () => {
  await using lab = new Lab();
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios: lab.file('rv.bin', image) });
  const machine = vm.handle;
  await vm.printed(/READY/);
  await lab.call('breakpoint_set', { machine, address: `0x${at.outer.toString(16)}`, temporary: true });
  await vm.until('the stop', () => vm.machine.status().state === 'BREAKPOINT');
  expect(await lab.call('machine_list')).toContain('BREAKPOINT');
  expect(await lab.call('run', { machine, timeout_ms: 100 })).toContain('time limit');
});

test('waiting for something on the screen does not run over a breakpoint', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const drives = [`${lab.file('boot.img', x86Real)},floppy`];
  const vm = await lab.start({ memory: 16, drives });
  await vm.printed(/READY/);
  const address = `0x${x86.outer.toString(16)}`;
  for (let n = 0; n < 5; n++) {
    await lab.call('breakpoint_set', { machine: vm.handle, address, temporary: true });
    const text = await lab.call('run', { machine: vm.handle, screen_text: 'never there', timeout_ms: 50_000 });
    expect(text).toMatch(/^qemu-1 BREAKPOINT .*breakpoint/);
    await lab.call('run', { machine: vm.handle, timeout_ms: 1 });
  }
});
