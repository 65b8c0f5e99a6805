import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PathRoots } from './path-roots.ts';

let directory: string;
let root: string;
let outside: string;
let roots: PathRoots;

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'roots-')));
  root = join(directory, 'root');
  outside = join(directory, 'root-outside');
  await mkdir(join(root, 'sub'), { recursive: true });
  await mkdir(outside);
  await writeFile(join(root, 'file'), '');
  await writeFile(join(root, '..file'), '');
  await writeFile(join(outside, 'secret'), '');
  roots = new PathRoots([root]);
});
afterEach(() => rm(directory, { recursive: true }));

const refused = { name: 'MachineError', type: 'PATH_NOT_ALLOWED' };

describe.each(['read', 'write'] as const)('%s', (use) => {
  test('what lies below a root', async () => {
    expect(await roots.allowed(join(root, 'file'), use)).toBe(join(root, 'file'));
    expect(await roots.allowed(join(root, 'sub', '..', 'file'), use)).toBe(join(root, 'file'));
    expect(await roots.allowed(join(root, '..file'), use)).toBe(join(root, '..file'));
    expect(await roots.allowed(relative(process.cwd(), join(root, 'file')), use)).toBe(join(root, 'file'));
    expect(await roots.allowed(`${root}/`, use)).toBe(root);
  });

  test('nothing outside, whether it exists or not', async () => {
    const paths = [
      join(outside, 'secret'),
      join(outside, 'nothing'),
      join(outside, 'no', 'such', 'directory'),
      `${root}/../root-outside/secret`,
      `${root}/sub/../../root-outside/secret`,
      `${root}/../root-outside`,
      directory,
      '/',
      '/etc/passwd',
      '/no/such/file',
      '/dev/null',
    ];
    for (const path of paths) await expect(roots.allowed(path, use), path).rejects.toMatchObject(refused);
  });

  test('nothing through a link that leads outside', async () => {
    await symlink(join(outside, 'secret'), join(root, 'link'));
    await symlink(outside, join(root, 'dir'));
    await symlink('../root-outside', join(root, 'sub', 'up'));
    await symlink('../../root-outside', join(root, 'sub', 'upper'));
    for (const path of ['link', 'dir/secret', 'dir/new', 'dir', 'sub/upper/secret', 'sub/upper/new', 'sub/upper/a/b']) {
      await expect(roots.allowed(join(root, path), use), path).rejects.toMatchObject(refused);
    }
  });

  test('links that stay inside are resolved', async () => {
    await symlink(join(root, 'file'), join(root, 'link'));
    await symlink('sub', join(root, 'dir'));
    await writeFile(join(root, 'sub', 'x'), '');
    expect(await roots.allowed(join(root, 'link'), use)).toBe(join(root, 'file'));
    expect(await roots.allowed(join(root, 'dir', 'x'), use)).toBe(join(root, 'sub', 'x'));
  });

  test('a root may itself be a link, and there may be several', async () => {
    const link = join(directory, 'link');
    await symlink(root, link);
    const both = new PathRoots([outside, link]);
    expect(await both.allowed(join(link, 'file'), use)).toBe(join(root, 'file'));
    expect(await both.allowed(join(root, 'file'), use)).toBe(join(root, 'file'));
    expect(await both.allowed(join(outside, 'secret'), use)).toBe(join(outside, 'secret'));
    await expect(both.allowed(directory, use)).rejects.toMatchObject(refused);
    await expect(new PathRoots([]).allowed(root, use)).rejects.toMatchObject(refused);
  });

  test('no empty path, no NUL, no circle of links', async () => {
    await expect(roots.allowed('', use)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    await expect(roots.allowed(`${root}/file\0.txt`, use)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    await symlink(join(root, 'circle'), join(root, 'circle'));
    await expect(roots.allowed(join(root, 'circle'), use)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    await expect(roots.allowed(join(root, 'file', 'x'), use)).rejects.toMatchObject({ type: 'NOT_FOUND' });
  });

  test('the refusal names the roots and the flag', async () => {
    const error: unknown = await roots.allowed('/etc/passwd', use).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ data: { path: '/etc/passwd', roots: [root] } });
    expect(error).toMatchObject({
      message: expect.stringContaining(root),
      fix: expect.stringContaining('--allow-path'),
    });
  });
});

test('only writing may name something new, in a directory that exists', async () => {
  expect(await roots.allowed(join(root, 'new'), 'write')).toBe(join(root, 'new'));
  await symlink('sub', join(root, 'dir'));
  expect(await roots.allowed(join(root, 'dir', 'new'), 'write')).toBe(join(root, 'sub', 'new'));
  await expect(roots.allowed(join(root, 'new'), 'read')).rejects.toMatchObject({ type: 'NOT_FOUND' });
  await expect(roots.allowed(join(root, 'no', 'new'), 'write')).rejects.toMatchObject({ type: 'NOT_FOUND' });
});

test('nothing is written through a link to nowhere', async () => {
  await symlink(join(outside, 'nothing'), join(root, 'out'));
  await symlink(join(root, 'nothing'), join(root, 'in'));
  await symlink(join(outside, 'no-directory'), join(root, 'dir'));
  await expect(roots.allowed(join(root, 'out'), 'write')).rejects.toMatchObject(refused);
  await expect(roots.allowed(join(root, 'in'), 'write')).rejects.toMatchObject(refused);
  await expect(roots.allowed(join(root, 'dir', 'new'), 'write')).rejects.toMatchObject({ type: 'NOT_FOUND' });
});
