import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenise } from '../basic/tokenise.ts';
import { CommodoreDisk } from './commodore-disk.ts';
import { type Crt, readCrt } from './crt.ts';
import { banks, crtFile } from './crt-testing.ts';
import { detectMedia } from './detect-media.ts';
import { readG64, sectorsOfG64, writeG64 } from './g64.ts';
import { decodeGcr, decodeTrack, encodeGcr, encodeTrack, sectorOnTrack } from './gcr.ts';
import { readP00, writeP00 } from './p00.ts';
import { readPrg, sysAddress, writePrg } from './prg.ts';
import { SectorImage } from './sector-image.ts';
import { readT64 } from './t64.ts';
import { pulses, readTap } from './tap.ts';

const text = (value: string, length = value.length) =>
  Uint8Array.from({ length }, (_, index) => value.charCodeAt(index) || 0);

test('PRG and the address it is started at', () => {
  const file = writePrg({ address: 0xc000, bytes: Uint8Array.of(1, 2) });
  expect([...file]).toEqual([0, 0xc0, 1, 2]);
  expect(readPrg(file)).toEqual({ address: 0xc000, bytes: Uint8Array.of(1, 2) });
  expect(sysAddress(readPrg(tokenise('10 rem\n20 sys 2061').bytes))).toBe(2061);
  expect(sysAddress(readPrg(tokenise('10 sys(4096)').bytes))).toBe(4096);
  expect(sysAddress(readPrg(tokenise('10 print').bytes))).toBeUndefined();
  expect(() => readPrg(Uint8Array.of(1))).toThrow();
});

test('P00', () => {
  const file = writeP00({ name: 'HELLO', recordLength: 0, bytes: Uint8Array.of(1, 8, 5) });
  expect(readP00(file)).toEqual({ name: 'HELLO', recordLength: 0, bytes: Uint8Array.of(1, 8, 5) });
  expect(() => readP00(new Uint8Array(30))).toThrow('P00');
});

describe('T64', () => {
  function archive(end: number): Uint8Array {
    const file = new Uint8Array(64 + 2 * 32 + 30);
    file.set(text('C64 tape image file'));
    file.set([0, 1, 2, 0, 2, 0], 0x20);
    file.set(
      text('DEMO TAPE', 24).map((code) => code || 0x20),
      0x28,
    );
    const view = new DataView(file.buffer);
    for (const [index, [name, from, to, offset]] of (
      [
        ['FIRST', 0x0801, end, 128],
        ['SECOND', 0x1000, 0x1014, 138],
      ] as const
    ).entries()) {
      const at = 64 + index * 32;
      file.set([1, 0x82], at);
      view.setUint16(at + 2, from, true);
      view.setUint16(at + 4, to, true);
      view.setUint32(at + 8, offset, true);
      file.set(
        text(name, 16).map((code) => code || 0x20),
        at + 16,
      );
    }
    file.fill(1, 128, 138).fill(2, 138);
    return file;
  }
  test('files with their names and places', () => {
    const { name, files } = readT64(archive(0x080b));
    expect(name).toBe('DEMO TAPE');
    expect(files.map((file) => [file.name, file.address, file.bytes.length, file.repaired])).toEqual([
      ['FIRST', 0x0801, 10, false],
      ['SECOND', 0x1000, 20, false],
    ]);
  });
  test('a wrong end address is corrected by the room there is', () => {
    const { files } = readT64(archive(0xc3c6));
    expect(files[0]).toMatchObject({ repaired: true, bytes: new Uint8Array(10).fill(1) });
  });
});

test('TAP pulses of both versions', () => {
  const tap = (version: number) => {
    const file = new Uint8Array(20 + 6);
    file.set(text('C64-TAPE-RAW'));
    file.set([version, 0, 1, 0, 6], 12);
    file.set([0x30, 0x00, 0x10, 0x27, 0x00, 0x42], 20);
    return readTap(file);
  };
  expect([...pulses(tap(1))]).toEqual([0x180, 10_000, 0x210]);
  expect([...pulses(tap(0))]).toEqual([0x180, 20_000, 0x80, 0x138, 20_000, 0x210]);
  expect(tap(1)).toMatchObject({ version: 1, platform: 'c64', video: 'ntsc' });
});

describe('GCR', () => {
  test('any bytes go there and back, at any bit of a track', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 0, max: 300 }), (bytes, shift) => {
        const code = encodeGcr(bytes);
        const track = new Uint8Array(100);
        for (let bit = 0; bit < code.length * 8; bit++) {
          const at = (bit + shift) % 800;
          const value = ((code[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
          track[at >> 3] = (track[at >> 3] ?? 0) | (value << (7 - (at & 7)));
        }
        expect(decodeGcr(track, shift, bytes.length)).toEqual(bytes);
      }),
    );
  });
  test('four known bytes', () => expect([...encodeGcr([8, 0, 1, 18])]).toEqual([0x52, 0x54, 0xa5, 0x2d, 0x72]));
  test('a disk goes to G64 and back', () => {
    const disk = CommodoreDisk.create('d64', 'GCR', 'ID');
    disk.write(
      'A',
      Uint8Array.from({ length: 30_000 }, (_, index) => (index * index) & 255),
    );
    const file = writeG64(disk.image);
    expect(detectMedia(file)).toBe('g64');
    const g64 = readG64(file);
    expect(g64.tracks.map(({ zone }) => zone)).toEqual([
      ...new Array(17).fill(3),
      ...new Array(7).fill(2),
      ...new Array(6).fill(1),
      ...new Array(5).fill(0),
    ]);
    const copy = SectorImage.blank(disk.image.geometry);
    expect(sectorsOfG64(g64, copy)).toEqual([]);
    expect(Buffer.compare(copy.bytes, disk.image.bytes)).toBe(0);
  });
  test('sectors are found by their marks, and damage is noticed', () => {
    const { image } = CommodoreDisk.create('d64', 'GCR', 'ID');
    const track = encodeTrack(image, 18);
    const sectors = decodeTrack(track);
    expect(sectors.map(({ sector }) => sector).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 19 }, (_, index) => index),
    );
    expect(
      sectors.every(({ headerOk, dataOk, track: number, id }) => headerOk && dataOk && number === 18 && id[0] === 0x49),
    ).toBe(true);
    expect(sectorOnTrack(track, 18, 0)).toEqual(image.sector(18, 0));
    track[60] = (track[60] ?? 0) ^ 0x10;
    expect(() => sectorOnTrack(track, 18, 0)).toThrow('20,READ ERROR,18,00');
    expect(decodeTrack(new Uint8Array(100).fill(0xff))).toEqual([]);
  });
});

describe('CRT', () => {
  test('header and chips', () => {
    const crt: Crt = readCrt(crtFile(5, 0, 0, banks(2)));
    expect(crt).toMatchObject({ name: 'TEST', hardware: 5, hardwareName: 'Ocean', exrom: 0, game: 0 });
    expect(crt.chips.map(({ bank, address, size, type }) => [bank, address, size, type])).toEqual([
      [0, 0x8000, 0x2000, 'rom'],
      [1, 0x8000, 0x2000, 'rom'],
    ]);
    expect(() => readCrt(crtFile(0, 0, 0, banks(1)).subarray(0, 200))).toThrow('cut short');
  });
});

test('what a file is', () => {
  expect(detectMedia(crtFile(0, 0, 1, banks(1)), 'x.bin')).toBe('crt');
  expect(detectMedia(new Uint8Array(174_848), 'x.d64')).toBe('d64');
  expect(detectMedia(new Uint8Array(351_062))).toBe('d71');
  expect(detectMedia(new Uint8Array(819_200))).toBe('d81');
  expect(detectMedia(Uint8Array.of(1, 8, 0, 0), 'x.prg')).toBe('prg');
  expect(detectMedia(writeP00({ name: 'A', recordLength: 0, bytes: Uint8Array.of(1, 8) }))).toBe('p00');
  expect(detectMedia(text('C64-TAPE-RAW', 30))).toBe('tap');
  expect(detectMedia(text('C64S tape file', 100))).toBe('t64');
  expect(detectMedia(new Uint8Array(300_000), 'x.txt')).toBeUndefined();
});
