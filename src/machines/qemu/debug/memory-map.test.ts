import { expect, test } from 'vitest';
import { MemoryMap } from './memory-map.ts';

const said = `FlatView #0
 AS "I/O", root: io
 Root memory region: io
  0000000000000000-000000000000ffff (prio 0, ram): not memory of the processors

FlatView #1
 AS "memory", root: system
 AS "cpu-memory-0", root: system
 Root memory region: system
  0000000000000000-000000000009ffff (prio 0, ram): pc.ram
  00000000000a0000-00000000000bffff (prio 1, i/o): vga-lowmem
  00000000000c0000-00000000000cafff (prio 0, rom): pc.ram @00000000000c0000
  00000000000cb000-00000000000effff (prio 0, ram): pc.ram @00000000000cb000
  00000000000f0000-00000000000fffff (prio 0, romd): flash
  00000000fe000000-00000000fe0fffff (prio 1, ramd): of a real device
  0000000100000000-00000001ffffffff (prio 0, nv-ram): nvdimm

FlatView #2
 AS "cpu-memory-1", root: container
  0000000020000000-000000002000ffff (prio 0, ram): its own

`;

test.each<[string, bigint, number, boolean]>([
  ['RAM', 0n, 0xa0000, true],
  ['up to a device', 0x9fffen, 3, false],
  ['a device', 0xa0000n, 1, false],
  ['over a border from ROM to RAM and to flash', 0xc0000n, 0x40000, true],
  ['after it', 0xfffffn, 2, false],
  ['the memory of a device', 0xfe000000n, 1, false],
  ['non-volatile memory', 0x100000000n, 4096, true],
  ['nothing', 0x200000000n, 1, false],
])('%s', (_what, address, length, isMemory) => {
  expect(MemoryMap.parse(said, 'memory').holds(address, length)).toBe(isMemory);
});

test('a processor may have a space of its own', () => {
  const holds = (space: string) => MemoryMap.parse(said, space, 'memory').holds(0x2000_0000n, 4);
  expect([holds('cpu-memory-1'), holds('cpu-memory-0'), holds('cpu-memory-7')]).toEqual([true, false, false]);
});

test('where QEMU does not tell, that is said', () => {
  expect(() => MemoryMap.parse('unknown command: info mtree', 'memory')).toThrow(/does not report where memory is/);
});
