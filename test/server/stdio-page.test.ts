import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HttpProgram } from '../support/http-program.ts';
import { RawStdio } from '../support/raw-stdio.ts';
import { Sandbox } from '../support/sandbox.ts';

const watchLine = /^The user can watch and take over at (http:\/\/127\.0\.0\.1:\d+\/)#token=(\S+)$/m;

test('over stdio the page opens with the first machine, and the answer says where', async () => {
  await using sandbox = await Sandbox.open();
  const raw = new RawStdio(sandbox);
  await raw.initialize();
  const first = await raw.call('machine_start', { kind: 'c64', options: { boot: false } });
  const [, page = '', token = ''] = watchLine.exec(first) ?? [];
  const shown = await fetch(page);
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('<title>frontpanel</title>')]);
  const ask = (bearer: string) =>
    fetch(new URL('/mcp', page), { method: 'POST', headers: { authorization: `Bearer ${bearer}` }, body: '{}' });
  expect((await ask('guessed')).status).toBe(401);
  expect((await ask(token)).status).not.toBe(401);
  expect(await raw.call('machine_start', { kind: 'c64', options: { boot: false } })).not.toMatch(watchLine);
});

test('--page off opens none; a port that is taken costs nobody a machine', async () => {
  await using sandbox = await Sandbox.open();
  const off = new RawStdio(sandbox, ['--page', 'off']);
  await off.initialize();
  expect(await off.call('machine_start', { kind: 'c64', options: { boot: false } })).not.toContain('watch');

  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';
  const taken = new RawStdio(sandbox, ['--page', port]);
  await taken.initialize();
  const answer = await taken.call('machine_start', { kind: 'c64', options: { boot: false } });
  expect(answer).toMatch(/^c64-1 /);
  expect(answer).not.toContain('watch');
  other.close();
  expect(await sandbox.run(['--page', '70000'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('auto, off or a TCP port'),
  });
});

test('the token is the same after a restart, for its owner only, and the lines to paste have it', async () => {
  await using sandbox = await Sandbox.open();
  const token = async () => {
    await using program = await HttpProgram.start(sandbox);
    const { url, token: bearer } = program;
    for (const line of [
      `claude mcp add --transport http frontpanel ${url} --header "Authorization: Bearer ${bearer}"`,
      `export FRONTPANEL_TOKEN=${bearer}; codex mcp add frontpanel --url ${url} --bearer-token-env-var FRONTPANEL_TOKEN`,
      `gemini mcp add --transport http frontpanel ${url} --header "Authorization: Bearer ${bearer}"`,
    ]) {
      expect(program.log.split(/\n(?:[A-Z][A-Za-z ]+: +)?/)).toContain(line);
    }
    expect(JSON.parse(/^Other clients: (.*)$/m.exec(program.log)?.[1] ?? '')).toEqual({
      mcpServers: {
        frontpanel: { type: 'http', url: program.url, headers: { Authorization: `Bearer ${program.token}` } },
      },
    });
    return program.token ?? '';
  };
  const first = await token();
  const path = join(sandbox.dir, '.local/state/frontpanel/token');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await readFile(path, 'utf8')).trim()).toBe(first);
  expect(await token()).toBe(first);
  await chmod(path, 0o644);
  expect(await token()).not.toBe(first);
  await chmod(path, 0o600);
  await writeFile(path, 'short\n');
  const renewed = await token();
  expect(renewed).not.toBe('short');
  expect(await token()).toBe(renewed);
});

test('where the token cannot be kept the server says so and starts all the same', async () => {
  await using sandbox = await Sandbox.open();
  await writeFile(join(sandbox.dir, '.local'), 'no folder');
  await using program = await HttpProgram.start(sandbox);
  expect(program.log).toContain('the token cannot be kept for the next start: ');
  expect(program.token).toMatch(/^\S{20,}$/);
});
