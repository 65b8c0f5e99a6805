import { expect, test } from 'vitest';
import { dwords, endOf, pagedBench, protectedBench, task32 } from './protected-testing.ts';
import { fields } from './registers.ts';

const other = 0x23000;

/** Calls a task at selector 40 from 100; it begins at 500 with `bytes`. */
function taskBench(bytes: string, changes: readonly (readonly [at: number, value: number])[] = []) {
  const bench = protectedBench('9a00004000 f4');
  bench.descriptor(0x40, other, 0x67, task32);
  bench.put(0x500, bytes);
  const start = [0x20, 0x500, 0x24, 2, 0x38, 0xa000, 0x48, 0x10, 0x4c, 8, 0x50, 0x10, 0x54, 0x10];
  const view = new DataView(bench.ram.buffer, bench.ram.byteOffset + other);
  for (let n = 0; n < start.length; n += 2) view.setUint32(start[n] as number, start[n + 1] as number, true);
  for (const [at, value] of changes) view.setUint32(at, value, true);
  return bench;
}

test('a task whose trap bit is set begins with a debug trap, and breakpoints of the old one are gone', () => {
  const bench = taskBench('f4', [[0x64, 1]]);
  bench.state[fields.dr7] = 0x3;
  expect(endOf(bench)).toBe(1);
  expect([bench.cpu.get('dr6') & 0xe000, bench.state[fields.dr7]]).toEqual([0x8000, 2]);
  expect(dwords(bench, 2)).toEqual([0x500, 8]);
});

test('a segment that a task must not have is a fault in that task', () => {
  const bench = taskBench('f4', [[0x54, 0x78]]);
  expect(endOf(bench)).toBe(10);
  expect(dwords(bench, 3)).toEqual([0x78, 0x500, 8]);
});

test('breakpoints of the debug registers are about linear addresses', () => {
  // Linear 18000 lies at 60000: mov [es:18000],al; mov al,[es:60000]; hlt
  const bench = pagedBench('2667a200800100 2667a000000600 f4', Number.POSITIVE_INFINITY);
  bench.cpu.set('esp', 0x7000);
  bench.state[fields.dr0] = 0x18000;
  bench.state[fields.dr7] = 0x30001;
  expect(endOf(bench)).toBe(1);
  expect(dwords(bench, 1)).toEqual([0x107]);
});
