import { expect, test } from 'vitest';
import { qemuOptions } from '../qemu-options.ts';
import { boardOf } from './board.ts';
import { checkOptions } from './check-options.ts';

function check(given: Record<string, unknown>, allowCommands = false): void {
  const options = qemuOptions.parse(given);
  checkOptions(options, boardOf(options.arch, options.machine, options.cpu), allowCommands);
}

test.for([
  [{ machine: 'pc,kernel=/etc/shadow' }, '"machine" sets kernel'],
  [{ machine: 'pc,accel=kvm' }, '"machine" sets accel'],
  [{ machine: 'pc,smp.cpus=2' }, '"machine" sets smp'],
  [{ initrd: 'a' }, '"initrd" goes with "kernel"'],
  [{ append: '' }, '"append" goes with "kernel"'],
  [{ kernel: 'k', dtb: 'd' }, 'takes no device tree'],
  [{ channels: ['a', 'b', 'a'] }, 'named a'],
  [{ serial_ports: 2, channels: ['serial1'] }, 'named serial1'],
  [{ tap: 'x' }, '"network":"tap"'],
  [{ forward: ['1:2'] }, '"network":"user"'],
  [{ nic: 'e1000' }, 'there is none'],
  [{ network: 'user', capture: 'tcpdump' }, 'interface of the host'],
  [{ network: 'user', forward: ['2222:22', 'tcp:02222:23'] }, 'another rule has that port'],
  [{ share_writable: true }, '"share_writable" goes with "share"'],
  [{ machine: 'isapc', tablet: true }, 'no bus for a tablet'],
  [{ vnc: true, gpu: 'none' }, 'no display'],
  [{ vnc: true, arch: 'riscv64' }, 'no display'],
] as const)('%j is refused: %s', ([given, why]) => {
  for (const allowed of [false, true]) {
    expect(() => check(given, allowed)).toThrow(
      expect.objectContaining({ type: 'INVALID_ARGUMENT', message: expect.stringContaining(why) }),
    );
  }
});

test.for([
  { machine: 'q35,graphics=off,usb=on,kernel-irqchip=split' },
  { arch: 'aarch64', machine: 'virt,gic-version=3,virtualization=on', kernel: 'k', dtb: 'd' },
  { network: 'user', forward: ['2222:22', 'udp:2222:22'], nic: 'e1000' },
  { vnc: true },
  { vnc: true, arch: 'arm', machine: 'vexpress-a9' },
  { vnc: true, arch: 'riscv64', extra: ['-device', 'VGA'] },
  { serial_ports: 1, channels: ['serial1', 'data'] },
])('%j is taken', (given) => {
  expect(() => check(given)).not.toThrow();
});

test('a property of the machine that names a file needs the permission', () => {
  const given = { arch: 'riscv64', machine: 'virt,dumpdtb=out.dtb' };
  expect(() => check(given)).toThrow(expect.objectContaining({ type: 'DENIED' }));
  expect(() => check(given, true)).not.toThrow();
});

test.runIf(process.platform === 'linux')('an interface that is not there is not made', () => {
  expect(() => check({ network: 'tap', tap: 'fpnone0' })).toThrow('There is no interface fpnone0.');
  expect(() => check({ network: 'tap', tap: 'lo' })).not.toThrow();
});
