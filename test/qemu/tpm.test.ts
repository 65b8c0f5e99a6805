import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openPolicy } from '../../src/host/policy/open-policy-testing.ts';
import { usbArguments } from '../../src/machines/qemu/launch/usb-arguments.ts';
import { qemuOptions } from '../../src/machines/qemu/qemu-options.ts';
import { mayMount, SmallDisk } from '../support/small-disk.ts';
import { Lab } from './vm.ts';

/** The program that is the TPM of a machine of this process. */
function chips(): string[] {
  const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => /^swtpm socket/.test(line) && line.includes(process.env.XDG_RUNTIME_DIR ?? '/'));
}

test('a PC has a TPM, also after a power cycle and from a snapshot, and it ends with the machine', {
  timeout: 180_000,
}, async () => {
  await using lab = new Lab();
  const others = chips();
  const own = () => chips().filter((line) => !others.includes(line));
  const vm = await lab.start({ tpm: true, snapshot_dir: `${lab.folder}/kept`, gpu: 'none' });
  // Vendor and device of the chip that swtpm is, as the interface has them for the driver.
  const vendor = async (machine: string) => lab.call('memory_read', { machine, address: 'phys:0xfed40f00', length: 4 });
  const first = await vendor(vm.handle);
  expect(first).toMatch(/14 10 01 00/);
  expect(own()).toHaveLength(1);
  await vm.machine.control.reset('hard');
  expect(await vendor(vm.handle)).toMatch(/14 10 01 00/);
  await vm.until('the old one is gone', () => own().length === 1);
  await vm.machine.snapshots.save('here');
  const again = await lab.start({ from_snapshot: `${lab.folder}/kept/here` });
  expect(await vendor(again.handle)).toMatch(/14 10 01 00/);
  await lab.rack.stop(again.handle, 'done');
  await lab.rack.stop(vm.handle, 'done');
  await expect.poll(() => own(), { timeout: 60_000 }).toEqual([]);
});

test('where none is known it is refused, and other USB devices are there', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  expect(await lab.refusal({ arch: 'riscv64', tpm: true })).toMatchObject({
    type: 'INVALID_ARGUMENT',
    message: expect.stringContaining('"tpm" is known for PCs'),
  });
  const vm = await lab.start({ usb: ['keyboard', 'audio', 'hub'], paused: true });
  const listed = await lab.call('monitor_execute', { machine: vm.handle, language: 'hmp', command: 'info usb' });
  for (const name of ['QEMU USB Keyboard', 'QEMU USB Audio', 'QEMU USB Hub']) expect(listed).toContain(name);
  expect(await lab.refusal({ arch: 'x86_64', machine: 'isapc', usb: ['mouse'] })).toMatchObject({
    message: 'This board has no USB ports.',
  });
});

test('a USB device of this computer is for the operator to give', async () => {
  await using lab = new Lab();
  const usb = ['keyboard', '/dev/bus/usb/001/999'];
  expect(await lab.refusal({ usb })).toMatchObject({
    type: 'DENIED',
    message: 'This server gives guests no USB device /dev/bus/usb/001/999 of this computer.',
    fix: expect.stringContaining('--allow-devices /dev/bus/usb/001/999'),
  });
  for (const path of ['/dev/bus/usb/001/../../../sda', '/dev/sda', '/dev/bus/usb/001/999,x=y']) {
    expect(qemuOptions.safeParse({ usb: [path] }).success, path).toBe(false);
  }
  const policy = { ...openPolicy, devices: ['/dev/bus/usb/001/*'], tcpHost: async (host: string) => host };
  await using open = new Lab({ policy });
  expect(await open.refusal({ usb })).toMatchObject({ type: 'NOT_FOUND' });
  expect((await open.refusal({ usb: ['/dev/bus/usb/002/001'] })).type).toBe('DENIED');
  expect(usbArguments(['/dev/bus/usb/001/002'])).toEqual([
    ...['-device', 'usb-host,hostdevice=/dev/bus/usb/001/002,bus=usb.0,id=usbdevice0'],
  ]);
});

test.skipIf(!mayMount)(
  'a full disk under a seed, a TPM and a core file is told, and is no end of anything',
  async () => {
    await using lab = new Lab();
    using tiny = new SmallDisk(lab.folder, '32k');
    const seed = { user_data: `#cloud-config\n# ${'x'.repeat(60_000)}` };
    expect(await lab.refusal({ paused: true, gpu: 'none', cloud_init: seed, work_dir: tiny.folder })).toMatchObject({
      type: 'UNAVAILABLE',
      message: expect.stringContaining('is on a disk that is full (ENOSPC)'),
    });
    expect(readdirSync(tiny.folder), 'nothing is left there').toEqual([]);

    using disk = new SmallDisk(lab.folder, '4m');
    const options = { tpm: true, gpu: 'none', memory: 32, paused: true, work_dir: disk.folder };
    const vm = await lab.start(options);
    disk.fill();
    const core = `${disk.folder}/core`;
    expect(await lab.call('crash_dump', { machine: vm.handle, path: core })).toMatch(
      /could not be written: .*No space/,
    );
    rmSync(core);
    // Its firmware asks the chip for something that has to be kept.
    await lab.call('run', { machine: vm.handle, timeout_ms: 100 });
    await vm.until('the failure', () => vm.events('tpm_failed').length > 0);
    expect(vm.events('tpm_failed').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^the TPM \(swtpm\) could not write its state to .* is the disk full\?/),
    ]);
    // What is there already can be read; a new one has no place to keep anything.
    await vm.machine.control.reset('hard');
    expect((await lab.refusal(options)).message).toMatch(/^The TPM \(swtpm\) could not write its state to /);
    disk.free();
    const other = await lab.start(options);
    expect(await lab.call('memory_read', { machine: other.handle, address: 'phys:0xfed40f00', length: 4 })).toMatch(
      /14 10 01 00/,
    );
  },
);
