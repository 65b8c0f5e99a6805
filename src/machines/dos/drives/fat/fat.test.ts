import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attributes, type Drive } from '../drive.ts';
import { formatName, parseName } from '../names.ts';
import { Disk, sectorBytes } from './disk.ts';
import { FatDrive } from './fat-drive.ts';
import { floppyFormats, formatVolume } from './format.ts';
import { findVolumes } from './volume-layout.ts';

const stamp = 0x2a21_6000;
const text = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);
const bytes = (value: string) => new TextEncoder().encode(value);
const path = (value: string) => value.split('\\').map((part) => parseName(part) ?? expect.unreachable(part));

function names(drive: Drive, directory: string[] = []): string[] {
  const found: string[] = [];
  const id = drive.directory(directory);
  for (let entry = drive.scan(id, 0); entry; entry = drive.scan(id, entry.slot + 1)) found.push(formatName(entry.name));
  return found;
}

function driveOf(image: Uint8Array, readOnly = false): FatDrive {
  const disk = new Disk(image, { readOnly });
  const [layout] = findVolumes(disk);
  return new FatDrive(disk, layout ?? expect.unreachable());
}

const hardDisk = {
  sectors: 40_000,
  sectorsPerCluster: 4,
  rootEntries: 512,
  media: 0xf8,
  sectorsPerTrack: 17,
  heads: 4,
};

describe.each([
  ['FAT12', () => driveOf(formatVolume(floppyFormats['1.44M']))],
  ['FAT16', () => driveOf(formatVolume(hardDisk))],
])('%s', (_name, make) => {
  test('files survive being written, extended, cut and deleted', () => {
    const drive = make();
    const free = drive.space().freeClusters;
    drive.makeDirectory(path('SUB'), stamp);
    const { id } = drive.create(path('SUB\\A.TXT'), 0, stamp);
    const long = Uint8Array.from({ length: 10_000 }, (_, index) => index % 251);
    expect(drive.write(id, 0, long, stamp)).toBe(10_000);
    expect(drive.write(id, 12_000, bytes('end'), stamp)).toBe(3);
    expect(drive.entry(id)).toMatchObject({ size: 12_003, attributes: attributes.archive, stamp });
    expect(drive.read(id, 9_990, 20)).toEqual(
      Uint8Array.from({ length: 20 }, (_, i) => (i < 10 ? (9_990 + i) % 251 : 0)),
    );
    expect(text(drive.read(id, 12_000, 99))).toBe('end');
    drive.truncate(id, 5_000, stamp);
    expect(drive.read(id, 4_990, 99)).toEqual(long.subarray(4_990, 5_000));
    expect(names(drive, path('SUB'))).toEqual(['.', '..', 'A.TXT']);
    expect(() => drive.removeDirectory(path('SUB'))).toThrow('access denied');
    drive.rename(path('SUB\\A.TXT'), path('B.TXT'));
    drive.removeDirectory(path('SUB'));
    drive.delete(path('B.TXT'));
    expect(names(drive)).toEqual([]);
    expect(drive.space().freeClusters).toBe(free);
  });

  test('label, attributes and a subdirectory that grows', () => {
    const drive = make();
    drive.setLabel('MY DISK    ', stamp);
    expect(drive.label()).toBe('MY DISK    ');
    drive.makeDirectory(path('D'), stamp);
    for (let i = 0; i < 100; i++) drive.create(path(`D\\F${i}`), 0, stamp);
    expect(names(drive, path('D'))).toHaveLength(102);
    const id = drive.lookup(path('D\\F50'))?.id ?? -1;
    drive.update(id, { attributes: attributes.readOnly });
    expect(() => drive.delete(path('D\\F50'))).toThrow('access denied');
    expect(() => drive.create(path('D\\F50'), 0, stamp)).toThrow('access denied');
    drive.setLabel('', stamp);
    expect(drive.label()).toBe('');
  });

  test('snapshots bring back the disk', () => {
    const drive = make();
    const { id } = drive.create(path('A'), 0, stamp);
    drive.write(id, 0, bytes('one'), stamp);
    const saved = drive.save();
    drive.write(id, 0, bytes('two'), stamp);
    drive.create(path('B'), 0, stamp);
    drive.restore(saved);
    expect(text(drive.read(id, 0, 9))).toBe('one');
    expect(names(drive)).toEqual(['A']);
  });
});

test('a full disk takes what fits', () => {
  const drive = driveOf(formatVolume(floppyFormats['360K']));
  const { freeClusters } = drive.space();
  const { id } = drive.create(path('BIG'), 0, stamp);
  expect(drive.write(id, 0, new Uint8Array(400_000), stamp)).toBe(freeClusters * 1024);
  expect(drive.space().freeClusters).toBe(0);
  expect(drive.write(id, freeClusters * 1024, bytes('x'), stamp)).toBe(0);
  expect(() => drive.makeDirectory(path('D'), stamp)).toThrow('disk full');
  for (let i = 0; i < 111; i++) drive.create(path(`F${i}`), 0, stamp);
  expect(() => drive.create(path('LAST'), 0, stamp)).toThrow('cannot make directory entry');
});

test('a write-protected disk is read only', () => {
  const drive = driveOf(formatVolume(floppyFormats['720K']), true);
  expect(names(drive)).toEqual([]);
  expect(() => drive.create(path('A'), 0, stamp)).toThrow('write-protected');
});

test('partitions are found, logical ones too, and cycles end', () => {
  const first = formatVolume({ ...hardDisk, sectors: 10_000, hidden: 17 });
  const second = formatVolume({ ...hardDisk, sectors: 9_000, hidden: 17 });
  const image = new Uint8Array(30_000 * sectorBytes);
  const view = new DataView(image.buffer);
  const entry = (table: number, index: number, type: number, start: number, sectors: number) => {
    const at = table * sectorBytes + 0x1be + index * 16;
    view.setUint8(at + 4, type);
    view.setUint32(at + 8, start, true);
    view.setUint32(at + 12, sectors, true);
    view.setUint16(table * sectorBytes + 510, 0xaa55, true);
  };
  entry(0, 0, 4, 17, 10_000);
  entry(0, 1, 5, 12_000, 18_000);
  entry(12_000, 0, 4, 17, 9_000);
  entry(12_000, 1, 5, 0, 100);
  image.set(first, 17 * sectorBytes);
  image.set(second, 12_017 * sectorBytes);
  const volumes = findVolumes(new Disk(image));
  expect(volumes.slice(0, 2).map(({ firstSector }) => firstSector)).toEqual([17, 12_017]);
  expect(volumes.length).toBeLessThan(30);
});

test('a cycle in a chain, a file longer than its chain and other damage are errors', () => {
  const image = formatVolume(floppyFormats['360K']);
  const disk = new Disk(image);
  const [layout] = findVolumes(disk);
  const drive = new FatDrive(disk, layout ?? expect.unreachable());
  const { id } = drive.create(path('LOOP'), 0, stamp);
  drive.write(id, 0, new Uint8Array(3000), stamp);
  const fat = disk.read(1).slice();
  // Cluster 4, the last of the chain, leads back to cluster 2.
  fat[6] = 0x02;
  fat[7] = (fat[7] ?? 0) & 0xf0;
  disk.write(1, fat);
  expect(() => drive.read(id, 0, 3000)).toThrow('damaged');
  expect(findVolumes(new Disk(new Uint8Array(720 * sectorBytes)))).toEqual([]);
});

test('no damage hangs or throws anything but DOS errors', () => {
  const good = driveOf(formatVolume(floppyFormats['360K']));
  good.makeDirectory(path('D'), stamp);
  good.write(good.create(path('D\\F'), 0, stamp).id, 0, new Uint8Array(5000), stamp);
  const image = new Uint8Array(720 * sectorBytes);
  for (let sector = 0; sector < 720; sector++) image.set(good.sectors.read(sector), sector * sectorBytes);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(16 * sectorBytes), fc.nat(255)), { maxLength: 20 }), (changes) => {
      const broken = image.slice();
      for (const [at, value] of changes) broken[at] = value;
      try {
        const disk = new Disk(broken);
        const [layout] = findVolumes(disk);
        if (layout === undefined) return;
        const drive = new FatDrive(disk, layout);
        for (const name of names(drive)) drive.lookup([parseName(name) ?? 'X'.padEnd(11)]);
        drive.write(drive.create(path('D\\G'), 0, stamp).id, 0, new Uint8Array(3000), stamp);
        drive.delete(path('D\\F'));
        drive.space();
      } catch (error) {
        expect((error as Error).name, String((error as Error).stack)).toBe('DosError');
      }
    }),
    { numRuns: 60 },
  );
});

test('a floppy has the tracks that its volume says, whatever its size', () => {
  const image = formatVolume({ ...floppyFormats['1.44M'], sectors: 3444, sectorsPerTrack: 21 });
  expect(new Disk(image)).toMatchObject({ floppy: true, cylinders: 82, heads: 2, sectorsPerTrack: 21 });
  const odd = formatVolume({ ...floppyFormats['1.44M'], sectorsPerTrack: 36 });
  expect(new Disk(odd)).toMatchObject({ floppy: true, cylinders: 40, heads: 2, sectorsPerTrack: 36 });
  expect(new Disk(new Uint8Array(2880 * sectorBytes))).toMatchObject({ cylinders: 80, sectorsPerTrack: 18 });
});
