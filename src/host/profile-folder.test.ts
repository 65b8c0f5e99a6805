import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProfileFolder } from './profile-folder.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fp-profiles-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a profile is saved, listed and deleted', async () => {
  const profiles = new ProfileFolder(join(folder, 'new', 'profiles'));
  expect(await profiles.list()).toEqual([]);
  await profiles.save('mine', { video_standard: 'pal' });
  expect(await profiles.list()).toEqual([{ name: 'mine', profile: { video_standard: 'pal' } }]);
  expect(await profiles.delete('mine')).toBe(true);
  expect(await profiles.delete('mine')).toBe(false);
});

test('files that are no profiles are told of, and nothing waits for them', async () => {
  writeFileSync(join(folder, 'broken.json'), '{"video_standard": ');
  writeFileSync(join(folder, 'list.json'), '[]');
  writeFileSync(join(folder, 'large.json'), `"${'x'.repeat(70_000)}"`);
  writeFileSync(join(folder, 'good.json'), '{}');
  writeFileSync(join(folder, 'secret'), '{"key":"value"}');
  symlinkSync(join(folder, 'secret'), join(folder, 'link.json'));
  execFileSync('mkfifo', [join(folder, 'pipe.json')]);
  expect(await new ProfileFolder(folder).list()).toEqual([
    { name: 'broken', problem: expect.stringContaining('JSON') },
    { name: 'good', profile: {} },
    { name: 'large', problem: 'it has more than 65536 bytes' },
    { name: 'link', problem: expect.stringContaining('ELOOP') },
    { name: 'list', problem: 'it holds no object' },
    { name: 'pipe', problem: 'it is not a file' },
  ]);
});

test('a folder that cannot be written is an error that says so', async () => {
  writeFileSync(join(folder, 'file'), '');
  await expect(new ProfileFolder(join(folder, 'file')).save('a', {})).rejects.toMatchObject({
    name: 'MachineError',
    fix: expect.any(String),
  });
});
