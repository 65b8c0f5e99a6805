import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AllowedFiles } from '../../../host/files/allowed-files.ts';
import { boardOf } from '../launch/board.ts';
import { OpenedFiles } from '../opened-files.ts';
import { parseDrive } from './drive-spec.ts';
import { prepareDrives } from './prepare-drives.ts';
import { createQcow2 } from './qcow2.ts';
import { readQcow2Header } from './qcow2-header.ts';

const folder = mkdtempSync(join(tmpdir(), 'fp-disk-'));
afterAll(() => rmSync(folder, { recursive: true }));
const files = new OpenedFiles({ files: new AllowedFiles({ read: [], write: [folder] }), runtimeDir: folder });

test.for([
  ['/a/disk.qcow2', { path: '/a/disk.qcow2', readOnly: false, write: false }],
  ['/a/disk.img,raw,virtio,readonly', { path: '/a/disk.img', format: 'raw', interface: 'virtio', readOnly: true }],
  ['/a,b/c, d.img,write', { path: '/a,b/c, d.img', write: true }],
  ['cdrom', { path: undefined, type: 'cdrom' }],
  ['x.img, floppy', { path: 'x.img', type: 'floppy' }],
  ['a.img,snapshot', { path: 'a.img', readOnly: false, write: false }],
  ['a.img,iso', { path: 'a.img', type: 'cdrom' }],
  ['a.iso', { path: 'a.iso', type: 'cdrom' }],
  ['a.iso,disk,write', { path: 'a.iso', type: 'disk', write: true }],
  ['a.img,virtio', { path: 'a.img', type: 'disk', interface: 'virtio' }],
] as const)('%s', ([text, expected]) => {
  expect(parseDrive(text)).toMatchObject(expected);
});

test.for([
  ['disk', 'it has no path'],
  ['a.img,readonly,write', 'readonly and write'],
  ['a.iso,cdrom,write', 'never written'],
  ['a.iso,write', 'never written'],
  ['a.img,snapshot,write', 'snapshot and write'],
  ['a.img,floppy,usb', 'a floppy is not on usb'],
  ['a.img,ide,virtio', 'ide and virtio'],
])('%s is refused: %s', ([text = '', why = '']) => {
  expect(() => parseDrive(text)).toThrow(why);
});

test.for([
  { sizeBytes: 0, clusterBits: 16 },
  { sizeBytes: 1024 * 1024, clusterBits: 19 },
  { sizeBytes: 5 * 2 ** 40, clusterBits: 16 },
])('an image of $sizeBytes bytes is one to QEMU too', async (image) => {
  const path = join(folder, `${image.sizeBytes}.qcow2`);
  await createQcow2(path, image);
  expect(await readQcow2Header(path)).toEqual({
    sizeBytes: image.sizeBytes,
    backingFile: undefined,
    backingFormat: undefined,
    externalData: false,
    damage: undefined,
  });
  await expect(createQcow2(path, image)).rejects.toMatchObject({ code: 'EEXIST' });
  const check = spawnSync('qemu-img', ['check', path], { encoding: 'utf8' });
  if (check.error === undefined) expect(check.stdout).toContain('No errors were found');
});

test('drives find their places, and overlays keep files as they are', async () => {
  const disk = join(folder, 'disk.img');
  writeFileSync(disk, Buffer.alloc(1000, 'x'));
  writeFileSync(join(folder, 'boot.img'), Buffer.alloc(1_474_560));
  writeFileSync(join(folder, 'os.iso'), Buffer.alloc(2048));
  const options = { board: boardOf('x86_64', 'pc', undefined), workDir: folder, files };
  const texts = [disk, `${folder}/boot.img`, `${folder}/os.iso`, `${disk},write,virtio`, 'floppy'];
  const drives = await prepareDrives(texts, options);
  expect(drives.map(({ id, interface: where, medium }) => [id, where, medium?.overlay])).toEqual([
    ['drive0', 'ide', true],
    ['floppy0', 'floppy', true],
    ['cd0', 'ide', false],
    ['drive1', 'virtio', false],
    ['floppy1', 'floppy', undefined],
  ]);
  expect(await readQcow2Header(join(folder, 'drive0.qcow2'))).toMatchObject({ sizeBytes: 1024, backingFile: disk });
  expect(statSync(disk).size).toBe(1000);
  await expect(prepareDrives([`${disk},readonly`], options)).rejects.toThrow('IDE disk cannot be write-protected');
  const virt = { ...options, board: boardOf('riscv64', undefined, undefined) };
  await expect(prepareDrives([`${disk},floppy`], virt)).rejects.toThrow('no floppy drive');
  await expect(prepareDrives([`${disk},qcow2`], virt)).rejects.toThrow('not a qcow2 image');
  const empty = await prepareDrives(['cdrom'], virt);
  expect(empty).toEqual([{ id: 'cd0', type: 'cdrom', interface: 'scsi', medium: undefined }]);
});

test('a small disk on virtio is no floppy, and a word that is not known is named', async () => {
  const small = join(folder, 'small.img');
  writeFileSync(small, Buffer.alloc(1_474_560));
  const options = { board: boardOf('x86_64', 'pc', undefined), workDir: mkdtempSync(join(folder, 'w-')), files };
  const [drive] = await prepareDrives([`${small},virtio`], options);
  expect(drive).toMatchObject({ id: 'drive0', type: 'disk', interface: 'virtio' });
  await expect(prepareDrives([`${small},volatile`], options)).rejects.toMatchObject({
    fix: expect.stringContaining('If "volatile" is not a part of it: the words are disk, cdrom'),
  });
});

test('places on a board are counted; the empty CD drive takes none that is needed', async () => {
  const image = join(folder, 'place.img');
  writeFileSync(image, Buffer.alloc(4096));
  const prepare = (count: number, machine: string, words = '') => {
    const options = { board: boardOf('x86_64', machine, undefined), workDir: mkdtempSync(join(folder, 'p-')), files };
    return prepareDrives(Array(count).fill(`${image}${words}`), options);
  };
  expect((await prepare(3, 'pc')).map(({ id }) => id)).toEqual(['drive0', 'drive1', 'drive2', 'cd0']);
  expect((await prepare(4, 'pc')).map(({ id }) => id)).toEqual(['drive0', 'drive1', 'drive2', 'drive3']);
  await expect(prepare(5, 'pc')).rejects.toThrow('places for 4 ide drives, not 5');
  await expect(prepare(7, 'q35')).rejects.toThrow('places for 6 ide drives, not 7');
  await expect(prepare(3, 'pc', ',floppy')).rejects.toThrow('places for 2 floppy drives, not 3');
  await expect(prepare(1, 'microvm', ',ide')).rejects.toThrow('no ide drives');
});

test.for([
  ['VMDK', Buffer.concat([Buffer.from('KDMV'), Buffer.alloc(600)])],
  ['VDI', Buffer.concat([Buffer.alloc(64), Buffer.from([0x7f, 0x10, 0xda, 0xbe]), Buffer.alloc(600)])],
  ['VHDX', Buffer.concat([Buffer.from('vhdxfile'), Buffer.alloc(600)])],
  ['VHD', Buffer.concat([Buffer.alloc(2048), Buffer.from('conectix'), Buffer.alloc(504)])],
] as const)('a %s image is not taken for raw bytes, unless told', async ([format, bytes]) => {
  const path = join(folder, `foreign.${format}`);
  writeFileSync(path, bytes);
  const options = { board: boardOf('riscv64', undefined, undefined), workDir: folder, files };
  await expect(prepareDrives([path], options)).rejects.toMatchObject({
    message: expect.stringContaining(`it is a ${format} image`),
    fix: expect.stringContaining('qemu-img convert'),
  });
  expect(await prepareDrives([`${path},raw,readonly`], options)).toHaveLength(1);
});
