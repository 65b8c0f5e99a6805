import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HttpProgram } from '../support/http-program.ts';
import { httpClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

const c64 = { machine: 'c64-1' };

test('a journal is carried out again, every answer is compared, and one that was changed is found', async () => {
  await using sandbox = await Sandbox.open();
  const path = join(sandbox.dir, 'calls.jsonl');
  {
    await using server = await HttpProgram.start(sandbox, '--journal', path, '--yes');
    await using client = await httpClient(server, 'modern');
    await client.call('machine_start', { kind: 'c64' });
    await client.call('program_run', { ...c64, source: '* = $c000\nloop inc $d020\n jmp loop' });
    await client.call('run', { ...c64, frames: 2, show: 'screen' });
    await client.call('screen_read', { ...c64, mode: 'image' });
    await client.call('memory_write', { ...c64, address: '$2000', bytes: '01 02' });
    await client.call('snapshot_save', { ...c64, name: 'here' });
    await client.call('snapshot_restore', { ...c64, name: 'here', into: 'other' });
    await client.call('machine_stop', c64);
    await client.call('machine_start', { kind: 'dos' });
    await client.call('input_send', { machine: 'dos-1', text: 'ver\n', show: 'screen' });
    await client.call('batch', { steps: [{ tool: 'state_read', arguments: { machine: 'dos-1' } }] });
    await client.call('run', { machine: 'other', detach: 'real' });
    await client.call('state_read', { machine: 'other' });
    await client.call('machine_start', { kind: 'console', options: { port: 1 } });
  }
  const proven = await sandbox.run(['replay', path, '--json']);
  const verdicts = verdictsOf(proven.stdout);
  expect(verdicts.filter(({ verdict }) => verdict !== 'same').map(({ tool, why }) => [tool, why])).toEqual([
    ['run', 'the machine goes on in real time'],
    ['state_read', expect.stringMatching(/ran in real time since call \d+/)],
    ['machine_start', expect.stringContaining('a console machine depends on more')],
    [undefined, undefined],
  ]);
  expect(verdicts.at(-1)).toEqual({ ok: true, same: 12, different: 0, 'not compared': 3 });
  expect(proven.code).toBe(0);

  const forged = readFileSync(path, 'utf8').replace('loaded $C000-$C005', 'loaded $C000-$C006');
  writeFileSync(path, forged);
  const found = await sandbox.run(['replay', path]);
  expect(found.code).toBe(1);
  expect(found.stdout).toMatch(/2 program_run c64-1: DIFFERENT: line 2 was\n {4}loaded \$C000-\$C006/);
  expect(found.stdout).toContain('11 answers are the same, 1 are different');
});

test('what is no session is said to be none', async () => {
  await using sandbox = await Sandbox.open();
  writeFileSync(join(sandbox.dir, 'x.txt'), 'hello');
  const { code, stderr } = await sandbox.run(['replay', 'x.txt']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('x.txt is neither a journal nor an exported session')]);
  expect((await sandbox.run(['replay', 'none'])).stderr).toMatch(/none cannot be read: ENOENT/);
});

function verdictsOf(text: string): { verdict?: string; tool?: string; why?: string }[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
