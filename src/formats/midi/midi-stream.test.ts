import { expect, test } from 'vitest';
import { MidiStream, midiHeader, variableLength } from './midi-stream.ts';

function track(bytes: readonly (readonly [byte: number, seconds: number])[]): number[][] {
  const events: number[][] = [];
  const stream = new MidiStream((event) => events.push([...event]));
  for (const [byte, seconds] of bytes) stream.add(byte, seconds);
  return events;
}

const at = (seconds: number, ...bytes: number[]) => bytes.map((byte) => [byte, seconds] as const);

test('notes have their times, with running status and clock bytes in between', () => {
  expect(track([...at(0, 0x90, 60, 100), ...at(0.5, 0xf8, 64, 0xfe, 90), ...at(1, 0xc1, 5), ...at(1, 6)])).toEqual([
    [0, 0x90, 60, 100],
    [0x87, 0x40, 0x90, 64, 90],
    [0x87, 0x40, 0xc1, 5],
    [0, 0xc1, 6],
  ]);
});

test('exclusive messages are kept whole, other system messages and data of nothing are left out', () => {
  expect(track([...at(0, 1, 2, 0xf0, 0x41, 0x10, 0xf7), ...at(0, 0xf2, 1, 2, 0x80, 1), ...at(0, 0x81, 1, 2)])).toEqual([
    [0, 0xf0, 3, 0x41, 0x10, 0xf7],
    [0, 0x81, 1, 2],
  ]);
  const endless = [...at(0, 0xf0), ...Array.from({ length: 70_000 }, () => [1, 0] as const), ...at(0, 0xf7)];
  expect(track(endless)).toEqual([]);
});

test('time that went back counts as the last', () => {
  expect(track([...at(2, 0x90, 1, 1), ...at(1, 0x90, 2, 2)]).at(-1)).toEqual([0, 0x90, 2, 2]);
});

test('numbers and the header are as the format has them', () => {
  expect([0, 0x7f, 0x80, 0x3fff, 0x1fffff].map(variableLength)).toEqual([
    [0],
    [0x7f],
    [0x81, 0],
    [0xff, 0x7f],
    [0xff, 0xff, 0x7f],
  ]);
  expect(Buffer.from(midiHeader(0x1234)).toString('hex')).toBe('4d546864000000060000000103c04d54726b00001234');
});
