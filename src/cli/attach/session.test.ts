import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { Session } from './session.ts';

test('who reads that they are connected can type at once: the terminal passes keys on by then', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fp-session-'));
  const path = join(folder, 'line');
  const server = createServer((socket) => socket.resume()).listen(path);
  const happened: string[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => happened.push(raw ? 'raw' : 'cooked'),
  });
  const stderr = new PassThrough();
  stderr.on('data', (text: Buffer) => happened.push(text.toString()));
  const session = new Session({
    ...{ spy: false, once: true, stdin, stdout: new PassThrough().resume(), stderr, label: 'box' },
    locate: async () => ({ in: path, out: path }),
    filter: () => (bytes) => bytes,
    quietMs: 0,
    drainLimitMs: 0,
  });
  const over = session.run();
  await vi.waitFor(() => expect(happened.join()).toContain('Connected to box'), { timeout: 60_000 });
  expect(happened).toEqual(['raw', '[frontpanel] Connected to box. Ctrl-] leaves. ^Ec? lists other keys.\r\n']);
  stdin.write('\x1d');
  expect(await over).toBe(0);
  expect(happened.slice(2)).toEqual(['cooked', '[frontpanel] Left box.\n']);
  server.close();
  rmSync(folder, { recursive: true });
});
