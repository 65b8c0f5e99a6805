import { existsSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { Tmux } from '../support/tmux.ts';
import { Desk, GuestDesk } from './desk.ts';

test('terminal "tmux" opens a window in the tmux the server runs in, and it works', async () => {
  let tmux: Tmux | undefined;
  const inTmux = async (sandbox: Sandbox) => {
    tmux = await Tmux.start(sandbox, 'exec cat');
    sandbox.env.TMUX = await tmux.variable();
  };
  await using desk = await Desk.open([], inTmux);
  await using person = tmux ?? (await Tmux.start(desk.sandbox, 'exec cat'));
  await using guest = await Guest.listen();
  await desk.start({ port: guest.port });
  await desk.listed('LINK UP');
  await guest.print('in a window\r\n');
  const opened = await desk.ask('console_setup', { terminal: 'tmux' });
  const pid = Number(/tmux opened \(pid (\d+)\)/.exec(opened)?.[1]);
  expect(await person.run('list-panes', '-a', '-F', '#{pane_pid} #{window_name}')).toContain(`${pid} console-1`);
  await person.shows('in a window');
  await person.type('typed there', 'Enter');
  await vi.waitFor(() => expect(guest.received).toBe('typed there\r'), 60_000);
  await desk.listed('1 watching');

  const again = await desk.ask('console_setup', { terminal: 'tmux' });
  expect(again, 'one window is enough').toContain(`pid ${pid}`);
  expect(await person.run('list-windows', '-t', 'person')).toMatch(/^(.*\n){2}$/);

  const other = await Guest.listen();
  const started = await desk.ask('machine_start', {
    kind: 'console',
    name: 'second',
    options: { port: other.port, terminal: 'auto' },
  });
  expect(started).toMatch(/Opened a tmux window \(pid \d+\)/);
  await other[Symbol.asyncDispose]();
});

test('without a display the console starts all the same and the answer says what a person can do', async () => {
  await using guest = await Guest.listen();
  await using desk = await Desk.open();
  const options = { port: guest.port, terminal: 'auto' };
  const started = await desk.ask('machine_start', { kind: 'console', options });
  expect(started).toMatch(/No terminal window: .*no display \(neither DISPLAY nor WAYLAND_DISPLAY is set\)/);
  expect(started).toMatch(/A person can run this in any terminal of this computer: .* attach .*console-1\.out/);
  await desk.listed('LINK UP');
  expect(await desk.refusal('console_setup', { terminal: 'xterm' })).toMatchObject({ error_type: 'UNAVAILABLE' });
  const unknown = await desk.refusal('console_setup', { terminal: 'teletype' });
  expect(unknown).toMatchObject({ error_type: 'INVALID_ARGUMENT' });
  expect(unknown.suggested_fix).toContain('xterm');
  expect(await desk.ask('console_setup', {})).toContain('everybody may write');
});

test('links in /tmp are made only on request, lead to the sockets, and go with the console', async () => {
  await using desk = await GuestDesk.at();
  const name = `fp-test-${process.pid}`;
  const link = (end: 'in' | 'out') => `/tmp/serial_${name}.${end}`;
  expect(existsSync('/tmp/serial_console-1.out')).toBe(false);
  await desk.start({ port: desk.guest.port, serial_links: true }, name);
  await desk.listed(`${name} LINK UP`);
  const { socket_in, socket_out } = await desk.port(name);
  expect([readlinkSync(link('in')), readlinkSync(link('out'))]).toEqual([socket_in, socket_out]);
  const input = connect(link('in'));
  input.end('by the old name\r');
  await vi.waitFor(() => expect(desk.guest.received).toBe('by the old name\r'), 60_000);
  await desk.ask('machine_stop', { machine: name });
  expect([existsSync(link('in')), existsSync(link('out'))]).toEqual([false, false]);
});
