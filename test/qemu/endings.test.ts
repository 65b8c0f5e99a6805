import { expect, test } from 'vitest';
import { image as x86Real } from './guests/x86-real.ts';
import { Lab, restrictedSettings, uBoot } from './vm.ts';

test('the code with which a guest ends QEMU is told by the run it ends, and after it', {
  timeout: 180_000,
}, async () => {
  await using lab = new Lab({ settings: restrictedSettings });
  const drives = [`${lab.file('boot.img', x86Real)},floppy`];
  const extra = ['-device', 'isa-debug-exit,iobase=0xf4,iosize=0x04'];
  const vm = await lab.start({ memory: 16, drives, extra });
  await vm.printed(/READY/);
  const machine = vm.handle;
  const running = lab.call('run', { machine, timeout_ms: 50_000 });
  await vm.until('the run', () => vm.machine.status().state === 'RUNNING');
  // As the guest would do it.
  await vm.machine.monitor?.execute('hmp', 'o /b 0xf4 0x10', {}).catch(() => undefined);
  // It may have come before the run had really begun.
  expect(await running).toMatch(
    /^qemu-1 OFF .*QEMU ended with code 33\nQEMU ended with code 33|^ERROR The machine is off: QEMU ended with code 33\./,
  );
  for (const tool of ['run', 'pause', 'step']) {
    const text = await lab.call(tool, { machine });
    expect(text, tool).toContain('QEMU ended with code 33.');
    expect(text, tool).toMatch(/Fix: .*machine_stop.* start another/);
  }
});

test('a disk that cannot take more stops the guest, which says why and tries again', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const image = lab.file('disk.img', Buffer.alloc(65_536));
  const full = { event: 'write_aio', errno: 28, once: true, immediately: true };
  const node = {
    driver: 'raw',
    'node-name': 'full',
    file: { driver: 'blkdebug', image: { driver: 'file', filename: image }, 'inject-error': [full] },
  };
  const extra = ['-blockdev', JSON.stringify(node), '-device', 'virtio-blk-pci,drive=full,id=vd0'];
  const vm = await lab.start({ ...uBoot.riscv64, extra });
  await vm.uBootPrompt();
  await vm.ask('pci enum; virtio scan; echo scan""ned', /scanned/);
  const from = vm.output().length;
  await vm.send('virtio write 84000000 0 1\r');
  // A call of run would try the write again if it came after the failure.
  await expect
    .poll(() => lab.call('machine_list', {}), { timeout: 60_000 })
    .toMatch(
      /qemu-1 ERROR .*a write of the guest on (?:vd0|full|\S*vd0\S*) failed: there is no space left where its file lies; run tries/,
    );
  await lab.call('run', { machine: vm.handle, timeout_ms: 100 });
  expect(await vm.printed(/written: \w+/, { from })).toContain('OK');
});

test('colours of a PC stand under their characters', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const drives = [`${lab.file('boot.img', x86Real)},floppy`];
  const vm = await lab.start({ memory: 16, drives });
  await vm.printed(/READY/);
  await vm.machine.control.pause();
  await vm.machine.memory.poke('physical', 0xb8000n, Buffer.from([0x41, 0x1f, 0x42, 0x07, 0x43, 0x0e, 0x44, 0xf0]));
  const text = await lab.call('screen_read', { machine: vm.handle, mode: 'text', colours: true });
  const [, rows = ''] = text.split(/colours, two digits each.*:\n/);
  const lines = rows.split('\n').slice(0, 25);
  expect(lines[0]).toMatch(/^1f070ef0/);
  expect(lines.map((line) => line.length)).toEqual(Array(25).fill(160));
});
