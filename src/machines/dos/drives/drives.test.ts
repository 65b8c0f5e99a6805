import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AllowedFiles } from '../../../host/files/allowed-files.ts';
import { AllowedFolder } from '../../../host/files/allowed-folder.ts';
import { fillDiskUnder } from '../machine/full-disk-testing.ts';
import { DosError } from './dos-error.ts';
import { attributes, type Drive } from './drive.ts';
import { floppyFormats, formatVolume } from './fat/format.ts';
import { FolderSource } from './folder-source.ts';
import { formatName, nameMatches, parseName } from './names.ts';
import { openDrive } from './open-drive.ts';
import { shortNames } from './short-names.ts';
import { TreeDrive } from './tree-drive.ts';
import { ZipSource } from './zip-source.ts';

const text = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);
const bytes = (value: string) => new TextEncoder().encode(value);
const path = (value: string) => value.split('\\').map((part) => parseName(part) ?? expect.unreachable(part));
const stamp = 0x2a21_6000;

function names(drive: Drive, directory: string[] = []): string[] {
  const found: string[] = [];
  const id = drive.directory(directory);
  for (let entry = drive.scan(id, 0); entry; entry = drive.scan(id, entry.slot + 1)) found.push(formatName(entry.name));
  return found;
}

describe('names', () => {
  test('short names keep what is short and number the rest', () => {
    expect(
      shortNames(['readme.txt', 'A long name.html', 'A long other.html', 'con', '.profile', 'Ü.x', '日本.txt']),
    ).toEqual([
      'README  TXT',
      'ALONGN~1HTM',
      'ALONGO~1HTM',
      'CON~1      ',
      'PROFIL~1   ',
      '\x9a       X  ',
      '__~1    TXT',
    ]);
  });

  test('any list of names gives as many different valid short names', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: fc.constantFrom(...'aBc.é ~日"*0/'), minLength: 1, maxLength: 14 }), {
          maxLength: 12,
        }),
        (list) => {
          const short = shortNames(list);
          expect(new Set(short).size).toBe(list.length);
          for (const name of short) expect(parseName(formatName(name))).toBe(name);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('patterns', () => {
    const pattern = parseName('*.c?', true) ?? '';
    expect(pattern).toBe('????????C? ');
    expect(nameMatches(pattern, 'MAIN    C  ')).toBe(true);
    expect(nameMatches(pattern, 'MAIN    CPP')).toBe(false);
    expect(parseName('a*b')).toBeUndefined();
    expect(parseName('a b')).toBeUndefined();
  });
});

describe('folder', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dos-drive-'));
    writeFileSync(join(folder, 'hello.txt'), 'hello');
    mkdirSync(join(folder, 'sub'));
    writeFileSync(join(folder, 'sub', 'deep.dat'), 'deep');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('reads, writes to the overlay only, and keeps what it read first', () => {
    const drive = new TreeDrive(new FolderSource(AllowedFolder.at(folder)));
    const file = drive.lookup(path('HELLO.TXT'));
    expect(file).toMatchObject({ size: 5, attributes: attributes.archive });
    const id = file?.id ?? -1;
    expect(text(drive.read(id, 1, 100))).toBe('ello');
    writeFileSync(join(folder, 'hello.txt'), 'changed outside');
    expect(text(drive.read(id, 0, 100))).toBe('hello');
    expect(drive.write(id, 7, bytes('!'), stamp)).toBe(1);
    expect(text(drive.read(id, 0, 100))).toBe('hello\0\0!');
    expect(readFileSync(join(folder, 'hello.txt'), 'latin1')).toBe('changed outside');
    expect(names(drive, path('SUB'))).toEqual(['.', '..', 'DEEP.DAT']);
  });

  test('creates, renames, deletes and removes; refuses what DOS refuses', () => {
    const drive = new TreeDrive(new FolderSource(AllowedFolder.at(folder)));
    drive.makeDirectory(path('NEW'), stamp);
    drive.create(path('NEW\\A.TXT'), 0, stamp);
    drive.rename(path('NEW\\A.TXT'), path('SUB\\B.TXT'));
    expect(names(drive, path('SUB'))).toEqual(['.', '..', 'DEEP.DAT', 'B.TXT']);
    expect([0, 1].map((slot) => drive.scan(drive.directory(path('NEW')), slot))).toMatchObject([{ stamp }, { stamp }]);
    expect(() => drive.removeDirectory(path('SUB'))).toThrow('access denied');
    expect(() => drive.rename(path('SUB\\B.TXT'), path('SUB\\DEEP.DAT'))).toThrow('access denied');
    expect(() => drive.delete(path('NO.TXT'))).toThrow('file not found');
    expect(() => drive.lookup(path('NO\\X.TXT'))).toThrow('path not found');
    drive.delete(path('SUB\\B.TXT'));
    drive.removeDirectory(path('NEW'));
    expect(names(drive)).toEqual(['HELLO.TXT', 'SUB']);
    const id = drive.lookup(path('HELLO.TXT'))?.id ?? -1;
    drive.update(id, { attributes: attributes.readOnly, stamp: 5 });
    expect(drive.entry(id)).toMatchObject({ attributes: 1, stamp: 5 });
    expect(() => drive.delete(path('HELLO.TXT'))).toThrow('access denied');
    expect(() => drive.create(path('HELLO.TXT'), 0, stamp)).toThrow('access denied');
  });

  test('a snapshot is untouched by later writes and can be restored twice', () => {
    const drive = new TreeDrive(new FolderSource(AllowedFolder.at(folder)));
    const id = drive.create(path('S.TXT'), 0, stamp).id;
    drive.write(id, 0, bytes('one'), stamp);
    const saved = drive.save();
    for (const word of ['two', 'six']) {
      drive.write(id, 0, bytes(word), stamp);
      drive.delete(path('HELLO.TXT'));
      drive.restore(saved);
      expect(text(drive.read(id, 0, 9))).toBe('one');
      expect(names(drive)).toContain('HELLO.TXT');
    }
  });

  test('writes through when asked, and never out of the folder', () => {
    const outside = mkdtempSync(join(tmpdir(), 'dos-outside-'));
    try {
      writeFileSync(join(outside, 'secret'), 'secret');
      symlinkSync(join(outside, 'secret'), join(folder, 'link'));
      symlinkSync(outside, join(folder, 'out'));
      symlinkSync(join(outside, 'made'), join(folder, 'NEW.TXT'));
      const drive = new TreeDrive(new FolderSource(AllowedFolder.at(folder), true));
      expect(names(drive)).toEqual(['HELLO.TXT', 'SUB']);
      expect(() => drive.create(path('NEW.TXT'), 0, stamp)).toThrow('access denied');
      const id = drive.create(path('SUB\\W.TXT'), 0, stamp).id;
      drive.write(id, 0, bytes('through'), stamp);
      drive.commit(id);
      expect(readFileSync(join(folder, 'sub', 'W.TXT'), 'latin1')).toBe('through');
      drive.rename(path('SUB'), path('TOP'));
      drive.rename(path('TOP\\DEEP.DAT'), path('TOP\\D.DAT'));
      expect(readFileSync(join(folder, 'TOP', 'D.DAT'), 'latin1')).toBe('deep');
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  test('names that only a file control block can hold make no files of the host', () => {
    const drive = new TreeDrive(new FolderSource(AllowedFolder.at(folder), true));
    const before = readdirSync(folder);
    for (const name of [
      '..\\ESC  TXT',
      '        TXT',
      'A\x07B     TXT',
      'A/B     TXT',
      'A:B     TXT',
      'A.B     TXT',
      'A\0B     TXT',
    ]) {
      expect(() => drive.create([name], 0, 0)).toThrow('access denied');
      expect(drive.lookup([name])).toBeUndefined();
    }
    expect(() => drive.makeDirectory(['A\\B        '], 0)).toThrow('access denied');
    expect(readdirSync(folder)).toEqual(before);
    drive.create(['A B     TXT'], 0, 0);
    expect(readdirSync(folder)).toContain('A B.TXT');
  });

  test('free space shrinks by clusters', () => {
    const drive = new TreeDrive(new FolderSource(AllowedFolder.at(folder)));
    const before = drive.space().freeClusters;
    drive.write(drive.create(path('BIG'), 0, stamp).id, 0, new Uint8Array(16385), stamp);
    expect(drive.space().freeClusters).toBe(before - 2);
  });
});

describe('a path of the host', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dos-open-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('may be a folder, a zip file or an image', async () => {
    writeFileSync(join(folder, 'a.txt'), 'a');
    writeFileSync(join(folder, 'z.zip'), zip({ 'b.txt': 'b' }));
    writeFileSync(join(folder, 'd.img'), formatVolume(floppyFormats['720K']));
    const files = new AllowedFiles({ read: [], write: [folder] });
    const open = (name: string, how = {}) => openDrive(files, join(folder, name), how);
    const [first] = (await open('.')).drives;
    expect(names(first ?? expect.unreachable())).toEqual(['A.TXT', 'D.IMG', 'Z.ZIP']);
    expect((await open('z.zip')).drives.map(({ kind }) => kind)).toEqual(['zip']);
    const image = await open('d.img');
    expect(image.disk).toMatchObject({ cylinders: 80, heads: 2, sectorsPerTrack: 9, sectors: 1440 });
    image.drives[0]?.create(path('X'), 0, stamp);
    expect(names((await open('d.img')).drives[0] ?? expect.unreachable())).toEqual([]);
    const through = await open('d.img', { writeThrough: true });
    through.drives[0]?.create(path('X'), 0, stamp);
    through.close();
    expect(names((await open('d.img')).drives[0] ?? expect.unreachable())).toEqual(['X']);
  });

  test('that is written through to a disk that is full fails for the program alone', async () => {
    const file = join(folder, 'd.img');
    writeFileSync(file, formatVolume(floppyFormats['720K']));
    const { drives } = await openDrive(new AllowedFiles({ read: [], write: [folder] }), file, { writeThrough: true });
    fillDiskUnder(file);
    expect(() => drives[0]?.create(path('X'), 0, stamp)).toThrow('ENOSPC');
    expect(() => drives[0]?.create(path('X'), 0, stamp)).toThrow(DosError);
    expect(names(drives[0] ?? expect.unreachable())).toEqual([]);
  });

  test('that is none of these is an error with a way out', async () => {
    writeFileSync(join(folder, 'bad.zip'), 'PK\x03\x04 and nothing else, really nothing at all');
    const files = new AllowedFiles({ read: [], write: [folder] });
    const open = (name: string) => openDrive(files, join(folder, name));
    await expect(open('no')).rejects.toThrow('cannot be a drive');
    await expect(open('bad.zip')).rejects.toThrow('not a usable zip');
    writeFileSync(join(folder, 'raw.img'), new Uint8Array(5000));
    expect(await open('raw.img')).toMatchObject({ drives: [], disk: { sectors: 9 } });
  });
});

describe('zip', () => {
  test('lists and unpacks, writes to the overlay', async () => {
    const drive = new TreeDrive(await ZipSource.open(zip({ 'a.txt': 'stored', 'dir/b.txt': 'packed'.repeat(50) })));
    expect(names(drive)).toEqual(['A.TXT', 'DIR']);
    const id = drive.lookup(path('DIR\\B.TXT'))?.id ?? -1;
    expect(text(drive.read(id, 0, 12))).toBe('packedpacked');
    drive.write(id, 0, bytes('P'), stamp);
    expect(text(drive.read(id, 0, 6))).toBe('Packed');
  });

  test('names that leave the archive do not exist; bombs and damage are errors', async () => {
    const drive = new TreeDrive(await ZipSource.open(zip({ '../x': 'x', '/etc/y': 'y', 'a/../../z': 'z', ok: '1' })));
    expect(names(drive)).toEqual(['OK']);
    const small = { maxEntries: 5, maxBytes: 1000 };
    await expect(ZipSource.open(zip({ a: 'a'.repeat(2000) }), small)).rejects.toThrow('more than 1000');
    const lying = zip({ a: 'a'.repeat(2000) }, 10);
    const bomb = new TreeDrive(await ZipSource.open(lying));
    expect(() => bomb.read(bomb.lookup(path('A'))?.id ?? -1, 0, 10)).toThrow('does not unpack');
    await expect(ZipSource.open(bytes('no zip at all, really not one'))).rejects.toThrow('not a usable zip');
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(255), async (at, value) => {
        const broken = zip({ 'a/b': 'some text', c: 'more' });
        broken[at % broken.length] = value;
        try {
          const damaged = new TreeDrive(await ZipSource.open(broken));
          for (const name of names(damaged)) {
            const entry = damaged.lookup(path(name));
            if (entry && !(entry.attributes & attributes.directory)) damaged.read(entry.id, 0, 100);
          }
        } catch (error) {
          expect((error as Error).name).toBe('DosError');
        }
      }),
    );
  });
});

describe('much of everything', () => {
  const empty = { kind: 'folder', rootKey: '', list: () => [], read: () => new Uint8Array() } as const;

  test('a large file of an archive is unpacked before anybody opens it', async () => {
    const large = 'x'.repeat(9 * 1024 * 1024);
    const drive = new TreeDrive(await ZipSource.open(zip({ 'large.dat': large })));
    const id = drive.lookup(path('LARGE.DAT'))?.id ?? -1;
    expect(text(drive.read(id, large.length - 3, 10))).toBe('xxx');
    // One that says so and is not: an error when it is read, not a wait.
    const bomb = new TreeDrive(await ZipSource.open(zip({ 'bomb.dat': large }, 9 * 1024 * 1024 + 1)));
    expect(() => bomb.read(bomb.lookup(path('BOMB.DAT'))?.id ?? -1, 0, 1)).toThrow('does not unpack');
  });

  test('a file that is written over and over between snapshots costs what was written', () => {
    const drive = new TreeDrive(empty);
    const { id } = drive.create(path('BIG.DAT'), 0, stamp);
    for (let at = 0; at < 64; at++) drive.write(id, at * 0x10000, new Uint8Array(0x10000), stamp);
    const before = drive.copiedBytes;
    const saved = Array.from({ length: 50 }, (_, number) => {
      drive.write(id, 0, Uint8Array.of(number), stamp);
      return drive.save();
    });
    expect(drive.copiedBytes - before).toBeLessThan(1024 * 1024);
    drive.restore(saved[7] ?? drive.save());
    expect(drive.read(id, 0, 2)).toEqual(Uint8Array.of(7, 0));
    // What has not changed is not saved twice.
    expect(drive.save()).toMatchObject({ tree: expect.anything() });
    expect(drive.save().tree).toBe(drive.save().tree);
  });

  test('a drive takes so many files, and those that were deleted make room', () => {
    const drive = new TreeDrive(empty);
    drive.makeDirectory(path('D'), stamp);
    const make = (number: number) => drive.create(path(`D\\${number.toString(36)}`), 0, stamp);
    for (let number = 0; number < 100; number++) make(number);
    for (let round = 0; round < 40_000; round++) {
      make(999_999);
      drive.delete(path(`D\\${(999_999).toString(36)}`));
    }
    const saved = drive.save();
    const next = make(5000).start;
    drive.restore(saved);
    // What a program sees of it is the same when the past is run again.
    expect(make(5000).start).toBe(next);
    expect(() => {
      for (let directory = 0; directory < 40; directory++) {
        drive.makeDirectory(path(`E${directory}`), stamp);
        for (let number = 0; number < 1000; number++) drive.create(path(`E${directory}\\${number}`), 0, stamp);
      }
    }).toThrow('at most 32768 files');
  }, 60_000);

  test('thousands of names that begin alike get short ones at once', () => {
    const names = Array.from({ length: 20_000 }, (_, number) => `a long name ${number}.text`);
    const short = shortNames(names);
    expect(new Set(short).size).toBe(names.length);
    expect([short[0], short[9], short[19_999]]).toEqual(['ALONGN~1TEX', 'ALONG~10TEX', 'AL~20000TEX']);
  });

  test('a large file of a folder is read in parts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dos-large-'));
    try {
      const content = Buffer.alloc(3 * 1024 * 1024, 'abcdefgh');
      writeFileSync(join(folder, 'large.dat'), content);
      const drive = new TreeDrive(new FolderSource(AllowedFolder.at(folder)));
      const id = drive.lookup(path('LARGE.DAT'))?.id ?? -1;
      expect(text(drive.read(id, content.length - 4, 100))).toBe('efgh');
      drive.write(id, 20_000, bytes('ZZ'), stamp);
      expect(text(drive.read(id, 19_998, 6))).toBe('ghZZcd');
      drive.truncate(id, 20_001, stamp);
      expect(text(drive.read(id, 19_998, 100))).toBe('ghZ');
      expect(readFileSync(join(folder, 'large.dat')).equals(content)).toBe(true);
      const through = new TreeDrive(new FolderSource(AllowedFolder.at(folder), true));
      const same = through.lookup(path('LARGE.DAT'))?.id ?? -1;
      through.rename(path('LARGE.DAT'), path('OTHER.DAT'));
      through.write(same, 1, bytes('Z'), stamp);
      through.commit(same);
      expect(readFileSync(join(folder, 'OTHER.DAT'), 'latin1').slice(0, 4)).toBe('aZcd');
      expect(() => through.truncate(same, 40 * 1024 * 1024, stamp)).toThrow('disk full');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** A zip archive with deflated entries; `size` is what the directory claims. */
function zip(files: Record<string, string>, size?: number): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(bytes(content));
    const local = new DataView(new ArrayBuffer(30));
    local.setUint32(0, 0x04034b50, true);
    local.setUint16(26, name.length, true);
    const entry = new DataView(new ArrayBuffer(46));
    entry.setUint32(0, 0x02014b50, true);
    entry.setUint16(10, 8, true);
    entry.setUint32(20, packed.length, true);
    entry.setUint32(24, size ?? content.length, true);
    entry.setUint16(28, name.length, true);
    entry.setUint32(42, offset, true);
    parts.push(new Uint8Array(local.buffer), bytes(name), packed);
    directory.push(new Uint8Array(entry.buffer), bytes(name));
    offset += 30 + name.length + packed.length;
  }
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(10, Object.keys(files).length, true);
  end.setUint32(16, offset, true);
  return new Uint8Array(Buffer.concat([...parts, ...directory, new Uint8Array(end.buffer)]));
}
