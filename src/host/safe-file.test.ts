import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openNewPrivateFile } from './safe-file.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'safe-'));
});
afterEach(() => rm(directory, { recursive: true }));

test('makes a file for this user alone', async () => {
  const path = join(directory, 'new');
  const file = await openNewPrivateFile(path);
  await file.writeFile('text');
  await file.close();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, 'utf8')).toBe('text');
});

test('touches nothing that is there, directly or through a link', async () => {
  const file = join(directory, 'file');
  const link = join(directory, 'link');
  const dangling = join(directory, 'dangling');
  await writeFile(file, 'old');
  await symlink(file, link);
  await symlink(join(directory, 'elsewhere'), dangling);
  for (const path of [file, link, dangling, directory]) {
    await expect(openNewPrivateFile(path)).rejects.toMatchObject({
      name: 'MachineError',
      type: 'NAME_TAKEN',
      message: `The file ${path} exists already and is not overwritten.`,
    });
  }
  expect(await readFile(file, 'utf8')).toBe('old');
  await expect(stat(join(directory, 'elsewhere'))).rejects.toThrow('ENOENT');
});

test('says what is wrong with the path', async () => {
  await expect(openNewPrivateFile(join(directory, 'no', 'file'))).rejects.toMatchObject({ type: 'NOT_FOUND' });
  await writeFile(join(directory, 'file'), '');
  await expect(openNewPrivateFile(join(directory, 'file', 'x'))).rejects.toMatchObject({ type: 'NOT_FOUND' });
  await mkdir(join(directory, 'd'));
  await expect(openNewPrivateFile(join(directory, 'x'.repeat(300)))).rejects.toMatchObject({
    type: 'INVALID_ARGUMENT',
  });
});
