import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readSnapshotFile, type SnapshotFile, writeSnapshotFile } from './snapshot-file.ts';

const file: SnapshotFile = {
  kind: 'c64',
  options: { video: 'pal' },
  model: { kernal: 'abc' },
  time: 'cycle 12',
  facts: { list: [1, 'two'] },
  parts: new Map([
    ['state', Uint8Array.from({ length: 5000 }, (_, at) => at & 255)],
    ['empty', new Uint8Array()],
    ['disk', new Uint8Array(300).fill(7)],
  ]),
};

/** With a checksum that is right, whatever else is not. */
function forged(header: unknown, body: Uint8Array, version = 2): Uint8Array {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const bytes = Buffer.alloc(52 + json.length + body.length);
  bytes.write('FPSNAP\x1a\n', 'latin1');
  bytes.writeUInt32LE(version, 8);
  bytes.writeUInt32LE(json.length, 12);
  bytes.writeUInt32LE(body.length, 16);
  bytes.set(json, 52);
  bytes.set(body, 52 + json.length);
  bytes.set(createHash('sha256').update(bytes.subarray(0, 20)).update(bytes.subarray(52)).digest(), 20);
  return bytes;
}

const { parts: _, ...head } = file;
const header = (parts: readonly unknown[]) => ({ ...head, parts });

test('what was written is read again', async () => {
  const bytes = await writeSnapshotFile(file);
  expect(bytes.length).toBeLessThan(1200);
  expect(await readSnapshotFile(bytes)).toEqual(file);
});

test('a file that was cut off, changed or is another one says what is wrong with it', async () => {
  const good = await writeSnapshotFile(file);
  for (const length of [0, 1, 7, 51, 52, 100, good.length - 1]) {
    await expect(readSnapshotFile(good.subarray(0, length))).rejects.toThrow(
      /not a snapshot file|not as long as it says/,
    );
  }
  for (let at = 0; at < good.length; at++) {
    const changed = good.slice();
    changed[at] = (changed[at] ?? 0) ^ 1;
    await expect(readSnapshotFile(changed), `byte ${at}`).rejects.toThrow();
  }
  await expect(readSnapshotFile(forged({}, deflateSync(''), 1))).rejects.toThrow(
    'it has version 1, and this program reads',
  );
});

test('a forged one is refused before it takes memory', async () => {
  const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024));
  expect(bomb.length).toBeLessThan(100_000);
  await expect(readSnapshotFile(forged(header([['state', 1000]]), bomb))).rejects.toThrow('longer than announced');
  await expect(readSnapshotFile(forged(header([['state', 2 ** 40]]), bomb))).rejects.toThrow(
    'its header is wrong at parts.0.1',
  );
  const many = Array.from({ length: 200 }, (_, index) => [`p${index}`, 128 * 1024 * 1024]);
  await expect(readSnapshotFile(forged(header(many), bomb))).rejects.toThrow('are the limit');
  await expect(readSnapshotFile(forged(header([['state', 9]]), deflateSync('12345678')))).rejects.toThrow(
    'shorter than announced',
  );
  await expect(readSnapshotFile(forged(header([['state', -1]]), deflateSync('')))).rejects.toThrow(
    'its header is wrong',
  );
  await expect(readSnapshotFile(forged('{"kind":', deflateSync('')))).rejects.toThrow('is not JSON');
  const long = header([]);
  await expect(
    readSnapshotFile(forged({ ...long, facts: { a: 'x'.repeat(140_000) } }, deflateSync(''))),
  ).rejects.toThrow('not as long as it says');
  await expect(readSnapshotFile(forged({ kind: 3 }, deflateSync('')))).rejects.toThrow('its header is wrong at');
  await expect(readSnapshotFile(forged(header([]), Buffer.from('nonsense')))).rejects.toThrow('cannot be unpacked');
});
