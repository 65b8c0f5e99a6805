import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type OpenTerminalOptions, openTerminal } from './open-terminal.ts';

let folder = '';
let server: Server;
let clients: Socket[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'window-'));
  clients = [];
  server = createServer((socket) => clients.push(socket)).listen(join(folder, 'out'));
  await once(server, 'listening');
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  server.close();
  await rm(folder, { recursive: true, maxRetries: 5 });
});

/** A client that stays connected until the server goes. */
const attach = () => ['/usr/bin/env', 'socat', '-u', `UNIX-CONNECT:${join(folder, 'out')}`, 'OPEN:/dev/null'];

function options(more: Partial<OpenTerminalOptions> = {}): OpenTerminalOptions {
  return {
    name: 'auto',
    command: attach(),
    title: 'vm 1',
    platform: 'linux',
    env: { PATH: folder, DISPLAY: ':99' },
    connected: async (signal) => {
      if (clients.length > 0) return true;
      await once(server, 'connection', { signal }).catch(() => undefined);
      return clients.length > 0;
    },
    connectMs: 5000,
    ...more,
  };
}

/** A program that is called like a terminal. The command begins after `-e`, or is the last of its arguments. */
async function pretend(name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\nPATH=/usr/local/bin:/usr/bin:/bin\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}
const runCommand = 'while [ "$1" != -e ]; do shift; done; shift; exec "$@"';

/** An ended process may still wait for its parent, which is tmux, to take note. */
const gone = (pid: number) =>
  vi.waitFor(
    async () => {
      const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
      expect(state).toMatch(/\) Z/);
    },
    { timeout: 10_000, interval: 20 },
  );

describe('openTerminal', () => {
  test('opens a window whose client connects, on its own and without our stdin', async () => {
    await pretend(
      'xterm',
      `readlink /proc/$$/fd/0 /proc/$$/fd/2 > ${folder}/files; ps -o pgid= $$ > ${folder}/group; ${runCommand}`,
    );
    const guarded: number[] = [];
    const released = vi.fn();
    const window = await openTerminal(
      options({
        guard: (pid) => {
          guarded.push(pid);
          return released;
        },
      }),
    );
    expect(window).toMatchObject({ terminal: 'xterm', command: attach(), pid: guarded[0] });
    expect(await readFile(join(folder, 'files'), 'utf8')).toBe('/dev/null\n/dev/null\n');
    expect(Number(await readFile(join(folder, 'group'), 'utf8'))).toBe(window.pid);
    expect(released).not.toHaveBeenCalled();
    clients[0]?.destroy();
    await vi.waitFor(() => expect(released).toHaveBeenCalledOnce(), 30_000);
  });

  test('goes on to the next when one fails or nothing connects', { timeout: 20_000 }, async () => {
    await pretend('kitty', 'exit 3');
    await pretend('alacritty', `ln -s $$ ${folder}/pid; exec sleep 60`);
    await pretend('ghostty', 'kill -9 $$');
    await pretend('xterm', runCommand);
    expect((await openTerminal(options({ connectMs: 1000 }))).terminal).toBe('xterm');
    // On a busy computer it may have been ended before it could say who it was.
    await gone(Number(await readlink(join(folder, 'pid')).catch(() => Number.NaN)));
  });

  test('says what was tried and why it failed', async () => {
    await pretend('kitty', 'exit 3');
    await pretend('foot', 'exit 0');
    const error = await openTerminal(options({ connectMs: 300 })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      type: 'UNAVAILABLE',
      message: expect.stringMatching(/kitty: ended with code 3; foot: nothing connected within 0.3 s/),
      fix: expect.stringContaining(`/usr/bin/env socat -u UNIX-CONNECT:${join(folder, 'out')}`),
    });
  });

  test('a terminal asked for by name is not replaced by another', async () => {
    await pretend('kitty', 'exit 3');
    await pretend('xterm', runCommand);
    await expect(openTerminal(options({ name: 'kitty' }))).rejects.toThrow(/kitty: ended with code 3/);
    await expect(openTerminal(options({ name: 'foot' }))).rejects.toThrow(/foot: not installed/);
    await expect(openTerminal(options({ name: 'fooot' }))).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
    expect(clients).toEqual([]);
  });

  test('says so on a computer without a display, with the command for a person', async () => {
    await pretend('xterm', runCommand);
    const command = ['frontpanel', 'attach', 'vm 1'];
    await expect(openTerminal(options({ env: { PATH: folder }, command }))).rejects.toMatchObject({
      type: 'UNAVAILABLE',
      message: expect.stringMatching(/no display.*no tmux server/),
      fix: expect.stringContaining("frontpanel attach 'vm 1'"),
      data: { command },
    });
    await expect(openTerminal(options({ env: { PATH: folder }, name: 'xterm' }))).rejects.toThrow(/needs a display/);
    await rm(join(folder, 'xterm'));
    await expect(openTerminal(options())).rejects.toThrow(/none of the terminals.*is installed/);
  });

  describe('with a real tmux', () => {
    const tmux = (...args: string[]) =>
      execFileSync('tmux', ['-S', join(folder, 'tmux'), '-f', '/dev/null', ...args]).toString();
    let env: NodeJS.ProcessEnv = {};

    beforeEach(() => {
      tmux('new-session', '-d', '-s', 'person', 'sleep 600');
      const [path, pid] = tmux('display-message', '-p', '#{socket_path} #{pid}').trim().split(' ');
      env = { PATH: process.env.PATH, TMUX: `${path},${pid},0` };
    });
    afterEach(() => {
      tmux('kill-server');
    });

    test('a window of its own, with the pid of the client', { timeout: 20_000 }, async () => {
      const window = await openTerminal(options({ env, title: '#(touch pwned);' }));
      expect(window).toMatchObject({ terminal: 'tmux', command: attach(), pid: expect.any(Number) });
      expect(tmux('list-panes', '-a', '-F', '#{pane_pid} #{window_name}')).toContain(`${window.pid} #(touch pwned);\n`);
      clients[0]?.destroy();
      await gone(window.pid ?? 0);
    });

    test('arguments arrive as they are', async () => {
      const words = ['a b', '$HOME', ';', 'x;', '#{pid}', "it's", '"'];
      const script = 'printf "%s\\n" "$@" > "$0"; exec sleep 600';
      const command = ['sh', '-c', script, join(folder, 'words'), ...words];
      const connected = async () => {
        await vi.waitFor(() => readFile(join(folder, 'words')), { timeout: 5000 });
        return true;
      };
      const { pid = 0 } = await openTerminal(options({ env, command, connected }));
      await vi.waitFor(async () => {
        expect(await readFile(join(folder, 'words'), 'utf8')).toBe(words.map((word) => `${word}\n`).join(''));
      }, 30_000);
      process.kill(pid);
    });

    test('a window in which nothing connects does not stay', { timeout: 20_000 }, async () => {
      const failing = openTerminal(options({ env, command: ['sleep', '600'], name: 'tmux', connectMs: 1000 }));
      await expect(failing).rejects.toThrow(/tmux: nothing connected/);
      const windows = () => tmux('list-windows', '-t', 'person').trim().split('\n');
      await vi.waitFor(() => expect(windows()).toHaveLength(1), { timeout: 10_000 });
    });

    test('a server that has gone is no place for a window', async () => {
      tmux('kill-server');
      await expect(openTerminal(options({ env, name: 'tmux' }))).rejects.toThrow(/no tmux server/);
      tmux('new-session', '-d', 'sleep 600');
    });
  });
});
