import { expect, test } from 'vitest';
import { readCoreFile } from './core-file.ts';
import { CoreMemory } from './core-memory.ts';
import { buildCore, bytesAsFile } from './core-testing.ts';

const low = Buffer.from('low memory: ');
const next = Buffer.from('goes on here');
const memory = [
  [0x100cn, next],
  [0x1000n, low],
  [0x10_0000_0000n, Buffer.alloc(40_000, 7)],
] as const;

test.each([true, false])('segments and notes of a file (64 bits: %s)', async (wide) => {
  const notes = [['CORE', 1, Buffer.alloc(336, 1)] as const, ['QEMU', 0, Buffer.alloc(7, 2)] as const];
  const file = bytesAsFile(buildCore({ machine: 62, wide, notes, memory: memory.slice(0, wide ? 3 : 2) }));
  const core = await readCoreFile(file);
  expect(core).toMatchObject({ machine: 62, wide, end: file.size });
  expect(core.notes.map(({ owner, type, bytes }) => [owner, type, bytes.length])).toEqual([
    ['CORE', 1, 336],
    ['QEMU', 0, 7],
  ]);
  const held = new CoreMemory(file, core.segments);
  // Across the border of two segments that touch each other, and not into what is not there.
  expect(Buffer.from((await held.read(0x1004n, 16)) ?? []).toString()).toBe('memory: goes on ');
  expect(await held.read(0x1010n, 9)).toBeUndefined();
  expect(await held.read(0xfffn, 1)).toBeUndefined();
  expect(held.held(0x1001n, 100)).toBe(23);
  if (wide) expect(await held.read(0x10_0000_0000n, 40_000)).toEqual(new Uint8Array(40_000).fill(7));
});

test('a large piece comes in parts, and what is read twice comes once', async () => {
  const bytes = Buffer.alloc(1_000_000);
  for (let n = 0; n < bytes.length; n += 4) bytes.writeUInt32LE(n, n);
  const whole = bytesAsFile(buildCore({ machine: 62, wide: true, memory: [[0n, bytes]] }));
  const lengths: number[] = [];
  const file = {
    size: whole.size,
    read: (at: number, length: number) => {
      lengths.push(length);
      return whole.read(at, length);
    },
  };
  const held = new CoreMemory(file, (await readCoreFile(file)).segments);
  lengths.length = 0;
  expect(Buffer.from((await held.read(3n, 999_990)) ?? []).equals(bytes.subarray(3, 999_993))).toBe(true);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(256 * 1024);
  const before = lengths.length;
  await held.read(40_000n, 8);
  await held.read(40_008n, 8);
  expect(lengths.length).toBeLessThanOrEqual(before + 1);
});

const good = () => buildCore({ machine: 62, wide: true, notes: [['CORE', 1, Buffer.alloc(16)]], memory: [...memory] });
const damaged: readonly (readonly [what: string, change: (file: Buffer) => Buffer, message: RegExp])[] = [
  ['not an ELF file', (file) => file.fill(0, 0, 4), /not an ELF file/],
  ['a few bytes', (file) => file.subarray(0, 20), /not an ELF file/],
  ['a program', (file) => file.fill(2, 16, 17), /no core file/],
  ['of a big-endian processor', (file) => file.fill(2, 5, 6), /big-endian/],
  ['cut off in memory', (file) => file.subarray(0, -1), /cut off/],
  ['cut off in its headers', (file) => file.subarray(0, 100), /cut off/],
  ['65,534 headers', (file) => file.fill(0xfe, 56, 57).fill(0xff, 57, 58), /65534 program headers/],
  ['headers of another size', (file) => file.fill(1, 54, 55), /program headers have 1 bytes/],
  ['two contents of one place', (file) => file.fill(4, 64 + 56 + 24, 64 + 56 + 25), /two contents/],
  ['memory at the last address', (file) => file.fill(0xff, 64 + 56 + 24, 64 + 56 + 32), /beyond the last address/],
  ['a segment of all bytes there are', (file) => file.fill(0xff, 64 + 56 + 32, 64 + 56 + 40), /cut off/],
  [
    'a note longer than the notes',
    (file) => file.fill(0xff, 64 + 4 * 56 + 4, 64 + 4 * 56 + 8),
    /longer than the notes/,
  ],
  ['without memory', () => buildCore({ machine: 62, wide: true, memory: [] }), /no memory/],
];

test.each(damaged)('%s is refused', async (_, change, message) => {
  await expect(readCoreFile(bytesAsFile(change(good())))).rejects.toThrow(message);
  await expect(readCoreFile(bytesAsFile(change(good())))).rejects.toThrow(RangeError);
});

test('one place twice is no contradiction where it is the same bytes', async () => {
  const file = good();
  // The second header says what the third does.
  file.copy(file, 64 + 56, 64 + 2 * 56, 64 + 3 * 56);
  expect((await readCoreFile(bytesAsFile(file))).segments).toHaveLength(2);
});
