import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { identify, isRunning } from './process-identity.ts';
import { openRuntimeDir, runtimeRoot } from './runtime-dir.ts';
import { findServers, sweepDeadServers } from './server-sweep.ts';

const version = '1.2.3';
let base: string;
let root: string;
let env: { XDG_RUNTIME_DIR: string };
const children: ChildProcess[] = [];

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'runtime-')));
  root = join(base, 'frontpanel');
  env = { XDG_RUNTIME_DIR: base };
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(base, { recursive: true });
});

function sleeper(): number {
  const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
  children.push(child);
  return child.pid ?? 0;
}

/** The pid of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn('true', { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

/** What a server that died leaves behind. */
async function remains(pid: number, record: object | string | undefined): Promise<string> {
  const dir = join(root, String(pid));
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(root, 0o700);
  await writeFile(join(dir, 'console.out'), '');
  if (record !== undefined) {
    await writeFile(join(dir, 'server.json'), typeof record === 'string' ? record : JSON.stringify(record));
  }
  return dir;
}

const mode = async (path: string) => (await stat(path)).mode & 0o777;
const head = { startedAt: '2026-01-01T00:00:00.000Z', version };

describe('the place', () => {
  test('is below XDG_RUNTIME_DIR where that can be used', async () => {
    expect(await runtimeRoot(env)).toBe(root);
  });

  test('is a directory of the user below the temporary one otherwise', async () => {
    const own = join(tmpdir(), `frontpanel-${process.getuid?.()}`);
    await writeFile(join(base, 'file'), '');
    expect(await runtimeRoot({})).toBe(own);
    expect(await runtimeRoot({ XDG_RUNTIME_DIR: '' })).toBe(own);
    expect(await runtimeRoot({ XDG_RUNTIME_DIR: 'relative' })).toBe(own);
    expect(await runtimeRoot({ XDG_RUNTIME_DIR: join(base, 'nothing') })).toBe(own);
    expect(await runtimeRoot({ XDG_RUNTIME_DIR: join(base, 'file') })).toBe(own);
  });
});

describe('the directory', () => {
  const reports: string[] = [];
  const options = { version, report: (text: string) => reports.push(text) };

  test('that cannot be made says which variables choose its place', async () => {
    await writeFile(join(base, 'file'), '');
    vi.stubEnv('TMPDIR', join(base, 'file'));
    const opened = openRuntimeDir({}, options);
    vi.unstubAllEnvs();
    await expect(opened).rejects.toMatchObject({
      type: 'UNAVAILABLE',
      message: expect.stringContaining('(ENOTDIR)'),
      fix: expect.stringMatching(/TMPDIR, or XDG_RUNTIME_DIR/),
    });
  });

  test('that cannot be written any more is told of, and what runs goes on', async () => {
    const runtime = await openRuntimeDir(env, options);
    const pid = sleeper();
    await mkdir(join(runtime.dir, 'server.json.new'));
    runtime.recordProcessGroup(pid);
    expect(reports.splice(0)).toEqual([
      expect.stringMatching(/^the record of running machines cannot be written: .*EISDIR/),
    ]);
    await rmdir(join(runtime.dir, 'server.json.new'));
    runtime.announce({ url: 'http://127.0.0.1:1' });
    expect(reports).toEqual([]);
    expect((await findServers(root))[0]?.record?.processGroups).toEqual([identify(pid)]);
    await runtime.close();
  });

  test('is private, says whose it is, and goes away', async () => {
    const runtime = await openRuntimeDir(env, options);
    expect(runtime).toMatchObject({ root, dir: join(root, String(process.pid)) });
    expect([await mode(root), await mode(runtime.dir)]).toEqual([0o700, 0o700]);
    expect(await mode(join(runtime.dir, 'server.json'))).toBe(0o600);
    const record = JSON.parse(await readFile(join(runtime.dir, 'server.json'), 'utf8'));
    expect(record).toEqual({
      ...identify(process.pid),
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      version,
      processGroups: [],
    });
    await writeFile(join(runtime.dir, 'console.out'), '');
    await runtime.close();
    expect(await readdir(root)).toEqual([]);
  });

  test('lists the process groups of the moment', async () => {
    const runtime = await openRuntimeDir(env, options);
    const [one, two] = [sleeper(), sleeper()];
    runtime.recordProcessGroup(one);
    runtime.recordProcessGroup(two);
    runtime.forgetProcessGroup(one);
    const [server] = await findServers(root);
    expect(server).toMatchObject({ pid: process.pid, alive: true, record: { processGroups: [identify(two)] } });
    expect(await readdir(runtime.dir)).toEqual(['server.json']);
    await runtime.close();
    runtime.forgetProcessGroup(two);
    runtime.recordProcessGroup(one);
    expect(await readdir(root)).toEqual([]);
  });

  test('is not shared by two in one process', async () => {
    const runtime = await openRuntimeDir(env, options);
    await expect(openRuntimeDir(env, options)).rejects.toMatchObject({ type: 'BUSY' });
    await runtime.close();
    await (await openRuntimeDir(env, options)).close();
  });

  test('replaces what an earlier process with our pid left', async () => {
    const dir = await remains(process.pid, { ...identify(process.pid), startTicks: 1, ...head, processGroups: [] });
    const runtime = await openRuntimeDir(env, options);
    expect(await readdir(dir)).toEqual(['server.json']);
    await runtime.close();
  });

  test('is refused where others could have a hand in it', async () => {
    await mkdir(root, { mode: 0o755 });
    await chmod(root, 0o755);
    await expect(openRuntimeDir(env, options)).rejects.toMatchObject({
      type: 'UNAVAILABLE',
      message: expect.stringContaining('open to other users'),
      fix: expect.stringContaining(`chmod 700 ${root}`),
    });
    await rm(root, { recursive: true });
    await mkdir(join(base, 'elsewhere'), { mode: 0o700 });
    await symlink(join(base, 'elsewhere'), root);
    await expect(openRuntimeDir(env, options)).rejects.toThrow('is a symbolic link');
    expect(await findServers(root)).toEqual([]);
    await rm(root);
    await writeFile(root, '');
    await expect(openRuntimeDir(env, options)).rejects.toThrow('is not a directory');
    // Only root can make one for somebody else.
    if (process.getuid?.() !== 0) return;
    await rm(root);
    await mkdir(root, { mode: 0o700 });
    await chown(root, 65_534, 65_534);
    await expect(openRuntimeDir(env, options)).rejects.toThrow('belongs to another user');
    expect(await findServers(root)).toEqual([]);
  });
});

describe('servers that are gone', () => {
  test('are told from those that run, also when their pid is used again', async () => {
    const [dead, reused, running] = [await deadPid(), sleeper(), sleeper()];
    await remains(dead, { ...identify(process.pid), pid: dead, ...head, processGroups: [] });
    await remains(reused, { ...identify(reused), startTicks: 1, ...head, processGroups: [] });
    await remains(running, { ...identify(running), ...head, processGroups: [] });
    const alive = new Map((await findServers(root)).map((server) => [server.pid, server.alive]));
    expect(alive).toEqual(
      new Map([
        [dead, false],
        [reused, false],
        [running, true],
      ]),
    );
  });

  test('of an earlier run of the system are dead', async () => {
    const pid = sleeper();
    await remains(pid, { ...identify(pid), bootId: 'another', ...head, processGroups: [] });
    expect(await findServers(root)).toMatchObject([{ pid, alive: false }]);
  });

  test('without a record that can be read are judged by their pid', async () => {
    const [running, dead] = [sleeper(), await deadPid()];
    await remains(running, undefined);
    await remains(dead, '{"pid":');
    const servers = await findServers(root);
    expect(servers).toHaveLength(2);
    for (const server of servers) {
      expect(server.record).toBeUndefined();
      expect(server.alive).toBe(server.pid === running);
    }
  });

  test('are removed with the groups that outlived them, and nothing else is touched', async () => {
    const dead = await deadPid();
    const [left, stranger, living] = [sleeper(), sleeper(), sleeper()];
    const ended = await deadPid();
    const dir = await remains(dead, {
      ...identify(process.pid),
      pid: dead,
      ...head,
      processGroups: [
        identify(left),
        { ...identify(stranger), startTicks: 1 },
        { pid: stranger },
        { ...identify(process.pid), pid: ended },
        { pid: 1 },
        { pid: -1 },
        { pid: 0 },
        null,
      ],
    });
    const livingDir = await remains(living, { ...identify(living), ...head, processGroups: [identify(stranger)] });
    await mkdir(join(root, 'notes'));
    await mkdir(join(base, 'target'), { mode: 0o700 });
    await symlink(join(base, 'target'), join(root, '4000000'));
    await mkdir(join(root, '4000001'), { mode: 0o755 });
    await chmod(join(root, '4000001'), 0o755);

    expect(await sweepDeadServers(root, { kill: false })).toEqual([
      { pid: dead, dir, survivors: [left], killed: [], removed: false },
    ]);
    expect(isRunning(identify(left))).toBe(true);

    const leftIdentity = identify(left);
    expect(await sweepDeadServers(root, { kill: true })).toEqual([
      { pid: dead, dir, survivors: [left], killed: [left], removed: true },
    ]);
    while (isRunning(leftIdentity)) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(isRunning(identify(stranger))).toBe(true);
    expect(isRunning(identify(living))).toBe(true);
    expect((await readdir(root)).sort()).toEqual(['4000000', '4000001', 'notes', String(living)].sort());
    expect(await readdir(livingDir)).toContain('server.json');
    expect(await sweepDeadServers(root, { kill: true })).toEqual([]);
  });

  test('without survivors are removed without killing', async () => {
    const pid = await deadPid();
    const dir = await remains(pid, undefined);
    expect(await sweepDeadServers(root, { kill: false })).toEqual([
      { pid, dir, survivors: [], killed: [], removed: true },
    ]);
    expect(await readdir(root)).toEqual([]);
  });

  test('a root that does not exist has none', async () => {
    expect(await findServers(join(base, 'nothing'))).toEqual([]);
    expect(await sweepDeadServers(join(base, 'nothing'), { kill: true })).toEqual([]);
  });
});

test('a process is known by its start, whatever its name', async () => {
  const child = spawn('sh', ['-c', 'printf ") S (1 2" > /proc/$$/comm; echo ready; sleep 1000'], { detached: true });
  children.push(child);
  await once(child.stdout, 'data');
  const identity = identify(child.pid ?? 0);
  expect(identity.startTicks).toBeGreaterThan(0);
  expect(isRunning(identity)).toBe(true);
  process.kill(-identity.pid, 'SIGKILL');
  await once(child, 'exit');
  expect(isRunning(identity)).toBe(false);
});
