import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linuxGuest, shell, untilBooted, withBootMs } from './linux-guest.ts';
import { Lab, type Vm } from './vm.ts';

test('a PC that is stopped is asked first, puts everything on its disk and goes', { timeout: withBootMs }, async () => {
  await using lab = new Lab();
  const disk = lab.file('disk.img', Buffer.alloc(1024 * 1024));
  const { append, ...guest } = linuxGuest(join(lab.folder, 'initrd.cpio'), { arch: 'x86_64' });
  const vm = await lab.start({
    ...guest,
    append: append.replace(/ nokaslr| mitigations=off/g, ''),
    drives: [`${disk},virtio,write`],
    powerdown_ms: 60_000,
  });
  await untilBooted(vm);
  expect((await shell(vm, 'cat /sys/class/input/input*/name')).output).toContain('Power Button');
  await linuxOnPc(lab, vm);
  // Whoever set it is not there any more to let the guest go on.
  const { output } = await shell(vm, "sed -n 's/ T kernel_power_off$//p' /proc/kallsyms");
  const address = BigInt(`0x${output}`);
  await vm.machine.breakpoints.set({ type: 'exec', address, length: 1, logOnly: false, temporary: false });
  // Standing still it could put nothing away.
  await vm.machine.control.pause();

  expect(await lab.call('machine_stop', { machine: vm.handle })).toContain('OFF');
  expect(vm.output()).toMatch(/GOING DOWN[\s\S]*Power down/);
  expect(readFileSync(disk, 'latin1').slice(0, 9)).toBe('farewell\n');
  const told = ['powerdown', 'shutdown', 'machine_off', 'machine_stopped'];
  expect(vm.events(...told).map(({ type }) => type)).toEqual(told);
  // Not `host-qmp-quit`, which is how it ends when the time is up.
  const [off] = vm.events('machine_off');
  expect(off).toMatchObject({ text: 'the guest has powered off', data: { code: 0, reason: 'guest-shutdown' } });
});

/** A kernel that has moved itself and is hidden from user code, read while user code runs. */
async function linuxOnPc(lab: Lab, vm: Vm): Promise<void> {
  const machine = vm.handle;
  const { control } = vm.machine;
  const before = vm.output().length;
  await vm.send('echo be""gins; while :; do :; done\r');
  // A shell that still reads its line is user code, too, and takes no ^C.
  await vm.printed(/begins/, { from: before });
  await vm.until('user code', async () => {
    await control.pause();
    const isUser = BigInt(vm.machine.status().where?.split(' ')[0] ?? -1) < 1n << 47n;
    if (!isUser) await lab.call('run', { machine, timeout_ms: 10 });
    return isUser;
  });
  expect(await lab.call('linux_read', { machine })).toMatch(
    /Linux version .*\ncode at 0xffffffff[89ab].*, moved by 0x[1-9a-f].*\n\d{5,} symbols, types from BTF$/,
  );
  expect(await lab.call('linux_read', { machine, what: 'tasks', find: 'on cpu 0' })).toMatch(/ 1 +0 +R +sh +on cpu 0/);
  expect(await lab.call('linux_read', { machine, what: 'tasks', pid: 2 })).toMatch(
    /a guess[\s\S]*schedule\+0x[\s\S]* kthreadd\+0x/,
  );
  expect(await lab.call('linux_read', { machine, what: 'modules' })).toMatch(/virtio_blk +0xffffffffc\w+ +\d+ bytes/);
  expect(await lab.call('linux_read', { machine, what: 'log', find: 'Power Button' })).toMatch(
    /\[ +\d+\.\d{6}\] .*Power/,
  );
  await lab.call('run', { machine, timeout_ms: 10 });
  const from = vm.output().length;
  await vm.send('\x03');
  await vm.printed(/guest# /, { from });
}
