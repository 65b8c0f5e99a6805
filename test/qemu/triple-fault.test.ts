import { expect, test } from 'vitest';
import { QemuLog } from '../../src/machines/qemu/launch/qemu-log.ts';
import { at, image } from './guests/x86-triple.ts';
import { Lab, restrictedSettings } from './vm.ts';

test('a triple fault is told, with where it was', { timeout: 180_000 }, async () => {
  await using lab = new Lab({ settings: restrictedSettings });
  const vm = await lab.start({ memory: 16, drives: [`${lab.file('boot.img', image)},floppy`] });
  await vm.printed(/READY\n/);
  expect(vm.events('triple_fault')).toEqual([]);
  expect(await lab.call('machine_list')).not.toContain('triple');
  await vm.send('x');
  await vm.until('the fault', () => vm.events('triple_fault').length > 0);
  const place = vm.machine.addresses.format(at.fault);
  expect(vm.events('triple_fault')[0]).toMatchObject({
    text: expect.stringMatching(
      new RegExp(`^triple fault at ${place}: no exception could be delivered.*IDT 00000000 00000000`),
    ),
    data: { address: place, registers: expect.stringContaining('EIP=') },
  });
  await vm.printed(/READY\n[\s\S]*READY\n/);
  expect(await lab.call('machine_list'), 'it runs again, and does not hide why').toMatch(
    new RegExp(`^qemu-1 RUNNING .*a triple fault at ${place} has reset it`),
  );
  const log = await vm.machine.monitor?.execute('log', 'tail 60000', {});
  expect(log).toContain('Triple fault\nCPU Reset (CPU 0)\n');
});

test('what QEMU logs is read in any pieces; what the firmware does to reboot is no fault', () => {
  const dump = (pc: string) =>
    `CPU Reset (CPU 0)\nEIP=${pc} EFL=00000046\nCS =0000 00000000 0000ffff 00009b00\nIDT=     0 0\nCR0=10 CR2=00001234 CR3=0\nEFER=0000000000000000\n`;
  const text = `${dump('00000000')}Triple fault\n${dump('00007c0a')}more\nTriple fault\n${dump('000efaad')}Triple fault\n${dump('00100000')}`;
  for (let size = 1; size < 40; size++) {
    const log = new QemuLog();
    const found: bigint[] = [];
    log.onTripleFault(({ address, cr2 }) => found.push(address, cr2));
    for (let from = 0; from < text.length; from += size) log.take(text.slice(from, from + size));
    expect(found).toEqual([0x7c0an, 0x1234n, 0x100000n, 0x1234n]);
    expect(log.tail(10)).toBe(text.slice(-10));
  }
});
