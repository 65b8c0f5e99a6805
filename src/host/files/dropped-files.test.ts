import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AllowedFiles } from './allowed-files.ts';
import { DroppedFiles } from './dropped-files.ts';

test('each who reads a file that was dropped has a copy of it', async () => {
  const files = new DroppedFiles(new AllowedFiles({ read: [], write: [] }));
  // As the page's connection has it.
  const path = files.drop('disk.img', Buffer.concat([Buffer.of(1, 2), Buffer.of(3)]));
  const one = await files.read(path, 9);
  one.slice(0, 1).fill(7);
  expect([...one]).toEqual([1, 2, 3]);
  one.fill(9);
  const opened = await files.open(path, 'write');
  await opened.write(Uint8Array.of(8), 0);
  expect([...(await opened.read(0, 3))]).toEqual([8, 2, 3]);
  expect([...(await files.read(path, 9))]).toEqual([1, 2, 3]);
});

test('nothing is written under a name that would not be read from the disk', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fp-dropped-')));
  const before = process.cwd();
  process.chdir(folder);
  try {
    const files = new DroppedFiles(new AllowedFiles({ read: [folder], write: [folder] }));
    const name = 'dropped:title.wav';
    for (const write of [
      files.requireNew(name),
      files.writeNew(name, Uint8Array.of(1)),
      files.create(name),
      files.makeFolder(name),
    ]) {
      await expect(write).rejects.toThrow(/"dropped:title.wav" cannot be written/);
    }
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
});
