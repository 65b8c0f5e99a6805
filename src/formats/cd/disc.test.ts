import { describe, expect, it } from 'vitest';
import { findVolume, listFolder } from '../iso/iso-volume.ts';
import { isoOf, toneOf } from './cd-testing.ts';
import { CdImageError, parseCueSheet } from './cue-sheet.ts';
import { Disc, discOfCue, discOfData } from './disc.ts';

const source = (bytes: Uint8Array) => ({
  length: bytes.length,
  read: (at: number, length: number) => bytes.subarray(at, at + length),
});

describe('CUE sheets', () => {
  it('places tracks of different sectors in one file, with gaps in it and outside it', () => {
    const sheet = parseCueSheet(`
      CATALOG 0123456789012
      FILE "game.bin" BINARY
        TRACK 01 MODE1/2048
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          PREGAP 00:02:00
          INDEX 01 00:00:10
        TRACK 03 AUDIO
          INDEX 00 00:00:14
          INDEX 01 00:00:16`);
    const bytes = new Uint8Array(10 * 2048 + 10 * 2352);
    bytes.fill(1, 0, 10 * 2048);
    bytes.fill(2, 10 * 2048, 10 * 2048 + 4 * 2352);
    bytes.fill(3, 10 * 2048 + 6 * 2352);
    const disc = discOfCue(sheet, [source(bytes)]);
    expect(disc.tracks.map(({ kind, start, end }) => [kind, start, end])).toEqual([
      ['data', 0, 10],
      ['audio', 160, 164],
      ['audio', 166, 170],
    ]);
    expect([disc.leadOut, disc.catalog]).toEqual([170, '0123456789012']);
    expect([disc.data(9)?.[0], disc.data(10), disc.samples(12)?.[0]]).toEqual([1, undefined, 0]);
    expect([disc.samples(160)?.[0], disc.samples(165)?.[0], disc.samples(169)?.[587]]).toEqual([0x202, 0, 0x303]);
    expect([disc.trackAt(163)?.number, disc.trackAt(166)?.number, disc.data(170)]).toEqual([2, 3, undefined]);
  });

  it('reads WAV files and swapped samples, and data in whole sectors', () => {
    const tone = toneOf(2, 588, 0x1234);
    const wav = Buffer.alloc(44 + tone.length);
    wav.write('RIFF....WAVEfmt ', 'latin1');
    wav.writeUInt32LE(16, 16);
    wav.writeUInt16LE(1, 20);
    wav.writeUInt16LE(2, 22);
    wav.writeUInt32LE(44_100, 24);
    wav.writeUInt16LE(16, 34);
    wav.write('data', 36, 'latin1');
    wav.writeUInt32LE(tone.length, 40);
    wav.set(tone, 44);
    const sheet = parseCueSheet(`FILE a.wav WAVE
      TRACK 01 AUDIO
      INDEX 01 00:00:00
      FILE b.bin MOTOROLA
      TRACK 02 AUDIO
      INDEX 01 00:00:00`);
    const disc = discOfCue(sheet, [source(wav), source(Buffer.from(tone).swap16())]);
    expect([disc.samples(1)?.[0], disc.samples(2)?.[0], disc.leadOut]).toEqual([-0x1234, 0x1234, 4]);
    const raw = new Uint8Array(2352 * 2);
    for (const at of [0, 2352]) raw.set([0, ...new Uint8Array(10).fill(255), 0, 0, 2, 0, 1, at === 0 ? 7 : 8], at);
    expect([1, 0].map((sector) => discOfData(source(raw)).data(sector)?.[0])).toEqual([8, 7]);
  });

  it.each([
    ['FILE x.mp3 MP3', 'type MP3'],
    ['FILE x.bin BINARY\nTRACK 01 CDG', 'mode CDG'],
    ['FILE x.bin BINARY\nTRACK 01 AUDIO', 'no INDEX 01'],
    ['TRACK 01 AUDIO', 'before its FILE'],
    ['FILE x.bin BINARY\nTRACK 01 AUDIO\nINDEX 01 00:61:00', 'cannot be read'],
    ['FILE x.bin BINARY\nTRACK 02 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO', 'out of order'],
    ['REM nothing', 'no track'],
    ['x'.repeat(65_537), 'at most'],
  ])('refuses %.40s', (sheet, why) => {
    expect(() => parseCueSheet(sheet)).toThrow(why);
  });

  it('refuses tracks that lie outside their file, and discs longer than addresses reach', () => {
    const sheet = parseCueSheet('FILE x.bin BINARY\nTRACK 01 AUDIO\nINDEX 01 10:00:00');
    expect(() => discOfCue(sheet, [source(new Uint8Array(2352))])).toThrow('no sectors');
    expect(() => discOfData({ length: 460_000 * 2048, read: () => new Uint8Array() })).toThrow('100 minutes');
    expect(new Disc([], []).data(0)).toBeUndefined();
  });

  it('takes what an image does not give for bad sectors, and nothing else', () => {
    const failing = (error: Error) => {
      const fail = (): never => {
        throw error;
      };
      return discOfData({ length: 4096, read: (at) => (at > 0 ? fail() : new Uint8Array(16)) });
    };
    expect(failing(new CdImageError('EIO')).data(1)).toBeUndefined();
    expect(() => failing(new Error('a mistake')).data(1)).toThrow('a mistake');
  });
});

describe('ISO 9660', () => {
  it('lists folders, and ends where records make no sense', () => {
    const image = isoOf('TITLE', { 'README.TXT': 'hello', DATA: { 'LEVEL.1': 'one' }, 'NODOT.': '' });
    const read = (sector: number) => image.slice(sector * 2048, (sector + 1) * 2048);
    const volume = findVolume(read);
    expect([volume?.label, volume?.copyright]).toEqual(['TITLE', 'COPY.TXT']);
    const root = listFolder(read, volume?.root ?? { sector: 0, size: 0 });
    expect(root.map(({ name, isFolder, size }) => [name, isFolder, size])).toEqual([
      ['DATA', true, 2048],
      ['NODOT', false, 0],
      ['README.TXT', false, 5],
    ]);
    expect(root[2]?.date).toEqual([1993, 5, 17, 12, 30, 20]);
    const second = 18 * 2048 + 34 + 34;
    for (const length of [20, 255]) {
      const broken = image.slice();
      broken[second] = length;
      const bad = (sector: number) => broken.slice(sector * 2048, (sector + 1) * 2048);
      expect(listFolder(bad, { sector: 18, size: 2048 }).length).toBeLessThanOrEqual(1);
    }
    expect(findVolume(() => new Uint8Array(2048))).toBeUndefined();
  });

  it('bounds a folder that claims to be endless', () => {
    const full = isoOf('X', Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`F${index}`, '']))).slice(
      18 * 2048,
      19 * 2048,
    );
    expect(listFolder(() => full, { sector: 1, size: 0xffff_ffff })).toHaveLength(8192);
  });
});
