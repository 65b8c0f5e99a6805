import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { image as riscv64 } from './guests/riscv64.ts';
import { Lab, restrictedSettings as settings, uBoot } from './vm.ts';

test('commands as they are written elsewhere, and the state after them', { timeout: 180_000 }, async () => {
  await using lab = new Lab({ settings });
  const vm = await lab.start({ arch: 'riscv64', memory: 16, bios: lab.file('rv.bin', riscv64) });
  const machine = vm.handle;
  const ask = (command: string, more: Record<string, unknown> = {}) =>
    lab.call('monitor_execute', { machine, command, ...more });
  expect(await ask('{"execute":"query-status"}')).toContain('"running": true');
  expect(await ask('{"execute":"qom-list","arguments":{"path":"/machine"}}')).toContain('"name"');
  expect(await ask('{"run":"query-status"}')).toContain('ERROR That is not a QMP command.');
  expect(await ask('info name', { language: 'hmp', arguments: { x: 1 } })).toContain('"arguments" are for "qmp"');
  // Each answer begins with what the machine does now.
  expect(await ask('stop')).toMatch(/^qemu-1 PAUSED /);
  expect(await ask('cont', { language: 'hmp' })).toMatch(/^qemu-1 RUNNING /);
  expect(await ask('{"execute":"stop"}')).toMatch(/^qemu-1 PAUSED /);
  expect(await ask('cont')).toMatch(/^qemu-1 RUNNING /);
  expect(await ask('quit')).toMatch(/^qemu-1 OFF /);
  expect(await ask('query-status')).toContain('ERROR The machine is off: ');
});

test.for([
  ['qmp', 'device_add', { driver: 'virtio-rng-pci', romfile: '/etc/passwd' }],
  ['qmp', '{"execute":"device_add","arguments":{"driver":"virtio-rng-pci","romfile":"passwd"}}', {}],
  ['hmp', 'device_add virtio-rng-pci,romfile=/etc/passwd', {}],
  ['hmp', 'device_add/ usb-host,hostbus=1', {}],
  ['hmp', 'commit all', {}],
  ['qmp', 'block-commit', { device: 'drive0' }],
  ['qmp', 'blockdev-reopen', { options: [] }],
  ['qmp', 'block-export-add', { type: 'nbd', id: 'x', 'node-name': 'y' }],
  ['hmp', 'gdbserver/ none', {}],
  ['hmp', 'loadvm x', {}],
  ['qmp', 'snapshot-load', {}],
] as const)('%s %s is refused', async ([language, command, args]) => {
  await using lab = new Lab({ settings });
  const { machine } = await lab.start({ arch: 'riscv64', memory: 16, bios: lab.file('rv.bin', riscv64), paused: true });
  await expect(machine.monitor?.execute(language, command, args)).rejects.toMatchObject({ type: 'DENIED' });
});

test('questions only', async () => {
  await using lab = new Lab({ settings });
  const options = { arch: 'riscv64', memory: 16, bios: lab.file('rv.bin', riscv64), monitor: 'query', gpu: 'on' };
  const { monitor } = (await lab.start(options)).machine;
  for (const line of ['?', '? info', 'help info', 'info name', 'x/2i 0x80000000', 'xp /1x 0x80000000', 'p 1+1']) {
    await expect(monitor?.execute('hmp', line, {})).resolves.toBeTypeOf('string');
  }
  expect(await monitor?.execute('qmp', 'x-query-virtio', {})).toContain('virtio-gpu');
  for (const line of ['x-exec', 'stop', 'printer', 'information']) {
    await expect(monitor?.execute('hmp', line, {})).rejects.toMatchObject({ type: 'DENIED' });
  }
  await expect(monitor?.execute('qmp', 'x-query', {})).rejects.toMatchObject({ type: 'DENIED' });
  await expect(monitor?.execute('qmp', 'cont', {})).rejects.toMatchObject({ type: 'DENIED' });
});

test('what a guest wrote stays beside the image, also through the monitor', { timeout: 180_000 }, async () => {
  await using lab = new Lab({ settings });
  const content = Buffer.alloc(65_536, 'old ');
  const disk = lab.file('disk.img', content);
  const vm = await lab.start({ ...uBoot.riscv64, drives: [disk] });
  await vm.uBootPrompt();
  await vm.ask('pci enum; virtio scan; mw.l 84000000 2177656e 80; virtio write 84000000 0 1', /written: OK[\s\S]*=> /);
  await expect(vm.machine.monitor?.execute('hmp', 'commit all', {})).rejects.toMatchObject({ type: 'DENIED' });
  expect(readFileSync(disk).equals(content)).toBe(true);
});
