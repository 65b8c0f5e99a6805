import { expect, test } from 'vitest';
import type { LoggedException } from '../../src/machines/qemu/launch/exception-log.ts';
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
  expect(await lab.call('crash_explain', { machine: vm.handle }), 'what memory says is of another life').toMatch(
    new RegExp(
      `^No exception is known since the machine was last reset or put back to a snapshot \\(before that: triple fault at 0x${at.fault.toString(16)}\\); the processor is at`,
      'm',
    ),
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

const reset = (pc: string) =>
  `CPU Reset (CPU 0)\nRIP=${pc} RFL=00000046\nCS =0010 0 ffffffff 00a09b00 CS64 [-R-]\nEFER=0000000000000d01\n`;
const pageFault = (pc: string) =>
  `check_exception old: 0xffffffff new 0xe\n     1: v=0e e=0002 i=0 cpl=0 IP=0010:${pc} pc=${pc} SP=0018:0000000000009000 CR2=0000000000001000\nRAX=0\n`;

test('exceptions of before a reset are no exceptions of now, and a reset of the firmware by a fault is none', () => {
  const log = new QemuLog();
  const { exceptions } = log;
  const at = (list: readonly LoggedException[]) => list.map(({ pc, triple = false }) => [pc, triple]);
  log.take(`${reset('0')}${pageFault('0000000000001234')}`);
  expect([at(exceptions.all), at(exceptions.past)]).toEqual([[[0x1234n, false]], []]);
  log.take('CPU Reset (CPU 1)\nEAX=0\nEFER=0\n');
  expect(at(exceptions.all), 'another processor was started').toEqual([[0x1234n, false]]);
  log.take(reset('ffffffff81000000'));
  expect([at(exceptions.all), at(exceptions.past)]).toEqual([[], [[0x1234n, false]]]);
  log.take(`Triple fault\n${reset('00000000000efaad')}`);
  expect([at(exceptions.all), at(exceptions.past)]).toEqual([[], [[0x1234n, false]]]);
  log.take(`Triple fault\n${reset('ffffffff81000010')}`);
  expect([at(exceptions.all), at(exceptions.past)]).toEqual([[], [[0xffffffff81000010n, true]]]);
});
