import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HttpProgram } from '../support/http-program.ts';
import { httpClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let outside: string;
beforeEach(async () => {
  sandbox = await Sandbox.open();
  outside = await mkdtemp(join(tmpdir(), 'fp-exe-'));
});
afterEach(async () => {
  await sandbox[Symbol.asyncDispose]();
  await rm(outside, { recursive: true });
});

test('--exe of a file that is missing, or that DOS cannot start, says so and ends', async () => {
  const missing = await sandbox.run(['serve', '--port', '0', '--exe', join(outside, 'NO.COM')]);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('NO.COM: there is no such file') });
  expect(missing.stderr).not.toContain('    at ');
  await writeFile(join(outside, 'HUGE.COM'), new Uint8Array(0x10000));
  const refused = await sandbox.run(['serve', '--port', '0', '--exe', join(outside, 'HUGE.COM')]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('C:\\HUGE.COM did not start') });
  expect(refused.stderr).not.toContain('    at ');
});

test('--exe allows the program it names, wherever it lies, and nothing outside of its folder', async () => {
  // mov ah,9; mov dx,10b; int 21; jmp $; "hello$"
  const folder = join(outside, 'game');
  await mkdir(folder);
  await writeFile(join(folder, 'HI.COM'), Buffer.from('b409ba0901cd21ebfe68656c6c6f24', 'hex'));
  await writeFile(join(outside, 'NOTES.TXT'), 'private');
  await using server = await HttpProgram.start(sandbox, '--exe', join(folder, 'HI.COM'), '--toolset', 'all');
  await using client = await httpClient(server, 'legacy');
  expect((await client.call('screen_read', { mode: 'text' })).text).toContain('hello');
  const symbols = await client.call('names_import', { path: join(outside, 'NOTES.TXT') });
  expect(symbols.text).toContain('outside of the directories');
});
