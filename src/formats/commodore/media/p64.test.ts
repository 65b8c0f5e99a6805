import { expect, test } from 'vitest';
import { CommodoreDisk } from './commodore-disk.ts';
import { detectMedia } from './detect-media.ts';
import { readG64, sectorsOfG64, writeG64 } from './g64.ts';
import { g64OfP64 } from './p64.ts';
import { p64Of, pulsesOf } from './p64-testing.ts';

function converted(file: Uint8Array): ReturnType<typeof readG64> {
  const steps = g64OfP64(file);
  for (;;) {
    const step = steps.next();
    if (step.done) return readG64(step.value);
  }
}

const disk = CommodoreDisk.create('d64');
disk.image.bytes.forEach((_, index, all) => {
  all[index] = (index * 7 + (index >> 8)) & 0xff;
});
const { tracks } = readG64(writeG64(disk.image));
const some = tracks.filter(({ halfTrack }) => [2, 36, 50, 70].includes(halfTrack));
const zoneOf = (zone: number | Uint8Array) => (typeof zone === 'number' ? zone : 0);
const file = p64Of(new Map(some.map(({ halfTrack, bytes, zone }) => [halfTrack, pulsesOf(bytes, zoneOf(zone))])));

test('a P64 has the bits that its pulses stand for, in all four zones', () => {
  expect(detectMedia(file, 'a.p64')).toBe('p64');
  const found = converted(file);
  expect(found.tracks.map(({ halfTrack, zone }) => [halfTrack, zone])).toEqual(
    some.map(({ halfTrack, zone }) => [halfTrack, zone]),
  );
  for (const [index, { bytes }] of found.tracks.entries()) {
    expect(Buffer.compare(bytes, some[index]?.bytes ?? new Uint8Array())).toBe(0);
  }
});

test('its sectors are those of the disk', () => {
  const copy = CommodoreDisk.create('d64');
  const missing = sectorsOfG64(converted(file), copy.image);
  expect(missing.some(({ track }) => [1, 18, 25, 35].includes(track))).toBe(false);
  for (const track of [1, 18, 25, 35]) {
    expect(Buffer.compare(copy.image.sector(track, 3), disk.image.sector(track, 3))).toBe(0);
  }
});

test('pulses that are hardly there are none, and what comes a little early or late is the same bit', () => {
  const cell = 52;
  const pulses = Array.from({ length: 1000 }, (_, index) => ({
    position: index * 2 * cell + (index % 3) * 8,
    strength: 0xffff_ffff,
  }));
  const weak = pulses.map(({ position }) => ({ position: position + cell, strength: 0x1000_0000 }));
  const both = [...pulses, ...weak].sort((one, other) => one.position - other.position);
  const [track] = converted(p64Of(new Map([[2, both]]))).tracks;
  expect([...(track?.bytes.subarray(0, 200) ?? [])].every((byte) => byte === 0xaa)).toBe(true);
});

test.each([
  ['no signature', file.slice(1), 'signature'],
  ['cut short', file.subarray(0, file.length - 9), 'cut short'],
  ['one bit changed', file.map((byte, index) => (index === 5000 ? byte ^ 1 : byte)), 'checksum'],
  ['more pulses than fit', p64Of(new Map([[2, pulsesOf(new Uint8Array(20_000).fill(255), 3)]])), 'pulses'],
  [
    'a pulse after the end of the turn',
    p64Of(new Map([[2, [{ position: 3_300_000, strength: 0xffff_ffff }]]])),
    'longer than a turn',
  ],
])('refused: %s', (_, bytes, why) => {
  expect(() => converted(bytes)).toThrow(why);
});
