import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { image as riscv64 } from './guests/riscv64.ts';
import { image as bootSector } from './guests/x86-real.ts';
import { Lab } from './vm.ts';

const { signal } = new AbortController();
const disk = { name: 'disk.img', bytes: new Uint8Array(8192), readOnly: false };

test('a guest that is stopped lets go of nothing; one that lets go late has let go', {
  timeout: 180_000,
}, async () => {
  await using lab = new Lab();
  const vm = await lab.start({
    drives: [`${lab.file('sector.img', bootSector)},floppy`],
    memory: 16,
    work_dir: lab.folder,
  });
  await vm.printed(/READY/);
  const { media, control, monitor } = vm.machine;
  const overlays = () =>
    readdirSync(lab.folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.qcow2'));
  const before = overlays();
  await media.attach('new', disk);
  expect(media.slots.map(({ name }) => name)).toContain('drive0');
  await control.pause();
  await expect(media.detach('drive0')).rejects.toMatchObject({
    type: 'WRONG_STATE',
    message: 'The guest is stopped and cannot release drive0.',
  });
  await control.run({ wallMs: 1 }, signal);
  // This guest knows nothing of it; the reset button does.
  await monitor?.execute('qmp', 'device_del', { id: 'drive0' });
  await control.reset('soft');
  await vm.until('its end', () => !media.slots.some(({ name }) => name === 'drive0'));
  expect(vm.events('device_deleted').map(({ text }) => text)).toEqual(['the device drive0 is gone']);
  await vm.until('the end of its overlay', () => overlays().length === before.length);
  expect(await media.attach('new', disk)).toContain('added as drive0');
});

test('where nothing can be added, nothing is left of the attempt', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const options = { arch: 'riscv64', memory: 16, bios: lab.file('rv.bin', riscv64), work_dir: lab.folder };
  const vm = await lab.start({ ...options, hotplug_slots: 1 });
  const { media } = vm.machine;
  expect(await media.attach('new', disk)).toContain('added as drive0');
  const files = readdirSync(lab.folder, { recursive: true }).length;
  await expect(media.attach('new', disk)).rejects.toMatchObject({
    type: 'UNAVAILABLE',
    message: 'All slots are taken.',
  });
  expect(readdirSync(lab.folder, { recursive: true })).toHaveLength(files);
  expect(media.slots.map(({ name }) => name)).toEqual(['drive0']);
});
