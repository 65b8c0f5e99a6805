import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CommodoreDisk } from '../../src/formats/commodore/media/commodore-disk.ts';
import { driveBench } from '../../src/machines/commodore/c64/machine/drive-bench-testing.ts';
import { Sandbox } from '../support/sandbox.ts';
import { ViceDesk } from './desk.ts';

test('with the ROM of one drive the other models are there too, at the level of the protocol', async () => {
  await using roms = await Sandbox.open();
  await writeFile(join(roms.dir, 'dos1541'), driveBench().rom);
  await using desk = await ViceDesk.open('stdio', 'c64', '--roms', roms.dir);
  const drive = async () => desk.call('vice.config.get', { resource: 'Drive8Type' });
  const isReal = async () =>
    desk.call('vice.memory.read', { address: '$FFFC', size: 2, bank: 'drive8' }).then(
      ({ data }) => data[1] === 0xc0,
      () => false,
    );

  expect(await drive()).toMatchObject({
    current_value: 1541,
    description:
      'Drive 8, with a processor of its own as 1541; others at the level of the protocol, without their ROMs',
  });
  expect(await isReal()).toBe(true);
  const { drive_types } = await desk.call('vice.machine.capabilities');
  expect(drive_types).toEqual(['1541', '1571', '1581']);

  // BORDER = BLACK, and on and on: the ROM above would load nothing.
  const program = new Uint8Array([0x00, 0xc0, 0xee, 0x20, 0xd0, 0x4c, 0x00, 0xc0]);
  for (const [model, format] of [
    [1571, 'd64'],
    [1581, 'd81'],
  ] as const) {
    const disk = CommodoreDisk.create(format);
    disk.write('LOOP', program);
    const path = join(desk.sandbox.dir, `loop.${format}`);
    await writeFile(path, disk.image.bytes);
    await desk.call('vice.config.set', { resource: 'Drive8Type', value: model });
    expect(await isReal()).toBe(false);
    expect((await desk.call('vice.files.attach_disk', { path })).contents).toContain('LOOP');
    expect(await desk.call('vice.files.autostart', { path })).toMatchObject({ started: true });
    expect(await drive()).toMatchObject({ current_value: model });
    await desk.call('vice.execution.pause');
  }
  await desk.call('vice.config.set', { resource: 'Drive8Type', value: 1541 });
  expect(await isReal()).toBe(true);
  const { profile_name } = await desk.call('vice.machine.profile.create', {
    profile_name: 'two_drives',
    drives: [
      { unit: 8, type: '1541' },
      { unit: 9, type: '1571' },
    ],
  });
  expect(await desk.call('vice.machine.profile.apply', { profile_name })).toMatchObject({ changed: ['Drive9Type'] });
});
