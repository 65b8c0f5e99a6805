import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mayMount, SmallDisk } from '../../../test/support/small-disk.ts';
import { AllowedFiles } from './allowed-files.ts';
import { OperatorFiles } from './operator-files.ts';

let directory: string;
let root: string;
let outside: string;
let files: AllowedFiles;

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'roots-')));
  root = join(directory, 'root');
  outside = join(directory, 'root-outside');
  await mkdir(join(root, 'sub'), { recursive: true });
  await mkdir(outside);
  await writeFile(join(root, 'file'), '');
  await writeFile(join(root, '..file'), '');
  await writeFile(join(outside, 'secret'), '');
  files = new AllowedFiles({ read: [], write: [root] });
});
afterEach(() => rm(directory, { recursive: true }));

const refused = { name: 'MachineError', type: 'PATH_NOT_ALLOWED' };

describe.each(['read', 'write'] as const)('%s', (use) => {
  test('what lies below a root', async () => {
    expect(await files.resolve(join(root, 'file'), use)).toBe(join(root, 'file'));
    expect(await files.resolve(join(root, 'sub', '..', 'file'), use)).toBe(join(root, 'file'));
    expect(await files.resolve(join(root, '..file'), use)).toBe(join(root, '..file'));
    expect(await files.resolve(relative(process.cwd(), join(root, 'file')), use)).toBe(join(root, 'file'));
    expect(await files.resolve(`${root}/`, use)).toBe(root);
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
    for (const path of paths) await expect(files.resolve(path, use), path).rejects.toMatchObject(refused);
  });

  test('nothing through a link that leads outside', async () => {
    await symlink(join(outside, 'secret'), join(root, 'link'));
    await symlink(outside, join(root, 'dir'));
    await symlink('../root-outside', join(root, 'sub', 'up'));
    await symlink('../../root-outside', join(root, 'sub', 'upper'));
    for (const path of ['link', 'dir/secret', 'dir/new', 'dir', 'sub/upper/secret', 'sub/upper/new', 'sub/upper/a/b']) {
      await expect(files.resolve(join(root, path), use), path).rejects.toMatchObject(refused);
    }
  });

  test('links that stay inside are resolved', async () => {
    await symlink(join(root, 'file'), join(root, 'link'));
    await symlink('sub', join(root, 'dir'));
    await writeFile(join(root, 'sub', 'x'), '');
    expect(await files.resolve(join(root, 'link'), use)).toBe(join(root, 'file'));
    expect(await files.resolve(join(root, 'dir', 'x'), use)).toBe(join(root, 'sub', 'x'));
  });

  test('a root may itself be a link, and there may be several', async () => {
    const link = join(directory, 'link');
    await symlink(root, link);
    const both = new AllowedFiles({ read: [], write: [outside, link] });
    expect(await both.resolve(join(link, 'file'), use)).toBe(join(root, 'file'));
    expect(await both.resolve(join(root, 'file'), use)).toBe(join(root, 'file'));
    expect(await both.resolve(join(outside, 'secret'), use)).toBe(join(outside, 'secret'));
    await expect(both.resolve(directory, use)).rejects.toMatchObject(refused);
    await expect(new AllowedFiles({ read: [], write: [] }).resolve(root, use)).rejects.toMatchObject(refused);
  });

  test('no empty path, no NUL, no circle of links', async () => {
    await expect(files.resolve('', use)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    await expect(files.resolve(`${root}/file\0.txt`, use)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    await symlink(join(root, 'circle'), join(root, 'circle'));
    await expect(files.resolve(join(root, 'circle'), use)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    await expect(files.resolve(join(root, 'file', 'x'), use)).rejects.toMatchObject({ type: 'NOT_FOUND' });
  });

  test('the refusal names the roots and the flag', async () => {
    const error: unknown = await files.resolve('/etc/passwd', use).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ data: { path: '/etc/passwd', roots: [root] } });
    expect(error).toMatchObject({
      message: expect.stringContaining(root),
      fix: expect.stringContaining('--allow-path'),
    });
  });
});

test('only writing may name something new, in a directory that exists', async () => {
  expect(await files.resolve(join(root, 'new'), 'write')).toBe(join(root, 'new'));
  await symlink('sub', join(root, 'dir'));
  expect(await files.resolve(join(root, 'dir', 'new'), 'write')).toBe(join(root, 'sub', 'new'));
  await expect(files.resolve(join(root, 'new'), 'read')).rejects.toMatchObject({ type: 'NOT_FOUND' });
  await expect(files.resolve(join(root, 'no', 'new'), 'write')).rejects.toMatchObject({ type: 'NOT_FOUND' });
});

test('nothing is made through a link to nowhere', async () => {
  await symlink(join(outside, 'nothing'), join(root, 'out'));
  await symlink(join(root, 'nothing'), join(root, 'in'));
  await symlink(join(outside, 'no-directory'), join(root, 'dir'));
  await expect(files.resolve(join(root, 'out'), 'write')).rejects.toMatchObject(refused);
  await expect(files.create(join(root, 'in'))).rejects.toMatchObject({ type: 'NAME_TAKEN' });
  await expect(files.create(join(root, 'dir', 'new'))).rejects.toMatchObject(refused);
});

describe('files', () => {
  test('are read up to a limit, and nothing else is', async () => {
    await writeFile(join(root, 'text'), 'twelve bytes');
    expect(new TextDecoder().decode(await files.read(join(root, 'text'), 12))).toBe('twelve bytes');
    await expect(files.read(join(root, 'text'), 11)).rejects.toMatchObject({
      type: 'LIMIT_REACHED',
      message: expect.stringContaining('has 12 bytes; at most 11'),
    });
    await expect(files.read(join(root, 'sub'), 99)).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    await expect(files.read(join(root, 'nothing'), 99)).rejects.toMatchObject({ type: 'NOT_FOUND' });
  });

  test('that are pipes or sockets are refused without being opened, however many ask', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const server = createServer().listen(join(root, 'socket'));
    await once(server, 'listening');
    const asked = Array.from({ length: 8 }, (_, at) => files.read(join(root, at % 2 === 0 ? 'pipe' : 'socket'), 99));
    const answers = asked.map((answer) => answer.then(String, (error: Error) => error.message));
    try {
      const stuck = setTimeout(30_000, 'they were opened', { ref: false });
      expect(await Promise.race([Promise.all(answers), stuck])).toEqual(
        Array.from({ length: 8 }, () => expect.stringContaining('is a device, a pipe or a socket')),
      );
    } finally {
      // Whoever waits for a writer is let go.
      closeSync(openSync(join(root, 'pipe'), constants.O_RDWR));
      server.close();
    }
  });

  test('are made for this user alone, and replace nothing', async () => {
    const file = await files.create(join(root, 'new'));
    await file.write(new TextEncoder().encode('text'));
    file.close();
    expect((await stat(join(root, 'new'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(root, 'new'), 'utf8')).toBe('text');
    await symlink('file', join(root, 'link'));
    const make = { create: (path: string) => files.create(path), requireNew: (path: string) => files.requireNew(path) };
    for (const [how, tried] of Object.entries(make)) {
      for (const name of ['new', 'link', 'sub', '.']) {
        await expect(tried(join(root, name)), `${how} ${name}`).rejects.toMatchObject({ type: 'NAME_TAKEN' });
      }
      await expect(tried(join(root, 'no', 'new')), how).rejects.toMatchObject({ type: 'NOT_FOUND' });
      await expect(tried(join(outside, 'new')), how).rejects.toMatchObject(refused);
    }
    await files.requireNew(join(root, 'newer'));
    expect(existsSync(join(root, 'newer'))).toBe(false);
  });

  test.skipIf(!mayMount)(
    'that do not fit on the disk leave nothing there, and what fits may have their name',
    async () => {
      using disk = new SmallDisk(root, '64k');
      const path = join(disk.folder, 'new');
      const refusal = { type: 'UNAVAILABLE', message: expect.stringContaining('ENOSPC') };
      await expect(files.writeNew(path, new Uint8Array(100_000))).rejects.toMatchObject(refusal);
      expect(await readdir(disk.folder)).toEqual([]);
      await files.writeNew(path, new Uint8Array(60_000));
      await expect(files.writeNew(path, new Uint8Array(1))).rejects.toMatchObject({ type: 'NAME_TAKEN' });
      expect((await stat(path)).size).toBe(60_000);
    },
  );

  test('stay the same for other programs, wherever the path leads later', async () => {
    await writeFile(join(root, 'image'), 'mine');
    const file = await files.open(join(root, 'image'), 'read');
    await rm(join(root, 'image'));
    await symlink(join(outside, 'secret'), join(root, 'image'));
    expect(execFileSync('cat', [file.grantedPath], { encoding: 'utf8' })).toBe('mine');
    file.close();
    await expect(files.read(join(root, 'image'), 99)).rejects.toMatchObject(refused);
  });

  test('may be readable where nothing may be written', async () => {
    const both = new AllowedFiles({ read: [outside], write: [root] });
    expect(await both.read(join(outside, 'secret'), 9)).toHaveLength(0);
    await expect(both.create(join(outside, 'new'))).rejects.toMatchObject({
      type: 'PATH_NOT_ALLOWED',
      data: { roots: [root] },
    });
    await expect(both.open(join(outside, 'secret'), 'write')).rejects.toMatchObject(refused);
  });

  test('are closed again, whatever came of it', async () => {
    const open = async () => (await readdir('/proc/self/fd')).length;
    await symlink(outside, join(root, 'out'));
    const before = await open();
    for (const name of ['file', 'nothing', 'sub', 'out/secret', 'no/thing', 'file/x']) {
      await files.read(join(root, name), 99).catch(() => undefined);
      await files.create(join(root, name)).then(
        (file) => file.close(),
        () => undefined,
      );
      await files.resolve(join(root, name), 'write').catch(() => undefined);
    }
    expect(await open()).toBe(before);
  });
});

test('a folder that is swapped for a link while files are written lets none of them out', {
  timeout: 60_000,
}, async () => {
  const swapping = `cd "${root}" && mkdir -p real && while :; do mv real d; mv d real; ln -s "${outside}" d; rm d; done`;
  const swapper = spawn('/bin/sh', ['-c', swapping], { detached: true });
  try {
    let written = 0;
    let attempts = 0;
    // Both outcomes of the race have to have been met.
    while (written < 20 || attempts < 1500) {
      attempts++;
      const made = await files.create(join(root, 'd', `f${attempts}`)).catch(() => undefined);
      if (!made) continue;
      await made.write(new Uint8Array([1]));
      made.close();
      written++;
    }
    expect(await readdir(outside)).toEqual(['secret']);
  } finally {
    const ended = once(swapper, 'close');
    // With the program that it has just started, which holds its output open until it ends.
    if (swapper.pid !== undefined) process.kill(-swapper.pid, 'SIGKILL');
    await ended;
  }
});

describe('a folder that stays open', () => {
  test('lists, reads and changes what lies below it, and nothing else', async () => {
    await symlink(outside, join(root, 'out'));
    await symlink('file', join(root, 'in'));
    await writeFile(join(root, 'sub', 'x'), 'text');
    const folder = await files.openFolder(root, 'write');
    expect(folder.list('', 99).map(({ name, kind }) => [name, kind])).toEqual([
      ['..file', 'file'],
      ['file', 'file'],
      ['in', 'file'],
      ['sub', 'folder'],
    ]);
    expect(new TextDecoder().decode(folder.read('sub/x', 9))).toBe('text');
    folder.write('in', new Uint8Array([65]));
    expect(await readFile(join(root, 'file'), 'utf8')).toBe('A');
    folder.rename('sub/x', 'y');
    folder.remove('in');
    folder.makeFolder('made');
    folder.removeFolder('made');
    for (const path of ['out/secret', '../root-outside/secret', 'out']) {
      expect(() => folder.read(path, 9), path).toThrow('access denied');
      expect(() => folder.write(path, new Uint8Array()), path).toThrow('access denied');
    }
    expect(() => folder.remove('out/secret')).toThrow('access denied');
    expect(() => folder.rename('y', '../y')).toThrow('access denied');
    expect(() => folder.makeFolder('../new')).toThrow('access denied');
    expect(() => folder.list('out', 9)).toThrow('access denied');
    expect(await readdir(root)).toEqual(['..file', 'file', 'out', 'sub', 'y']);
    folder.close();
  });

  test('is made where it is missing, and nowhere else', async () => {
    const folder = await files.makeFolder(join(root, 'a', 'b', 'c'));
    folder.write('x', new Uint8Array([67]));
    folder.close();
    expect(await readFile(join(root, 'a', 'b', 'c', 'x'), 'utf8')).toBe('C');
    (await files.makeFolder(join(root, 'a', 'b'))).close();
    await symlink(outside, join(root, 'out'));
    await expect(files.makeFolder(join(root, 'out', 'new'))).rejects.toMatchObject(refused);
    await expect(files.makeFolder(join(outside, 'new'))).rejects.toMatchObject(refused);
    await expect(files.makeFolder(join(root, 'file'))).rejects.toMatchObject({ type: 'NOT_FOUND' });
    expect(await readdir(outside)).toEqual(['secret']);
  });

  test('is still the same when it is moved', async () => {
    const folder = await files.openFolder(join(root, 'sub'), 'write');
    await rename(join(root, 'sub'), join(root, 'moved'));
    await symlink(outside, join(root, 'sub'));
    folder.write('new', new Uint8Array([66]));
    expect(await readFile(join(root, 'moved', 'new'), 'utf8')).toBe('B');
    folder.close();
  });
});

describe("the operator's own", () => {
  let own: AllowedFiles;

  beforeEach(async () => {
    await mkdir(join(root, 'etc'));
    await mkdir(join(root, 'run'));
    for (const name of ['etc/panel.json', 'run/token', 'audit.log', 'audit.log.1'])
      await writeFile(join(root, name), 'x');
    await symlink('etc', join(root, 'link'));
    const operators = new OperatorFiles({
      // By a link, as a person may write it.
      paths: [join(root, 'link', 'panel.json'), join(root, 'run'), join(root, 'later', 'key.pem')],
      logs: [join(root, 'audit.log')],
      names: ['frontpanel.config.json'],
    });
    own = new AllowedFiles({ read: [], write: [root] }, operators);
  });

  const theirs = [
    ...['etc/panel.json', 'link/panel.json', 'sub/../etc/panel.json', 'run/token', 'audit.log', 'audit.log.1'],
    ...['audit.log.2', 'frontpanel.config.json', 'sub/frontpanel.config.json'],
  ];

  test.each(theirs)('%s is neither read nor written nor made', async (name) => {
    const path = join(root, name);
    await expect(own.read(path, 9)).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining("belongs to this server's operator"),
    });
    for (const use of ['read', 'write'] as const) {
      await expect(own.open(path, use)).rejects.toMatchObject(refused);
      await expect(own.resolve(path, use)).rejects.toMatchObject(refused);
    }
    await expect(own.create(path)).rejects.toMatchObject(refused);
    await expect(own.makeFolder(path)).rejects.toMatchObject(refused);
  });

  test('is not seen, changed or moved through a folder above it', async () => {
    const folder = await own.openFolder(root, 'write');
    expect(folder.list('', 99).map(({ name }) => name)).toEqual(['..file', 'etc', 'file', 'link', 'sub']);
    expect(folder.list('etc', 99)).toEqual([]);
    for (const name of theirs) {
      expect(() => folder.read(name, 9), name).toThrow('access denied');
      expect(() => folder.write(name, new Uint8Array()), name).toThrow('access denied');
      expect(() => folder.remove(name), name).toThrow('access denied');
      expect(() => folder.rename('file', name), name).toThrow('access denied');
      expect(() => folder.rename(name, 'sub/new'), name).toThrow('access denied');
    }
    expect(() => folder.rename('etc', 'other')).toThrow('access denied');
    folder.makeFolder('new');
    expect(() => folder.rename('new', 'later')).toThrow('access denied');
    folder.rename('file', 'sub/file');
    expect(await readdir(join(root, 'sub'))).toEqual(['file']);
    expect(await readFile(join(root, 'etc', 'panel.json'), 'utf8')).toBe('x');
    folder.close();
  });

  test('is in no folder that another program gets as a whole', async () => {
    for (const name of ['.', 'etc', 'link']) {
      await expect(own.shareFolder(join(root, name), 'read'), name).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining('cannot be shared'),
      });
    }
    (await own.shareFolder(join(root, 'sub'), 'write')).close();
    // What is not there yet could be written, but not read.
    await mkdir(join(root, 'later'));
    (await own.shareFolder(join(root, 'later'), 'read')).close();
    await expect(own.shareFolder(join(root, 'later'), 'write')).rejects.toMatchObject(refused);
  });
});
