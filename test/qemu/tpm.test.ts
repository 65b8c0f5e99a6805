import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { Lab } from './vm.ts';

/** The program that is the TPM of a machine of this process. */
function chips(): string[] {
  const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => /^swtpm socket/.test(line) && line.includes(process.env.XDG_RUNTIME_DIR ?? '/'));
}

test('a PC has a TPM, also after a power cycle and from a snapshot, and it ends with the machine', {
  timeout: 90_000,
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
  await expect.poll(() => own(), { timeout: 20_000 }).toEqual([]);
});

test('where none is known it is refused, and other USB devices are there', { timeout: 60_000 }, async () => {
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
