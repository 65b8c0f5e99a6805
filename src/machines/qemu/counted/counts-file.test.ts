import { mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { endianness, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CountsFile } from './counts-file.ts';

const isLittle = endianness() === 'LE';

/** Numbers of 64 bits, as the plugin writes them. */
function words(...numbers: readonly bigint[]): Buffer {
  const view = new DataView(new ArrayBuffer(numbers.length * 8));
  for (const [n, number] of numbers.entries()) view.setBigUint64(n * 8, number, isLittle);
  return Buffer.from(view.buffer);
}

async function written(bytes: Uint8Array, look: (counts: CountsFile) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fp-counts-'));
  const counts = new CountsFile(join(folder, 'counts'));
  try {
    await counts.renew();
    writeSync(openSync(counts.path, 'r+'), bytes, 0, bytes.length, 0);
    look(counts);
  } finally {
    counts.close();
    rmSync(folder, { recursive: true });
  }
}

const twoInstructions = isLittle ? 2n : 2n << 32n;
const sizes = Buffer.from([4, 2, 0, 0, 0, 0, 0, 0]);
const block = (runs: bigint, address: bigint) => Buffer.concat([words(runs, address, twoInstructions), sizes]);

test('blocks are told in their order, with how often they ran', () =>
  written(Buffer.concat([words(88n, 30n, 0n), block(7n, 0x8000n), block(8n, 0xffff_ffff_8100_0000n)]), (counts) => {
    expect([...counts.blocks()].map(({ runs, address, sizes }) => [runs, address, ...sizes])).toEqual([
      [7, 0x8000n, 4, 2],
      [8, 0xffff_ffff_8100_0000n, 4, 2],
    ]);
    expect(counts.instructions).toBe(30);
    expect(counts.isCut).toBe(false);
  }));

test('blocks beyond the first megabyte are read as well', () => {
  const many = Array.from({ length: 70_000 }, (_, n) => block(1n, BigInt(n) * 16n));
  return written(Buffer.concat([words(24n + 32n * 70_000n, 0n, 1n), ...many]), (counts) => {
    const addresses = [...counts.blocks()].map(({ address }) => address);
    expect(addresses).toEqual(many.map((_, n) => BigInt(n) * 16n));
    expect(counts.isCut).toBe(true);
  });
});

test('a file that lies about itself comes to an end', async () => {
  await written(Buffer.concat([words(1n << 60n, 0n, 0n), block(7n, 0x8000n)]), (counts) => {
    expect([...counts.blocks()]).toHaveLength(1);
  });
  await written(Buffer.concat([words(1000n, 0n, 0n), words(5n, 0n, 0xffff_ffff_ffff_ffffn)]), (counts) => {
    expect([...counts.blocks()]).toEqual([]);
  });
});

test('a new one takes the place of whatever lies there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fp-counts-'));
  const outside = join(folder, 'outside');
  writeFileSync(outside, 'as it was');
  symlinkSync(outside, join(folder, 'counts'));
  const counts = new CountsFile(join(folder, 'counts'));
  await counts.renew();
  expect([...counts.blocks()]).toEqual([]);
  expect(counts.instructions).toBe(0);
  counts.close();
  rmSync(folder, { recursive: true });
});
