import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detokenise } from '../basic/detokenise.ts';
import { CommodoreDisk } from './commodore-disk.ts';
import { directoryProgram } from './directory-listing.ts';
import { DiskError } from './disk-error.ts';
import { diskGeometries, geometryOf, sectorCount } from './disk-geometry.ts';
import { SectorImage } from './sector-image.ts';

const pattern = (length: number, seed = 1) => Uint8Array.from({ length }, (_, index) => (index * 7 + seed * 13) & 255);
const kinds = [
  ['d64', 664],
  ['d71', 1328],
  ['d81', 3160],
] as const;

/** Element-wise equality of vitest is slow on whole disks. */
function expectBytes(actual: Uint8Array, wanted: Uint8Array): void {
  expect(Buffer.compare(actual, wanted)).toBe(0);
}

/** Blocks that belong to a file or the directory but are free in the map, or the other way round. */
function mapFaults(disk: CommodoreDisk): number {
  const before = disk.image.bytes.slice();
  disk.validate();
  const faults = disk.image.bytes.reduce((count, byte, index) => count + (byte === before[index] ? 0 : 1), 0);
  disk.image.bytes.set(before);
  return faults;
}

function errorOf(action: () => unknown): string {
  try {
    action();
  } catch (problem) {
    if (problem instanceof DiskError) return problem.message;
    throw problem;
  }
  return 'no error';
}

test('sizes of all variants, with and without error bytes', () => {
  const sizes = [
    [174_848, 'd64', 35, false],
    [175_531, 'd64', 35, true],
    [196_608, 'd64', 40, false],
    [197_376, 'd64', 40, true],
    [205_312, 'd64', 42, false],
    [206_114, 'd64', 42, true],
    [349_696, 'd71', 70, false],
    [351_062, 'd71', 70, true],
    [819_200, 'd81', 80, false],
    [822_400, 'd81', 80, true],
  ] as const;
  for (const [size, kind, tracks, hasErrors] of sizes) {
    expect(geometryOf(size)).toMatchObject({ geometry: { kind, tracks }, hasErrors });
  }
  expect(geometryOf(1000)).toBeUndefined();
  expect(() => new SectorImage(new Uint8Array(1000))).toThrow(RangeError);
});

test('every sector has its own 256 bytes, and there are no others', () => {
  for (const geometry of diskGeometries) {
    const image = SectorImage.blank(geometry);
    let number = 0;
    for (let track = 1; track <= geometry.tracks; track++) {
      for (let sector = 0; sector < geometry.sectorsIn(track); sector++) {
        if (image.sector(track, sector).byteOffset === number * 256) number++;
      }
      expect(errorOf(() => image.sector(track, geometry.sectorsIn(track)))).toContain('66,ILLEGAL TRACK OR SECTOR');
    }
    expect(number).toBe(sectorCount(geometry));
    expect(errorOf(() => image.sector(0, 0))).toContain('66');
    expect(errorOf(() => image.sector(geometry.tracks + 1, 0))).toContain('66');
  }
});

describe.for(kinds)('%s', ([kind, free]) => {
  test('a new disk', () => {
    const disk = CommodoreDisk.create(kind, 'MY DISK', 'AB');
    expect([disk.name, disk.id, disk.freeBlocks, disk.directory()]).toEqual(['MY DISK', 'AB', free, []]);
    expect(mapFaults(disk)).toBe(0);
  });

  test('files are written, read, replaced, renamed and scratched', () => {
    const disk = CommodoreDisk.create(kind, 'T', '01');
    disk.write('EMPTY', new Uint8Array(0));
    disk.write('ONE', pattern(254));
    disk.write('TWO', pattern(255), 'SEQ');
    const big = disk.write('BIG', pattern(50_000), 'USR');
    expect(big).toMatchObject({ name: 'BIG', type: 'USR', closed: true, locked: false, blocks: 197 });
    expect(disk.directory().map(({ name, type, blocks }) => [name, type, blocks])).toEqual([
      ['EMPTY', 'PRG', 1],
      ['ONE', 'PRG', 1],
      ['TWO', 'SEQ', 2],
      ['BIG', 'USR', 197],
    ]);
    expect(disk.freeBlocks).toBe(free - 201);
    expect(disk.read('EMPTY')).toHaveLength(0);
    expectBytes(disk.read('BIG'), pattern(50_000));
    expectBytes(disk.read('T*'), pattern(255));
    expectBytes(disk.read('?NE'), pattern(254));
    expect(errorOf(() => disk.write('BIG', pattern(1)))).toBe('63,FILE EXISTS,00,00');
    disk.write('BIG', pattern(10), 'PRG', { replace: true });
    expectBytes(disk.read('BIG'), pattern(10));
    expect(errorOf(() => disk.rename('ONE', 'TWO'))).toContain('63');
    disk.rename('ONE', 'UNO');
    expect(errorOf(() => disk.read('ONE'))).toBe('62,FILE NOT FOUND,00,00');
    expect(mapFaults(disk)).toBe(0);
    expect(disk.scratch('*')).toBe(4);
    expect([disk.freeBlocks, disk.directory()]).toEqual([free, []]);
  });

  test('a full disk stays as it was', () => {
    const disk = CommodoreDisk.create(kind, 'T', '01');
    disk.write('A', pattern((free - 1) * 254));
    const before = disk.image.bytes.slice();
    expect(errorOf(() => disk.write('B', pattern(255)))).toBe('72,DISK FULL,00,00');
    expectBytes(disk.image.bytes, before);
    disk.write('C', pattern(254));
    expect(disk.freeBlocks).toBe(0);
    expectBytes(disk.read('A'), pattern((free - 1) * 254));
    expect(mapFaults(disk)).toBe(0);
  });

  test('also one whose bytes are a Buffer', () => {
    const { image } = CommodoreDisk.create(kind, 'T', '01');
    const disk = new CommodoreDisk(new SectorImage(Buffer.from(image.bytes)));
    const before = Uint8Array.from(disk.image.bytes);
    expect(errorOf(() => disk.write('A', pattern((free + 1) * 254)))).toBe('72,DISK FULL,00,00');
    expectBytes(disk.image.bytes, before);
  });

  test('the directory fills its track and then is full', () => {
    const disk = CommodoreDisk.create(kind, 'T', '01');
    const places = kind === 'd81' ? 296 : 144;
    for (let index = 0; index < places; index++) disk.write(`F${index}`, pattern(1, index));
    expect(errorOf(() => disk.write('ONE MORE', pattern(1)))).toContain('72');
    expect(disk.directory()).toHaveLength(places);
    expectBytes(disk.read(`F${places - 1}`), pattern(1, places - 1));
    expect(mapFaults(disk)).toBe(0);
  });
});

test('the first file of a D64 lies as the DOS puts it', () => {
  const disk = CommodoreDisk.create('d64', 'T', '01');
  disk.write('A', pattern(254 * 4));
  const chain: [number, number][] = [];
  for (let [track, sector] = [17, 0]; track !== 0; ) {
    chain.push([track, sector]);
    [track = 0, sector = 0] = disk.image.sector(track, sector);
  }
  // 10 further each time; one less after the end of the track is passed.
  expect(chain).toEqual([
    [17, 0],
    [17, 10],
    [17, 20],
    [17, 8],
  ]);
});

test('after a format only header, map and directory are taken', () => {
  const { image } = CommodoreDisk.create('d64', 'HELLO', 'XY');
  const header = image.sector(18, 0);
  expect([...header.subarray(0, 8)]).toEqual([18, 1, 0x41, 0, 21, 0xff, 0xff, 0x1f]);
  expect([...header.subarray(18 * 4, 18 * 4 + 4)]).toEqual([17, 0xfc, 0xff, 0x07]);
  expect([...header.subarray(0x90, 0xab)].map((code) => code.toString(16)).join(' ')).toBe(
    '48 45 4c 4c 4f a0 a0 a0 a0 a0 a0 a0 a0 a0 a0 a0 a0 a0 58 59 a0 32 41 a0 a0 a0 a0',
  );
  expect([...image.sector(18, 1).subarray(0, 2)]).toEqual([0, 0xff]);
});

test('validate frees lost blocks and removes files that were never closed', () => {
  const disk = CommodoreDisk.create('d64', 'T', '01');
  disk.write('GOOD', pattern(1000));
  const { place } = disk.write('SPLAT', pattern(1000));
  disk.map.allocate(1, 0);
  const sector = disk.image.sector(place.track, place.sector);
  sector[place.index * 32 + 2] = 0x02;
  expect(disk.find('SPLAT')?.closed).toBe(false);
  expect(disk.validate()).toBe(1);
  expect(disk.directory().map(({ name }) => name)).toEqual(['GOOD']);
  expect(disk.freeBlocks).toBe(664 - 4);
  expectBytes(disk.read('GOOD'), pattern(1000));
});

test('locked files are not scratched', () => {
  const disk = CommodoreDisk.create('d64', 'T', '01');
  const { place } = disk.write('KEEP', pattern(10));
  disk.image.sector(place.track, place.sector)[place.index * 32 + 2] = 0xc2;
  expect(disk.scratch('*')).toBe(0);
  expect(disk.find('KEEP')?.locked).toBe(true);
});

test('records of a REL file', () => {
  const disk = CommodoreDisk.create('d64', 'T', '01');
  const { place } = disk.write('R', pattern(60));
  const entry = disk.image.sector(place.track, place.sector).subarray(place.index * 32);
  entry[2] = 0x84;
  entry[23] = 20;
  expect(disk.records('R')).toEqual([pattern(60).slice(0, 20), pattern(60).slice(20, 40), pattern(60).slice(40)]);
  expect(disk.find('R', 'REL')?.recordLength).toBe(20);
});

test('error bytes, and chains without an end', () => {
  const plain = CommodoreDisk.create('d64', 'T', '01');
  plain.write('A', pattern(10));
  const disk = new CommodoreDisk(
    new SectorImage(Uint8Array.from([...plain.image.bytes, ...new Uint8Array(683).fill(1)])),
  );
  expectBytes(disk.read('A'), pattern(10));
  const first = 16 * 21;
  disk.image.bytes[174_848 + first] = 5;
  expect(errorOf(() => disk.read('A'))).toBe('20,READ ERROR,17,00');
  plain.image.sector(17, 0).set([17, 0]);
  expect(errorOf(() => plain.read('A'))).toContain('71,DIR ERROR');
});

test('the directory as the program that LOAD"$" gives', () => {
  const disk = CommodoreDisk.create('d64', 'MY DISK', 'AB');
  disk.write('HELLO', pattern(254 * 12));
  disk.write('NOTES', pattern(1), 'SEQ');
  const { text, loadAddress } = detokenise(directoryProgram(disk), 'upper');
  expect(loadAddress).toBe(0x0401);
  expect(text).toBe(
    '0 {rvon}"MY DISK         " AB 2A\n12   "HELLO"            PRG \n1    "NOTES"            SEQ \n651 BLOCKS FREE.             \n',
  );
});

test('any order of writing and scratching keeps map and files in order', () => {
  const step = fc.record({
    name: fc.integer({ min: 0, max: 8 }),
    size: fc.integer({ min: 0, max: 40_000 }),
    scratch: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const disk = CommodoreDisk.create('d64', 'T', '01');
      const files = new Map<string, Uint8Array>();
      for (const { name, size, scratch } of steps) {
        const key = `F${name}`;
        if (scratch) expect(disk.scratch(key)).toBe(files.delete(key) ? 1 : 0);
        else if (errorOf(() => disk.write(key, pattern(size, name), 'PRG', { replace: true })) === 'no error') {
          files.set(key, pattern(size, name));
        }
      }
      const used = disk.directory().reduce((sum, { blocks }) => sum + blocks, 0);
      expect(disk.freeBlocks).toBe(664 - used);
      expect(mapFaults(disk)).toBe(0);
      for (const [key, bytes] of files) expectBytes(disk.read(key), bytes);
    }),
    { numRuns: 25 },
  );
});
