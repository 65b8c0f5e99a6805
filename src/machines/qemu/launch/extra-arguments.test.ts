import { expect, test } from 'vitest';
import { checkExtraArguments } from './extra-arguments.ts';

test.for([
  [['-device', 'virtio-rng-pci']],
  [['-rtc', 'base=2020-01-01', '-no-reboot']],
  [['-global', 'kvm-pit.lost_tick_policy=discard']],
])('%s is taken', ([extra = []]) => {
  expect(() => checkExtraArguments(extra, false)).not.toThrow();
});

test.for([
  ['-qmp', 'monitor_execute'],
  ['-S', '"paused"'],
  ['--serial', '"serial_ports"'],
  ['-m', '"memory"'],
  ['-incoming', '"from_snapshot"'],
  ['-daemonize', 'as long as the server'],
])('%s collides: %s', ([flag = '', instead = '']) => {
  for (const allowed of [false, true]) {
    expect(() => checkExtraArguments([flag, 'x'], allowed)).toThrow(
      expect.objectContaining({ type: 'INVALID_ARGUMENT', fix: expect.stringContaining(instead) }),
    );
  }
});

test.for([
  [['-drive', 'file=/etc/shadow']],
  [['-device', 'loader,file=/etc/shadow']],
  [['-device', 'vfio-pci,host=01:00.0']],
  [['-device', 'e1000,romfile=x']],
  [['-netdev', 'tap,script=/tmp/x']],
])('%s needs the permission to run programs', ([extra = []]) => {
  expect(() => checkExtraArguments(extra, false)).toThrow(expect.objectContaining({ type: 'DENIED' }));
  expect(() => checkExtraArguments(extra, true)).not.toThrow();
});

test('a word without its argument is refused', () => {
  expect(() => checkExtraArguments(['virtio-rng-pci'], false)).toThrow('no argument of QEMU');
  expect(() => checkExtraArguments(['-device'], false)).toThrow('has no value');
});
