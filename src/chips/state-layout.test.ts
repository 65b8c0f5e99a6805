import { expect, test } from 'vitest';
import { layOutState } from './state-layout.ts';

const layout = layOutState({
  cpu: { words: 3, fields: { pc: 0, pair: 1 }, lengths: { pair: 2 } },
  volume: { doubles: ['left', 'right'] },
  ram: { bytes: 5 },
  last: { words: 1, fields: { only: 0 } },
});

test('parts lie one after the other, each at a multiple of 8 bytes', () => {
  expect(layout.offsets).toEqual({ cpu: 0, volume: 16, ram: 32, last: 40 });
  expect(layout.byteLength).toBe(48);
  expect(layout.fields).toEqual([
    { name: 'cpu.pc', offset: 0, width: 4, length: 1 },
    { name: 'cpu.pair', offset: 4, width: 4, length: 2 },
    { name: 'volume.left', offset: 16, width: 8, length: 1 },
    { name: 'volume.right', offset: 24, width: 8, length: 1 },
    { name: 'ram', offset: 32, width: 1, length: 5 },
    { name: 'last.only', offset: 40, width: 4, length: 1 },
  ]);
});

test('every part sees its own bytes of the buffer, and no others', () => {
  const bytes = new Uint8Array(layout.byteLength);
  const { cpu, volume, ram, last } = layout.views(bytes.buffer);
  cpu.fill(-1);
  volume.fill(Number.NaN);
  ram.fill(0x55);
  last.fill(1);
  expect([cpu, volume, ram, last].map(({ length }) => length)).toEqual([3, 2, 5, 1]);
  expect([...bytes.subarray(8, 16)]).toEqual([255, 255, 255, 255, 0, 0, 0, 0]);
  expect([...bytes.subarray(32, 48)]).toEqual([...Array(5).fill(0x55), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
});
