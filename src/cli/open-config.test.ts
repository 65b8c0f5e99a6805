import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConfigWarnings } from './open-config.ts';
import { parseCommandLine } from './parse.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'open-config-'));
});
afterAll(() => rm(folder, { recursive: true }));

const row = { name: 'alice', role: 'use' };

test.each([
  ['a token of somebody', { tokens: [{ ...row, token: 'a-token-of-some-length' }] }, 0o644, true],
  ['the owner’s token', { token: 'a-token-of-some-length' }, 0o640, true],
  ['one that is closed', { tokens: [{ ...row, token: 'a-token-of-some-length' }] }, 0o600, false],
  ['a digest', { tokens: [{ ...row, 'token-sha256': 'a1'.repeat(32) }] }, 0o644, false],
  ['no list', { tokens: null }, 0o644, false],
  ['no token', { port: 0 }, 0o644, false],
])('a configuration file with %s', async (_what, config, mode, isWarnedOf) => {
  const path = join(folder, 'config.json');
  await writeFile(path, JSON.stringify(config));
  await chmod(path, mode);
  const line = parseCommandLine(['serve', '--config', path], {}, () => JSON.stringify(config));
  const warning = `${path} holds tokens and is open to other users of this computer; close it: chmod 600 ${path}`;
  expect(openConfigWarnings(line)).toEqual(isWarnedOf ? [warning] : []);
});
