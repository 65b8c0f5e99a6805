import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { outcomeText } from '../../src/api/outcome-text.ts';
import { readSections } from '../../src/cli/config-sections.ts';
import { parseCommandLine } from '../../src/cli/parse.ts';
import { openWorld } from '../../src/cli/world.ts';
import { HttpProgram } from '../support/http-program.ts';
import { httpClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

const spice86 = ['--dialect', 'spice86'];
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
  const missing = await sandbox.run(['serve', '--port', '0', ...spice86, '--exe', join(outside, 'NO.COM')]);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('NO.COM: there is no such file') });
  expect(missing.stderr).not.toContain('    at ');
  await writeFile(join(outside, 'HUGE.COM'), new Uint8Array(0x10000));
  const refused = await sandbox.run(['serve', '--port', '0', ...spice86, '--exe', join(outside, 'HUGE.COM')]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('C:\\HUGE.COM did not start') });
  expect(refused.stderr).not.toContain('    at ');
});

test('--exe allows the program it names, wherever it lies, and nothing outside its folder', async () => {
  // mov ah,9; mov dx,10b; int 21; jmp $; "hello$"
  const folder = join(outside, 'game');
  await mkdir(folder);
  await writeFile(join(folder, 'HI.COM'), Buffer.from('b409ba0901cd21ebfe68656c6c6f24', 'hex'));
  await writeFile(join(outside, 'NOTES.TXT'), 'private');
  const { options } = parseCommandLine([...spice86, '--exe', join(folder, 'HI.COM')], sandbox.env, () => undefined);
  const { sections } = readSections(undefined);
  const self = { version: 'test', command: [] };
  const world = await openWorld(options, sections, sandbox.env, self, () => {});
  try {
    await world.prepare();
    const caller = { client: 'test', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };
    const call = async (tool: string, args: unknown) => outcomeText(await world.host.call(tool, args, caller));
    await vi.waitFor(async () => expect(await call('screen_read', { mode: 'text' })).toContain('hello'), 60_000);
    const symbols = await call('names_import', { path: join(outside, 'NOTES.TXT') });
    expect(symbols).toContain('outside the directories');
    expect(world.host.calls(0)[0]).toMatchObject({ tool: 'machine_start', client: 'operator', isError: false });
  } finally {
    await world.close();
  }
});

test('the program runs when the first client comes', async () => {
  await writeFile(join(outside, 'LOOP.COM'), Buffer.from('ebfe', 'hex'));
  await using server = await HttpProgram.start(sandbox, ...spice86, '--cfg-cpu', '--exe', join(outside, 'LOOP.COM'));
  await using client = await httpClient(server, 'legacy');
  const state = await client.call('read_cpu_state', {});
  expect(JSON.parse(state.text)).toMatchObject({
    isPaused: false,
    instructionPointer: { IP: 0x100 },
    cycles: expect.any(Number),
  });
  const graph = JSON.parse((await client.call('read_cfg_cpu_graph', {})).text);
  expect(graph).toMatchObject({
    totalEntryPoints: expect.any(Number),
    lastExecutedAddress: expect.stringMatching(/:0100$/),
  });
});
