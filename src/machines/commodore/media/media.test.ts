import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenise } from '../basic/tokenise.ts';
import { cartridgeFields } from './cartridge.ts';
import { cartridgeOf, cartridgeStateWords } from './cartridge-types.ts';
import { CommodoreDisk } from './commodore-disk.ts';
import { type Crt, readCrt } from './crt.ts';
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

interface ChipSpec {
  readonly bank: number;
  readonly address: number;
  readonly fill: number;
  readonly size?: number;
}

function crtFile(hardware: number, exrom: number, game: number, chips: readonly ChipSpec[]): Uint8Array {
  const parts = [new Uint8Array(0x40)];
  const header = parts[0] as Uint8Array;
  header.set(text('C64 CARTRIDGE   '));
  header.set([0, 0, 0, 0x40, 1, 0, 0, hardware, exrom, game], 16);
  header.set(text('TEST'), 0x20);
  for (const { bank, address, fill, size = 0x2000 } of chips) {
    const chip = new Uint8Array(16 + size).fill(fill);
    const view = new DataView(chip.buffer);
    chip.set(text('CHIP'));
    view.setUint32(4, 16 + size);
    view.setUint16(8, 0);
    view.setUint16(10, bank);
    view.setUint16(12, address);
    view.setUint16(14, size);
    parts.push(chip);
  }
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const banks = (count: number, address = 0x8000): ChipSpec[] =>
  Array.from({ length: count }, (_, bank) => ({ bank, address, fill: bank + 1 }));
const plug = (...args: Parameters<typeof crtFile>) => cartridgeOf(readCrt(crtFile(...args)));
/** ROML's and ROMH's first byte and the lines. */
const seen = ({ mapping: { roml, romh, exrom, game } }: ReturnType<typeof plug>) => [roml?.[0], romh?.[0], exrom, game];

describe('CRT', () => {
  test('header and chips', () => {
    const crt: Crt = readCrt(crtFile(5, 0, 0, banks(2)));
    expect(crt).toMatchObject({ name: 'TEST', hardware: 5, hardwareName: 'Ocean', exrom: 0, game: 0 });
    expect(crt.chips.map(({ bank, address, size, type }) => [bank, address, size, type])).toEqual([
      [0, 0x8000, 0x2000, 'rom'],
      [1, 0x8000, 0x2000, 'rom'],
    ]);
    expect(() => readCrt(crtFile(0, 0, 0, banks(1)).subarray(0, 200))).toThrow('cut short');
    expect(() => plug(60, 0, 0, banks(1))).toThrow('GMod2');
  });
  test('normal: 8K, 16K, Ultimax', () => {
    expect(seen(plug(0, 0, 1, banks(1)))).toEqual([1, undefined, 0, 1]);
    expect(seen(plug(0, 0, 0, [{ bank: 0, address: 0x8000, fill: 7, size: 0x4000 }]))).toEqual([7, 7, 0, 0]);
    expect(seen(plug(0, 1, 0, [{ bank: 0, address: 0xe000, fill: 9 }]))).toEqual([undefined, 9, 1, 0]);
  });
  test('Ocean', () => {
    const cartridge = plug(5, 0, 0, banks(16));
    expect(seen(cartridge)).toEqual([1, 1, 0, 0]);
    expect(cartridge.write(0xde00, 0x85)).toBe(true);
    expect(seen(cartridge)).toEqual([6, 6, 0, 0]);
  });
  test('Magic Desk', () => {
    const cartridge = plug(19, 0, 1, banks(8));
    cartridge.write(0xde00, 3);
    expect(seen(cartridge)).toEqual([4, undefined, 0, 1]);
    cartridge.write(0xde00, 0x80);
    expect(seen(cartridge).slice(2)).toEqual([1, 1]);
  });
  test('Action Replay: banks, RAM, freeze, off until reset', () => {
    const cartridge = plug(1, 0, 1, banks(4));
    expect(seen(cartridge)).toEqual([1, 1, 0, 1]);
    cartridge.write(0xde00, 0x08 | 0x01);
    expect(seen(cartridge)).toEqual([2, 2, 0, 0]);
    expect(cartridge.read(0xdf05)).toBe(2);
    cartridge.write(0xde00, 0x20);
    cartridge.writeLow(0x1f05, 0x77);
    expect(cartridge.read(0xdf05)).toBe(0x77);
    cartridge.write(0xdf06, 0x66);
    expect(cartridge.mapping.roml?.[0x1f06]).toBe(0x66);
    expect(cartridge.freeze()).toBe(true);
    expect(seen(cartridge).slice(2)).toEqual([1, 0]);
    cartridge.write(0xde00, 4);
    expect(seen(cartridge).slice(2)).toEqual([1, 1]);
    expect(cartridge.write(0xde00, 0)).toBe(false);
    cartridge.reset();
    expect(seen(cartridge)).toEqual([1, 1, 0, 1]);
  });
  test('EasyFlash: boot in Ultimax mode, banks, modes, RAM', () => {
    const chips = [...banks(4), ...banks(4, 0xa000).map((chip) => ({ ...chip, fill: chip.fill + 100 }))];
    const cartridge = plug(32, 1, 0, chips);
    expect(seen(cartridge)).toEqual([1, 101, 1, 0]);
    cartridge.write(0xde00, 2);
    const modes = [4, 5, 6, 7].map((mode) => {
      cartridge.write(0xde02, mode);
      return seen(cartridge).slice(2);
    });
    expect(modes).toEqual([
      [1, 1],
      [1, 0],
      [0, 1],
      [0, 0],
    ]);
    expect(seen(cartridge).slice(0, 2)).toEqual([3, 103]);
    cartridge.write(0xdf10, 0x55);
    expect(cartridge.read(0xdf10)).toBe(0x55);
  });
  test('Game System, Dinamic, Simons BASIC, Final Cartridge III', () => {
    const system3 = plug(15, 0, 1, banks(64));
    system3.write(0xde07, 0);
    expect(seen(system3)[0]).toBe(8);
    system3.read(0xde00);
    expect(seen(system3)[0]).toBe(1);
    const dinamic = plug(17, 0, 1, banks(16));
    dinamic.read(0xde05);
    expect(seen(dinamic)[0]).toBe(6);
    const simons = plug(4, 0, 0, [{ bank: 0, address: 0x8000, fill: 7, size: 0x4000 }]);
    simons.write(0xde00, 1);
    expect(seen(simons)).toEqual([7, 7, 0, 0]);
    simons.read(0xde00);
    expect(seen(simons).slice(2)).toEqual([0, 1]);
    const final = plug(
      3,
      1,
      1,
      Array.from({ length: 4 }, (_, bank) => ({ bank, address: 0x8000, fill: bank + 1, size: 0x4000 })),
    );
    final.write(0xdfff, 0x42);
    expect(seen(final)).toEqual([3, 3, 0, 0]);
    expect(final.read(0xde00)).toBe(3);
    final.write(0xdfff, 0xf0);
    expect(final.write(0xdfff, 0x42)).toBe(false);
    expect(seen(final).slice(2)).toEqual([1, 1]);
  });
  test('all that changes is in the state: a copy goes on the same way', () => {
    const crt = readCrt(crtFile(1, 0, 1, banks(4)));
    const one = cartridgeOf(crt);
    one.write(0xde00, 0x30);
    one.writeLow(5, 99);
    const two = cartridgeOf(crt, new Int32Array(cartridgeStateWords(crt)));
    two.state.set(one.state);
    expect(two.mapping).toEqual(one.mapping);
    expect(two.state[cartridgeFields.bank]).toBe(2);
    for (const cartridge of [one, two]) cartridge.write(0xde00, 0x09);
    expect(two.mapping).toEqual(one.mapping);
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
