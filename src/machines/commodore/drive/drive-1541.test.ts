import { describe, expect, test } from 'vitest';
import { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import { readG64, writeG64 } from '../../../formats/commodore/media/g64.ts';
import { decodeGcr } from '../../../formats/commodore/media/gcr.ts';
import { SectorImage } from '../../../formats/commodore/media/sector-image.ts';
import { DriveBench, disk, motor, zone } from './drive-1541-testing.ts';

/** The blocks that pass under the head, decoded: headers and data. */
function blocksRead(bench: DriveBench, bits: number, count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => {
    // At another place of the track each time.
    bench.run(index * 173);
    bench.call(1, bits);
    const bytes = bench.bytes(0x300, 256);
    const start = decodeGcr(bytes, 0, 8) ?? new Uint8Array();
    return start[0] === 7 ? (decodeGcr(bytes, 0, 200) ?? start) : start;
  });
}

describe('the head of a 1541', () => {
  test('reads headers and data of the track it stands at', () => {
    const bench = new DriveBench();
    const { image } = disk();
    bench.drives.attach(8, image.bytes);
    bench.run(500_000);
    bench.call(3, motor | 1);
    const blocks = blocksRead(bench, motor | zone(2) | 2, 40);
    const headers = blocks.filter(([mark]) => mark === 8);
    const data = blocks.filter(([mark]) => mark === 7);
    expect(headers.length).toBeGreaterThan(0);
    expect(data.length).toBeGreaterThan(0);
    for (const [, sum = 0, sector = 0, track = 0, id2 = 0, id1 = 0] of headers) {
      expect([track, sum ^ sector ^ track ^ id2 ^ id1, id1, id2]).toEqual([18, 0, 0x46, 0x50]);
    }
    const sectors = Array.from({ length: 19 }, (_, sector) => String(image.sector(18, sector).subarray(0, 190)));
    for (const block of data) expect(sectors).toContain(String(block.subarray(1, 191)));
  });

  test('follows the coils, half a track each', () => {
    const bench = new DriveBench();
    bench.drives.attach(8, disk().image.bytes);
    bench.run(500_000);
    const trackHere = (bits: number) => blocksRead(bench, bits, 6).find(([mark]) => mark === 8)?.[3];
    bench.call(3, motor | 1);
    bench.call(3, motor | 2);
    expect(trackHere(motor | zone(2) | 2)).toBe(18);
    for (const coil of [1, 0, 3]) bench.call(3, motor | coil);
    expect(trackHere(motor | zone(3) | 2)).toBe(16);
    // The stop at track 1: going on outwards changes nothing.
    for (let steps = 0; steps < 50; steps++) bench.call(3, motor | ((1 - steps) & 3));
    for (const coil of [3, 2, 1, 0]) bench.call(3, motor | coil);
    expect(trackHere(motor | zone(3))).toBe(1);
  });

  test('does not follow coils that change faster than it can move, and reads nothing while it swings', () => {
    const bench = new DriveBench();
    bench.drives.attach(8, disk().image.bytes);
    bench.run(500_000);
    bench.call(3, motor | 1);
    bench.call(3, motor | 2);
    const step = (coil: number, cycles: number) => {
      bench.drives.poke(8, 1, motor | zone(2) | coil);
      bench.drives.poke(8, 0, 3);
      bench.run(cycles);
    };
    const [drive] = bench.drives.real;
    for (const coil of [1, 0, 3, 2]) step(coil, 500);
    expect(drive?.track).toBe(18);
    const syncsIn = (cycles: number) => {
      let count = 0;
      for (let at = 0; at < cycles; at += 20) {
        bench.run(20);
        if ((bench.drives.peek(8, 0x1c00) & 0x80) === 0) count += 1;
      }
      return count;
    };
    expect(syncsIn(8000)).toBe(0);
    bench.run(2000);
    expect(syncsIn(200_000)).toBeGreaterThan(100);
    expect(drive?.track).toBe(18);
    for (const coil of [1, 0, 3, 2]) step(coil, 1000);
    expect(drive?.track).toBe(16);
  });

  test('writes what it is given, and only while nothing protects the disk', () => {
    const bench = new DriveBench();
    const file = writeG64(disk().image);
    bench.drives.attach(8, file);
    bench.run(500_000);
    const pattern = Uint8Array.from({ length: 200 }, (_, at) => [0xa5, 0x5a, 0x99][at % 3] ?? 0);
    for (const [index, byte] of pattern.entries()) bench.drives.poke(8, 0x400 + index, byte);
    bench.call(1, motor | zone(3));
    bench.call(2, motor | zone(3));
    const before = bench.drives.image(8) ?? new Uint8Array();
    const track = readG64(before).tracks.find(({ halfTrack }) => halfTrack === 34)?.bytes ?? new Uint8Array();
    expect(bitsOf(track)).toContain(bitsOf(pattern.subarray(5, 190)));
    expect(before.length).toBe(file.length);
    bench.drives.attach(8, file, { readOnly: true });
    bench.run(500_000);
    bench.call(2, motor | zone(2));
    expect(Buffer.compare(bench.drives.image(8) ?? new Uint8Array(), file)).toBe(0);
  });

  test('a sector that a drive wrote is in the D64 again', () => {
    const one = disk();
    const bench = new DriveBench();
    bench.drives.attach(8, one.image.bytes);
    expect(Buffer.compare(bench.drives.image(8) ?? new Uint8Array(), one.image.bytes)).toBe(0);
    expect(new CommodoreDisk(new SectorImage(bench.drives.image(8) ?? new Uint8Array())).validate()).toBe(0);
  });
});

describe('the serial bus of a 1541', () => {
  test('attention pulls data at once, until it is answered by the processor', () => {
    const bench = new DriveBench();
    bench.drives.connect(8);
    bench.run(1000);
    expect(bench.lines).toEqual({ clock: true, data: true });
    bench.pull({ attention: false });
    expect(bench.lines.data).toBe(false);
    bench.run(100);
    // The routine has set ATNA, seen ATN, and counted one interrupt.
    expect(bench.lines).toEqual({ clock: true, data: true });
    expect(bench.drives.peek(8, 0x20)).toBe(1);
    expect(bench.drives.peek(8, 0x21) & 0x80).toBe(0x80);
    bench.pull({});
    expect(bench.lines.data).toBe(false);
  });

  test('one that gets a disk has passed its self-test and answers at once; one without begins it', () => {
    const bench = new DriveBench();
    bench.drives.attach(9, CommodoreDisk.create('d64', 'NINE', 'FP').image.bytes);
    bench.drives.connect(10);
    const passes = (unit: 9 | 10) => bench.drives.peek(unit, 0x11) + 256 * bench.drives.peek(unit, 0x12);
    expect(passes(9)).toBeGreaterThan(100);
    expect(passes(10)).toBe(0);
    bench.pull({ attention: false });
    bench.run(100);
    expect(bench.drives.peek(9, 0x20)).toBe(1);
    expect(bench.drives.peek(10, 0x20)).toBe(0);
  });

  test('each drive has its number, and they share the lines', () => {
    const bench = new DriveBench();
    for (const unit of [8, 9, 10, 11] as const) bench.drives.connect(unit);
    bench.run(1000);
    bench.pull({ attention: false, clock: false });
    bench.run(200);
    const seen = ([8, 9, 10, 11] as const).map((unit) => bench.drives.peek(unit, 0x21));
    expect(seen.map((byte) => (byte >> 5) & 3)).toEqual([0, 1, 2, 3]);
    expect(seen.map((byte) => byte & 0x84)).toEqual(new Array(4).fill(0x84));
  });
});

function bitsOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
}
