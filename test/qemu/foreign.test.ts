import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { debianFiles } from '../debian-package.ts';
import { Lab, type Vm } from './vm.ts';

/** A file of a package for PCs: systems that nobody here has written. */
function packaged(name: string, file: string): string {
  return join(
    debianFiles(name, 'amd64', (path) => (path.endsWith(`/${file}`) ? file : undefined)),
    file,
  );
}

function asker(lab: Lab, vm: Vm) {
  return (tool: string, args: Record<string, unknown> = {}) => lab.call(tool, { machine: vm.handle, ...args });
}

const slow = { timeout: 240_000 };

test('GRUB: its menu is read, its command line typed into, and its memory searched', slow, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ memory: 64, drives: [packaged('grub-rescue-pc', 'grub-rescue-cdrom.iso')] });
  const ask = asker(lab, vm);
  const seen = (text: string) => ask('run', { screen_text: text, timeout_ms: 50_000 });
  // The last entry, which is drawn after everything else.
  expect(await seen('Change the colors')).toContain('is on screen');
  expect(await ask('screen_read', { mode: 'text' })).toMatch(/GNU GRUB +version 2\.\d+[\s\S]*│ GNU \(aka GNU\/Hurd\)/);
  await ask('input_send', { text: 'c' });
  expect(await seen('grub>')).toContain('is on screen');
  await ask('input_send', { text: 'set a=six; echo [$a-x7]\n' });
  expect(await seen('[six-x7]')).toContain('is on screen');
  expect(await ask('pause')).toMatch(/PAUSED at 0x[0-9a-f]{8}/);
  expect(await ask('pages_read')).toContain('paging is off (CR0.PG is 0)');
  // The screen is memory, a letter and its colour.
  const found = await ask('memory_search', {
    pattern: '5b ?? 73 ?? 69 ?? 78 ?? 2d ?? 78 ?? 37 ?? 5d',
    from: '0xb8000',
    length: 4000,
  });
  expect(found).toMatch(/0x000b8[0-9a-f]{3}/);
  expect(await ask('step', { count: 2 })).toContain('2 steps');
});

test('memtest86+: its screen, its page tables, and the code that writes its clock', slow, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ memory: 64, kernel: packaged('memtest86+', 'memtest86+x64.bin') });
  const ask = asker(lab, vm);
  expect(await ask('run', { screen_text: '<Enter> to start testing', timeout_ms: 50_000 })).toContain('is on screen');
  expect(await ask('screen_read', { mode: 'text' })).toMatch(/Memtest86\+ v\d[\s\S]*Memory +: +63MB/);
  await ask('input_send', { keys: ['enter'] });
  expect(await ask('run', { screen_text: 'Status: Testing', timeout_ms: 50_000 })).toContain('is on screen');
  await ask('pause');
  expect(await ask('pages_read')).toMatch(/4-level x86 tables at 0x[0-9a-f]+ \(cr3\)/);
  // Row 7, after "Time:". It moves itself to 4 MB while it tests what is below, and back.
  await ask('breakpoint_set', { type: 'write', address: '0xb84c8', length: 8 });
  expect(await ask('run', { timeout_ms: 50_000 })).toMatch(/BREAKPOINT at 0x00[14][0-9a-f]{5} .*breakpoint 1, write/);
  expect(await ask('state_read')).toMatch(/called from 0x00[14][0-9a-f]{5}/);
});

test('Xen: its console, and where it panics by its own symbols', slow, async () => {
  await using lab = new Lab();
  const packed = readFileSync(packaged('xen-hypervisor-4.17-amd64', 'xen-4.17-amd64.gz'));
  const vm = await lab.start({
    ...{ memory: 256, gpu: 'none', paused: true, kernel: lab.file('xen', gunzipSync(packed)) },
    append: 'console=com1 com1=115200 noreboot',
  });
  const ask = asker(lab, vm);
  const symbols = packaged('xen-hypervisor-4.17-amd64-dbg', 'xen-syms-4.17-amd64');
  expect(await ask('symbols_load', { path: symbols })).toMatch(/\d{4} symbols/);
  await ask('coverage_read', { action: 'start', name: 'boot' });
  await ask('breakpoint_set', { address: 'panic' });
  expect(await ask('run', { timeout_ms: 50_000 })).toMatch(/BREAKPOINT at 0xffff82d0[0-9a-f]+ panic/);
  expect(await ask('state_read')).toMatch(/called from 0xffff82d0[0-9a-f]+ __start_xen\+\d+/);
  expect(await ask('memory_read', { address: 'rdi', length: 64, format: 'strings' })).toContain(
    'dom0 kernel not specified',
  );
  expect(await ask('pages_read', { address: 'panic' })).toMatch(/panic → physical 0x[0-9a-f]+ \(2 MiB page/);
  const ran = await ask('coverage_read', { action: 'read', limit: 200 });
  expect(ran).toMatch(/ __start_xen: \d+ instructions/);
  expect(ran).not.toMatch(/ panic: /);
  await ask('breakpoint_delete', { id: 1 });
  await ask('run', { timeout_ms: 100 });
  expect(await vm.printed(/Manual reset required/)).toMatch(/Xen version 4\.\d+[\s\S]*Panic on CPU 0/);
});
