import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import { program } from '../support/sandbox.ts';
import { UnixGuest } from '../support/unix-guest.ts';
import { Desk } from './desk.ts';

const patience = { timeout: 60_000, interval: 100 };
const preload = new URL('../support/inject-errors.mjs', import.meta.url).href;

test('whatever socket, server, process or thread of a console fails, the server lives and consoles come back', async () => {
  const report = join(tmpdir(), `fp-injected-${process.pid}.json`);
  rmSync(report, { force: true });
  const node = ['--import', preload, program, '--allow-commands'];
  await using desk = await Desk.openIn('env', [`INJECTED=${report}`, process.execPath, ...node]);
  const { dir } = desk.sandbox;
  await using tcp = await Guest.listen();
  await using unix = await UnixGuest.listen(join(dir, 'vm.sock'));
  await desk.start({ port: tcp.port, serial_links: true, record: join(dir, 'r.rec') }, `fptest-${process.pid}-tcp`);
  await desk.start({ port: tcp.port, telnet: true }, 'telnet');
  await desk.start({ socket: unix.path }, 'unix');
  await desk.start({ command: ['cat'] }, 'command');
  await desk.start({ command: ['cat'], pty: true }, 'pty');
  for (const machine of ['telnet', 'unix', 'command', 'pty']) await desk.listed(`${machine} LINK UP`);
  const clients = await Promise.all(
    ['in', 'out'].map(async (end) => connect((await desk.port('telnet'))[end === 'in' ? 'socket_in' : 'socket_out'])),
  );
  const people = connect((await desk.port('telnet')).socket_out.replace(/out$/, 'people'));
  people.write(`${JSON.stringify({ hello: { name: 'alice', spy: false } })}\n`);
  for (const client of [...clients, people]) client.on('error', () => {});
  await desk.listed('alice');
  await desk.read({ machine: 'unix', view: 'screen' });
  writeFileSync(join(dir, 'f'), 'x'.repeat(1000));
  const put = { machine: 'unix', path: join(dir, 'f'), to: 'f', protocol: 'zmodem', start: '', timeout_ms: 50_000 };
  const sending = desk.call('file_put', put);
  await unix.read();
  await vi.waitFor(() => expect(unix.received.toString('latin1')).toContain('rz\r'), patience);

  process.kill(desk.client.pid, 'SIGUSR2');
  // It is there before it is whole.
  const { kinds, uncaught } = await vi.waitFor(
    () => JSON.parse(readFileSync(report, 'utf8')) as { kinds: object; uncaught: string[] },
    patience,
  );
  expect(uncaught).toEqual([]);
  expect(Object.keys(kinds).sort()).toEqual([
    'accepted socket',
    'connected socket',
    'process',
    'server',
    'stderr of a process',
    'stdin of a process',
    'stdout of a process',
    'thread',
  ]);
  expect((await sending).isError).toBe(true);
  for (const machine of ['telnet', 'unix']) await desk.listed(new RegExp(`${machine} LINK UP[\\s\\S]*lost 1×`));
  expect(await desk.ask('machine_list')).toMatch(/^command (OFF|LINK)/m);
  await desk.start({ port: tcp.port }, 'fresh');
  await desk.listed('fresh LINK UP');
  await desk.read({ machine: 'fresh', view: 'screen' });
  for (const client of [...clients, people]) client.destroy();
});
