import { once } from 'node:events';
import { lchown, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { attach } from './attach.ts';
import { consoleAtPath, consoleNamed, listConsoles } from './consoles.ts';

/** A process that certainly runs besides our own: the one that started us. */
const pids = [process.pid, process.ppid].sort((a, b) => a - b);
const [first = 0, second = 0] = pids;
let directory: string;
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'frontpanel-consoles-'));
  env = { XDG_RUNTIME_DIR: directory };
  await mkdir(join(directory, 'frontpanel'), { mode: 0o700 });
});

afterEach(() => rm(directory, { recursive: true }));

async function addServer(pid: number, ...files: string[]): Promise<void> {
  const dir = join(directory, 'frontpanel', String(pid));
  await mkdir(dir, { mode: 0o700 });
  for (const file of files) await writeFile(join(dir, file), '');
}

test('finds the consoles of servers that run', async () => {
  await addServer(first, 'router.in', 'router.out', 'half.out', 'server.json');
  await addServer(second, 'board.in', 'board.out');
  await addServer(2 ** 22 + 1, 'ghost.in', 'ghost.out');
  expect((await listConsoles(env)).map(({ name, serverPid }) => [name, serverPid])).toEqual([
    ['board', second],
    ['router', first],
  ]);
  const router = await consoleNamed('router', env);
  expect(router.out).toBe(join(directory, 'frontpanel', String(first), 'router.out'));
  expect(router.in).toBe(join(directory, 'frontpanel', String(first), 'router.in'));
});

test('without a name, the only console is meant', async () => {
  await expect(consoleNamed(undefined, env)).rejects.toThrow('No server of yours has a console.');
  await addServer(first, 'router.in', 'router.out');
  expect((await consoleNamed(undefined, env)).name).toBe('router');
  await addServer(second, 'board.in', 'board.out');
  await expect(consoleNamed(undefined, env)).rejects.toThrow(
    'Say which console:\n  frontpanel attach board\n  frontpanel attach router',
  );
});

test('unknown and ambiguous names list what there is', async () => {
  await addServer(first, 'router.in', 'router.out');
  await addServer(second, 'router.in', 'router.out', 'board.in', 'board.out');
  await expect(consoleNamed('boerd', env)).rejects.toThrow('There is no console boerd. Did you mean board?');
  await expect(consoleNamed('router', env)).rejects.toThrow(
    `More than one server has a console router. Say which:\n  frontpanel attach ${first}/router\n  frontpanel attach ${second}/router`,
  );
  expect((await consoleNamed(`${second}/router`, env)).serverPid).toBe(second);
});

test('a path must be that of an output socket', async () => {
  await expect(consoleAtPath('/tmp/serial_VM.in')).rejects.toThrow('Did you mean /tmp/serial_VM.out?');
  await expect(consoleAtPath(join(directory, 'no.out'))).rejects.toThrow('There is no socket');
  await addServer(first, 'x.out');
  const path = join(directory, 'frontpanel', String(first), 'x.out');
  await expect(consoleAtPath(path)).rejects.toThrow('is not a socket');
  const socket = join(directory, 'y.out');
  const server = createServer().listen(socket);
  await once(server, 'listening');
  expect(await consoleAtPath(socket)).toEqual({ out: socket, in: socket.replace(/out$/, 'in') });
  server.close();
});

test('attach says which consoles there are, and fails', async () => {
  await addServer(first, 'router.in', 'router.out');
  const stderr = new PassThrough();
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  expect(await attach('ruter', { spy: false, filtered: false, stdin, stdout, stderr, env })).toBe(1);
  expect(String(stderr.read())).toBe(
    'There is no console ruter. Did you mean router? There are:\n  frontpanel attach router\n',
  );
});

// Only root can give a file to somebody else.
test.runIf(process.getuid?.() === 0).each(['link.out', 'real.out', 'link.in', 'real.in', 'real.people'])(
  'a console whose %s is another user’s is none',
  async (taken) => {
    const at = (name: string) => join(directory, name);
    const servers = await Promise.all(
      ['out', 'in', 'people'].map(async (end) => {
        const server = createServer().listen(at(`real.${end}`));
        await once(server, 'listening');
        return server;
      }),
    );
    for (const end of ['out', 'in']) await symlink(at(`real.${end}`), at(`link.${end}`));
    try {
      const sockets = { out: at('link.out'), in: at('link.in'), people: at('real.people') };
      expect(await consoleAtPath(at('link.out'))).toEqual(sockets);
      await lchown(at(taken), 54_321, 54_321);
      await expect(consoleAtPath(at('link.out'))).rejects.toThrow('belongs to another user (number 54321)');
    } finally {
      for (const server of servers) server.close();
    }
  },
);
