import { expect, test } from 'vitest';
import { checkExtraArguments } from './extra-arguments.ts';

test.for([
  [['-device', 'virtio-rng-pci']],
  [['-rtc', 'base=2020-01-01', '-no-reboot']],
  [['-global', 'kvm-pit.lost_tick_policy=discard']],
  [['-usb', '-k', 'de']],
  [['-boot', 'menu=on,splash-time=0']],
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
  ['-no-shutdown', 'powers off ends the machine'],
  ['-version', 'machine_start'],
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
  [['-device', '{"driver":"VGA","romfile":"\\u002fetc\\u002fshadow"}']],
  [['-global', 'VGA.romfile=key.txt']],
  [['-boot', 'menu=on,splash=key.bmp']],
  [['-device', 'usb-mtp,rootdir=..']],
  [['-device', 'driver=vfio-pci']],
])('%s needs the permission to run programs', ([extra = []]) => {
  expect(() => checkExtraArguments(extra, false)).toThrow(expect.objectContaining({ type: 'DENIED' }));
  expect(() => checkExtraArguments(extra, true)).not.toThrow();
});

test('what is refused without the permission says what to use', () => {
  const fixOf = (flag: string) => {
    try {
      checkExtraArguments([flag, 'x'], false);
    } catch (error) {
      return String(Reflect.get(Object(error), 'fix'));
    }
    return '';
  };
  expect(fixOf('-hda')).toContain('Use the option "drives".');
  expect(fixOf('-nic')).toContain('Use the options "network"');
  expect(fixOf('-virtfs')).toContain('Use the option "share".');
  expect(fixOf('-bogus')).toMatch(/^Known: .*-device .*--allow-commands\.$/);
});

test('a word without its argument is refused', () => {
  expect(() => checkExtraArguments(['virtio-rng-pci'], false)).toThrow('not an argument of QEMU');
  expect(() => checkExtraArguments(['-device'], false)).toThrow('has no value');
});
