import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outcomeText } from '../../src/api/outcome-text.ts';
import { dosKind } from '../../src/machines/dos/dos-kind.ts';
import { Confirmations } from '../../src/tools/confirmations.ts';
import { tools } from '../../src/tools/index.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { makeRack } from '../make-rack.ts';

/**
 * 100: mov ah,9; mov dx,122; int 21; mov ax,3D00; mov dx,126; int 21; call 118; mov ah,0; int 16; jmp 100
 * 118: inc word [200]; ret. 122: "Hi$". 126: "NO.TXT".
 */
const code = 'b409 ba2201 cd21 b8003d ba2601 cd21 e80600 b400 cd16 ebe8 ff060002 c3';
let directory: string;
let toolbox: Toolbox;
const bugs: unknown[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fp-dos-'));
  const program = Buffer.alloc(0x110);
  program.write(code.replaceAll(' ', ''), 'hex');
  program.write('Hi$', 0x22);
  program.write('NO.TXT\0', 0x26);
  await writeFile(join(directory, 'T.COM'), program);
  toolbox = new Toolbox(tools, ['all'], makeRack([dosKind]), new Confirmations(false, () => ''), (bug) =>
    bugs.push(bug),
  );
  await toolbox.rack.start('dos', dosKind.options.parse({ program: join(directory, 'T.COM') }));
});
afterAll(async () => {
  await toolbox.rack.close();
  await rm(directory, { recursive: true });
});

async function call(tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const caller = { client: 'test', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };
  const outcome = await toolbox.call(tool, args, caller);
  if (bugs.length > 0) throw bugs[0];
  return outcomeText(outcome);
}

test('a program is understood while it waits for a key', async () => {
  const calls = await call('calls_read');
  expect(calls).toMatch(/ah=09 .*"Hi"/);
  expect(calls).toMatch(/open "NO.TXT".* = error 2/);
  expect(calls).toMatch(/int 16h ah=00 .* = … \[[0-9A-F]{4}:0114\]/);
  expect(calls).not.toContain('timer');
  const functions = await call('functions_list', { filter: ':0118' });
  expect(functions).toMatch(/[0-9A-F]{4}:0118: 1 call; from [0-9A-F]{4}:010F; 1 return\b/);
  const listed = await call('functions_list');
  expect(listed).toMatch(/F000:[0-9A-F]{4} int_21h: 2 calls/);
});

test('code is disassembled from where the processor is, with the name of its space or without', async () => {
  const here = await call('disassemble', { count: 3 });
  expect(here).toMatch(/^→? ?.*[0-9A-F]{4}:[0-9A-F]{4}/m);
  expect(here).not.toContain('ERROR');
  expect(await call('disassemble', { count: 3, space: 'cpu' })).toBe(here);
});

test('what runs when a key is pressed, and where it stops on the way', async () => {
  await call('coverage_read', { action: 'start', name: 'idle' });
  await call('run', { frames: 10 });
  await call('coverage_read', { action: 'stop', name: 'idle' });
  await call('coverage_read', { action: 'start', name: 'key' });
  await call('breakpoint_set', { type: 'interrupt', address: '21h', condition: 'ah==0x3d' });
  await call('trace_start', { last: '0x9ffff' });
  expect(await call('input_send', { keys: ['a'] })).toMatch(
    /BREAKPOINT at F000:[0-9A-F]{4} · stop \d+: breakpoint 1, interrupt/,
  );
  expect(await call('state_read')).toMatch(/called from [0-9A-F]{4}:010D/);
  await call('breakpoint_delete', { id: 1 });
  await call('run', { frames: 10 });
  await call('trace_stop');
  const trace = await call('trace_read', { from: 0 });
  expect(trace).toMatch(/0 ....:0116 jmp 0x100 .*\n1 ....:0100 mov ah,9\n2 ....:0102 mov dx,0x122 +eax=000009/);
  const read = { action: 'read', name: 'key', without: 'idle' };
  expect(await call('coverage_read', { ...read, only_new: false })).toMatch(/:0118: 2 instructions, 5 bytes, 2 runs/);
});

test('names, frozen memory and the graph agree with each other', async () => {
  const data = await call('functions_list', { filter: ':0118', format: 'json' });
  const [{ where }] = (JSON.parse(data) as { functions: [{ where: string }] }).functions;
  await call('names_write', { address: where, name: 'count_up' });
  expect(await call('graph_read', { address: 'count_up', scope: 'function' })).toMatch(
    /#\d+ ....:0118 count_up, 2 runs\n {2}....:0118 inc word \[0x200\]\n {2}....:011C ret/,
  );
  expect(await call('graph_read', { address: 'count_up', as: 'xrefs' })).toMatch(
    /call from ....:010F call count_up \(2\)/,
  );
  const counter = `${where.slice(0, 4)}:0200`;
  await call('memory_freeze', { address: counter, bytes: '07 00' });
  await call('input_send', { keys: ['b'] });
  await call('run', { frames: 10 });
  expect(await call('memory_read', { address: counter, length: 2 })).toMatch(/:0200 {2}07 00/);
  await call('memory_freeze', { release: 1 });
  await call('input_send', { keys: ['c'] });
  await call('run', { frames: 10 });
  expect(await call('memory_read', { address: counter, length: 2 })).toMatch(/:0200 {2}08 00/);
});
