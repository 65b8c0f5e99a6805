import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { parseCommandLine } from '../../src/cli/parse.ts';
import { freePort } from '../support/free-port.ts';
import { HttpProgram } from '../support/http-program.ts';
import { httpClient } from '../support/mcp-client.ts';
import { program, Sandbox } from '../support/sandbox.ts';

const threadsOf = (...argv: string[]) => parseCommandLine(argv, {}, () => undefined).options.threads;

test('servers for many leave one processor to those who call; those that a client starts have no threads', () => {
  const most = Math.min(availableParallelism() - 1, 64);
  expect([threadsOf('serve'), threadsOf('station', '--nats', 'nats://x')]).toEqual([most, most]);
  expect([[], ['dap'], ['call', 'x'], ['gym', 'x'], ['doctor']].map((argv) => threadsOf(...argv))).toEqual([
    0, 0, 0, 0, 0,
  ]);
  expect(threadsOf('serve', '--threads', '0')).toBe(0);
});

test('a server has threads for machines only once there is a machine', async () => {
  await using sandbox = await Sandbox.open();
  const served = await HttpProgram.start(sandbox, '--threads', '1');
  await using client = await httpClient(served, 'modern');
  const tasks = () => readdirSync(`/proc/${served.child.pid}/task`).length;
  await client.call('machine_kinds');
  const idle = tasks();
  expect((await client.call('machine_start', { kind: 'c64' })).isError).toBe(false);
  expect(tasks()).toBeGreaterThan(idle);
}, 120_000);

test.each(['0', '1'])(
  'with --threads %s the machine of the demo runs, and can be worked with and stopped',
  async (threads) => {
    await using sandbox = await Sandbox.open();
    const served = await HttpProgram.start(sandbox, '--demo', '--threads', threads);
    await using client = await httpClient(served, 'modern');
    expect((await client.call('machine_list')).text).toMatch(/c64-1 RUNNING/);
    expect((await client.call('events_read')).text).toContain('c64-1 demo: the demo is running');
    expect((await client.call('memory_read', { address: '$C000', length: 1 })).text).toContain('$C000  78');
    expect((await client.call('machine_stop', { machine: 'c64-1' })).isError).toBe(false);
    expect((await client.call('machine_list')).text).toContain('No machine is running');
  },
  120_000,
);

test.each(['0', '1'])(
  'with --threads %s a demo that may not be is said, and the server ends',
  async (threads) => {
    await using sandbox = await Sandbox.open();
    const port = String(await freePort());
    const ended = await sandbox.run(['serve', '--demo', '--port', port, '--threads', threads, '--allow-kinds', 'dos']);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('No kind "c64"') });
    expect(ended.stderr).not.toContain('cannot listen');
  },
  120_000,
);

test('where few files may be open there are no threads, and machines start all the same', async () => {
  await using sandbox = await Sandbox.open();
  const { FRONTPANEL_THREADS: _, ...env } = sandbox.env;
  const script = 'ulimit -n 100; exec "$0" serve --port 0';
  const child = spawn('sh', ['-c', script.replace('serve', `${program} serve`), process.execPath], {
    cwd: sandbox.dir,
    env,
  });
  await using served = await HttpProgram.of(child);
  await using client = await httpClient(served, 'modern');
  for (const kind of ['c64', 'dos', 'vic20']) {
    const started = await client.call('machine_start', { kind });
    expect(started.isError, started.text).toBe(false);
  }
}, 120_000);
