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
