import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { program } from '../support/sandbox.ts';
import { Tmux } from '../support/tmux.ts';
import { GuestDesk, outputOf } from './desk.ts';

const attachCommand = (args: string) =>
  `'${process.execPath}' '${program}' attach ${args}; echo "left with $?"; exec cat`;

describe('a person at a terminal', () => {
  test('sees what was before, types beside the agent, and leaves with Ctrl-]', async () => {
    await using desk = await GuestDesk.at();
    const lines = Array.from({ length: 80 }, (_, index) => `boot line ${index}`);
    await desk.guest.print(`${lines.join('\r\n')}\r\nguest login: `);
    await desk.arrived(lines.join('\r\n').length);
    await using person = await Tmux.start(desk.sandbox, attachCommand('console-1'));
    await person.shows('guest login:');
    const history = await person.run('capture-pane', '-p', '-S', '-', '-t', 'person');
    expect(history).toContain('boot line 79');
    expect(history).toContain('boot line 21\n');
    expect(history, '60 lines, not all').not.toContain('boot line 19\n');
    expect(history).toMatch(/Connected to console-1\. Ctrl-\] leaves\./);

    await person.type('root', 'Enter');
    await vi.waitFor(() => expect(desk.guest.received).toBe('root\r'), 60_000);
    await desk.guest.print('\r\nPassword: ');
    await person.shows('Password:');
    expect(await desk.read({ expect: 'Password:' })).toContain('matched');

    await Promise.all([person.type('person', 'Enter'), desk.send({ text: 'agent', quiet_ms: 0 })]);
    await vi.waitFor(() => {
      const both = desk.guest.received.slice('root\r'.length);
      expect([...both].sort().join('')).toBe([...'person\ragent\r'].sort().join(''));
      expect(both).toContain('agent\r');
    }, 60_000);
    expect(await desk.ask('machine_list')).toContain('1 watching');

    await person.type('C-]');
    await person.shows('left with 0');
    await desk.listed('0 watching');
    expect(await desk.send({ text: 'still', quiet_ms: 0 })).toContain('sent 6 bytes');
  });

  test('--spy only watches', async () => {
    await using desk = await GuestDesk.at();
    await using person = await Tmux.start(desk.sandbox, attachCommand('console-1 --spy'));
    await person.shows('only watching');
    await person.type('not for the guest', 'Enter');
    await desk.guest.print('seen\r\n');
    await person.shows('seen');
    await desk.send({ text: 'agent', quiet_ms: 0 });
    await vi.waitFor(() => expect(desk.guest.received).toBe('agent\r'), 60_000);
    await person.type('C-]');
    await person.shows('left with 0');
  });

  test('--filtered and the option filter keep hostile sequences away; without them they pass', async () => {
    await using desk = await GuestDesk.at();
    await desk.start({ port: desk.guest.port, filter: true }, 'filtered');
    await desk.listed('filtered LINK UP');
    const title = (person: Tmux) => person.run('display-message', '-p', '-t', 'person', '#{pane_title}');
    const titles: Record<string, string> = {};
    for (const target of ['console-1', 'console-1 --filtered', 'filtered']) {
      await using person = await Tmux.start(desk.sandbox, attachCommand(target));
      await person.shows('Connected to');
      await desk.guest.print('\x1b]2;stolen title\x07\x1b[31mcolour\x1b[0m \x1b]52;c;ZXZpbA==\x07 done\r\n');
      await person.shows('colour  done');
      titles[target] = (await title(person)).trim();
    }
    expect(titles['console-1']).toBe('stolen title');
    expect(titles['console-1 --filtered']).not.toBe('stolen title');
    expect(titles.filtered).not.toBe('stolen title');
  });

  test('is told when the console goes and when it is back', async () => {
    await using desk = await GuestDesk.at();
    await using person = await Tmux.start(desk.sandbox, attachCommand('console-1'));
    await person.shows('Connected to console-1');
    await desk.ask('machine_stop', { machine: 'console-1' });
    await person.shows(/Lost console-1: .*\. Trying to connect again\./);
    await desk.start({ port: desk.guest.port });
    await person.shows('Connected to console-1 again.');
    await person.type('here again');
    await vi.waitFor(() => expect(desk.guest.received).toBe('here again'), 60_000);
  });

  test('asks for a console that is not there', async () => {
    await using desk = await GuestDesk.at();
    const { code, stderr } = await desk.sandbox.run(['attach', 'console-2']);
    expect(code).toBe(1);
    expect(stderr).toContain('There is no console console-2.');
    expect(stderr).toContain('frontpanel attach console-1');
  });
});

// After a second of silence it ends: this process may be kept from answering for as long.
test('a pipe: input goes in, output comes out, then it ends', { retry: 3 }, async () => {
  await using desk = await GuestDesk.at();
  desk.guest.onInput = (text) => void desk.guest.print(`you said ${text.trim()}\r\n`);
  const { code, stdout } = await desk.sandbox.run(['attach', 'console-1'], { input: 'hello\r' });
  expect(stdout).toBe('you said hello\r\n');
  expect(code).toBe(0);
});

test('a client that stalls does not slow another, and is told exactly what it missed', async () => {
  const ring_bytes = 262_144;
  await using desk = await GuestDesk.at({ ring_bytes });
  const stalled = desk.sandbox.spawn(['attach', 'console-1', '--spy']);
  let shown = Buffer.alloc(0);
  stalled.stdout.on('data', (bytes) => {
    shown = Buffer.concat([shown, bytes]);
  });
  await desk.listed('1 watching');
  stalled.kill('SIGSTOP');

  const { socket_out } = await desk.port();
  const other = connect(socket_out);
  await desk.listed('2 watching');
  let received = Buffer.alloc(0);
  other.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
  });
  let all = Buffer.alloc(0);
  for (let block = 0; block < 100; block++) {
    const lines = Array.from({ length: 2500 }, (_, line) => `block ${block} line ${line}\r\n`).join('');
    all = Buffer.concat([all, Buffer.from(lines)]);
    await desk.guest.print(lines);
    // Step by step, or a test that is not given the processor for long would be the one that stalls.
    await vi.waitFor(() => expect(received.length).toBe(all.length), { timeout: 60_000, interval: 2 });
  }
  expect(received.equals(all)).toBe(true);
  expect(outputOf(await desk.read({ from: 'now', view: 'raw' }))).toBe('');

  stalled.kill('SIGCONT');
  await vi.waitFor(() => expect(shown.subarray(-22).toString()).toBe(all.subarray(-22).toString()), 60_000);
  const gaps = [...shown.toString().matchAll(/\r\n\[frontpanel: gap of (\d+) bytes\]\r\n/g)];
  expect(gaps.length).toBeGreaterThan(0);
  const marks = gaps.reduce((sum, [mark]) => sum + mark.length, 0);
  const missed = gaps.reduce((sum, [, bytes]) => sum + Number(bytes), 0);
  expect(shown.length - marks + missed).toBe(all.length);
  other.destroy();
  await once(other, 'close');
});
