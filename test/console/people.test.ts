import { once } from 'node:events';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { program, type Sandbox } from '../support/sandbox.ts';
import { Tmux } from '../support/tmux.ts';
import { type Desk, GuestDesk } from './desk.ts';

const patience = { timeout: 60_000, interval: 50 };

/** Somebody at a terminal of their own, attached. */
async function person(desk: { readonly sandbox: Sandbox }, name: string, args = ''): Promise<Tmux> {
  const command = `USER=${name} '${process.execPath}' '${program}' attach console-1 ${args}; echo "left with $?"; exec cat`;
  const tmux = await Tmux.start(desk.sandbox, command);
  await tmux.shows('Connected to console-1');
  return tmux;
}

/** conserver's keys: Ctrl-E c and one more. */
async function command(tmux: Tmux, key: string): Promise<void> {
  await tmux.type('C-e', 'c', ...key);
}

function on(desk: Desk, wanted: string | RegExp): Promise<string> {
  return desk.listed(wanted);
}

describe('who is on', () => {
  test('people and agents see each other by name', async () => {
    await using desk = await GuestDesk.at();
    await using alice = await person(desk, 'alice');
    await using bob = await person(desk, 'bob', '--spy');
    expect(await on(desk, /on: .*alice.*bob/)).toContain('2 watching');
    await desk.read();
    await command(alice, 'w');
    const seen = await alice.shows(/on this console: .*/);
    expect(seen.replaceAll('\n', '')).toMatch(
      /alice on pts\/\d+ \(you\); bob on pts\/\d+ \(watching\); test modern \(agent\)/,
    );
    const { present } = (await desk.port()) as unknown as {
      present: { name: string; kind: string; spying: boolean }[];
    };
    expect(present.map(({ kind, spying }) => [kind, spying])).toEqual([
      ['person', false],
      ['person', true],
      ['agent', false],
    ]);
    await bob.type('C-]');
    await bob.shows('left with 0');
    await vi.waitFor(async () => expect(await desk.ask('machine_list')).not.toContain('bob'), patience);
  });

  test('names are shown as plain text and bounded, whatever a terminal says of itself', async () => {
    await using desk = await GuestDesk.at();
    const { socket_out } = await desk.port();
    const socket = connect(join(dirname(socket_out), 'console-1.people'));
    await once(socket, 'connect');
    const name = `evil\u202e\x1b[31m\n${'x'.repeat(500)}`;
    socket.write(`${JSON.stringify({ hello: { name, spy: false } })}\n`);
    const list = await on(desk, 'evil[31mxxx');
    expect(/x+/.exec(list.slice(list.indexOf('evil')))?.[0].length).toBeLessThan(64);
    socket.destroy();
  });

  test.each([
    ['nonsense', 'not json\n'],
    ['another message first', '{"type":"aGk="}\n'],
    ['an unknown message', '{"hello":{"name":"x","spy":false}}\n{"do":"format the disk"}\n'],
    ['a line without end', 'x'.repeat(300_000)],
  ])('whoever sends %s is let go, and others stay', async (_what, text) => {
    await using desk = await GuestDesk.at();
    const { socket_out } = await desk.port();
    const socket = connect(join(dirname(socket_out), 'console-1.people'));
    socket.on('error', () => {});
    socket.write(text);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(desk.guest.received).toBe('');
    await desk.send({ text: 'fine', quiet_ms: 0 });
  });
});

describe('one writer at a time', () => {
  test('a person asks for the line: agents and others wait; force takes it; leaving gives it back', async () => {
    await using desk = await GuestDesk.at();
    await using alice = await person(desk, 'alice');
    await using bob = await person(desk, 'bob');
    await alice.type('a');
    await bob.type('b');
    await vi.waitFor(() => expect([...desk.guest.received].sort().join('')).toBe('ab'), patience);

    await command(alice, 'a');
    await bob.shows(/alice on pts\/\d+ has the line/);
    expect(await desk.refusal('console_send', { text: 'agent' })).toMatchObject({
      error_type: 'BUSY',
      message: expect.stringMatching(/^alice on pts\/\d+ has the line/),
      suggested_fix: expect.stringContaining('"writer":"force"'),
    });
    expect(await desk.refusal('console_setup', { writer: 'claim' })).toMatchObject({ error_type: 'BUSY' });
    await bob.type('x');
    await bob.shows('not sent: alice');
    await command(bob, 'a');
    await bob.shows(/nobody else may write\. \^Ecf/);
    await alice.type('A');
    await vi.waitFor(() => expect(desk.guest.received).toMatch(/A$/), patience);

    await command(bob, 'f');
    await alice.shows(/bob on pts\/\d+ has the line, taken from alice/);
    await bob.type('B');
    await vi.waitFor(() => expect(desk.guest.received).toMatch(/AB$/), patience);
    expect(await desk.ask('machine_list')).toMatch(/bob on pts\/\d+ has the line/);

    await bob.type('C-]');
    await bob.shows('left with 0');
    await alice.shows(/bob on pts\/\d+ gave the line back/);
    await desk.send({ text: 'C', eol: 'none', quiet_ms: 0 });
    await vi.waitFor(() => expect(desk.guest.received).toMatch(/ABC$/), patience);
    expect(desk.guest.received).not.toContain('x');
  });

  test('an agent asks for the line: what people type is not sent, programs wait, and it shows in answers', async () => {
    await using desk = await GuestDesk.at();
    await using alice = await person(desk, 'alice');
    expect(await desk.ask('console_setup', { writer: 'claim' })).toContain('test modern (agent) has the line');
    await alice.shows(/test modern \(agent\) has the line/);
    await alice.type('lost');
    await alice.shows('not sent');
    const { socket_in } = await desk.port();
    const typist = connect(socket_in);
    typist.write('waiting');
    await desk.send({ text: 'mine', eol: 'none', quiet_ms: 0 });
    await vi.waitFor(() => expect(desk.guest.received).toBe('mine'), patience);
    expect(await desk.ask('console_setup', { writer: 'release' })).toContain('everybody may write');
    await vi.waitFor(() => expect(desk.guest.received).toBe('minewaiting'), patience);
    expect(await desk.ask('console_setup', { writer: 'release' })).toContain('you did not have the line');
    typist.destroy();
  });

  test('an agent takes the line from a person only with that person’s user agreeing', async () => {
    await using desk = await GuestDesk.at();
    await using alice = await person(desk, 'alice');
    await command(alice, 'a');
    await on(desk, 'has the line');
    const asked = await desk.ask('console_setup', { writer: 'force' });
    expect(asked).toMatch(/^NOT DONE YET: Take tcp .* from alice on pts\/\d+/);
    expect(await desk.ask('machine_list')).toMatch(/alice on pts\/\d+ \(has the line\)/);
    const confirmation_token = /"confirmation_token":"([^"]+)"/.exec(asked)?.[1];
    expect(await desk.ask('console_setup', { writer: 'force', confirmation_token })).toContain('(agent) has the line');
    await alice.shows(/test modern \(agent\) has the line, taken from alice/);
  });
});

describe('keys', () => {
  test('Ctrl-E alone goes to the console, also twice and before other keys; ^Ec^E sends one; ^Ec. leaves', async () => {
    await using desk = await GuestDesk.at();
    await using alice = await person(desk, 'alice');
    await alice.type('C-e');
    await vi.waitFor(() => expect(desk.guest.received).toBe('\x05'), patience);
    await alice.type('C-e', 'x');
    await vi.waitFor(() => expect(desk.guest.received).toBe('\x05\x05x'), patience);
    await alice.type('C-e', 'c', 'C-e');
    await vi.waitFor(() => expect(desk.guest.received).toBe('\x05\x05x\x05'), patience);
    await command(alice, '?');
    await alice.shows('send a BREAK');
    await command(alice, '.');
    await alice.shows('left with 0');
    expect(desk.guest.received).toBe('\x05\x05x\x05');
  });

  test('^Ecl0 sends a BREAK where the line has one, and says so where it has none', async () => {
    await using desk = await GuestDesk.at({ telnet: true });
    await using alice = await person(desk, 'alice');
    await command(alice, 'l0');
    await alice.shows('sent a BREAK');
    await vi.waitFor(() => expect(desk.guest.received).toContain('\xff\xf3'), patience);
    await using plain = await GuestDesk.at();
    await using bob = await person(plain, 'bob');
    await command(bob, 'l0');
    await bob.shows(/cannot carry a BREAK/);
  });
});

test('a window’s client leaves with its console; another connects again', async () => {
  await using desk = await GuestDesk.at();
  await using window = await person(desk, 'alice', '--once');
  await using visitor = await person(desk, 'bob');
  await desk.ask('machine_stop', { machine: 'console-1' });
  await window.shows('left with 0');
  await visitor.shows('Trying to connect again');
  await desk.start({ port: desk.guest.port }, 'console-1');
  await visitor.shows('again.');
});
