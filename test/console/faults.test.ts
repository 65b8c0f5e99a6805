import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { isAlive } from '../../src/host/process-identity.ts';
import { Guest } from '../support/guest.ts';
import { stdioClient } from '../support/mcp-client.ts';
import { Desk, GuestDesk, outputOf } from './desk.ts';

/** Prints as fast as the other side takes it until told to stop. */
class Flood {
  bytes = 0;
  readonly #guest: Guest;
  #stopped = false;
  readonly #done: Promise<void>;

  constructor(guest: Guest) {
    this.#guest = guest;
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #run(): Promise<void> {
    const block = 'the same line again and again\r\n'.repeat(2000);
    while (!this.#stopped) {
      await this.#guest.print(block);
      this.bytes += block.length;
    }
  }
}

describe('a peer that floods', () => {
  test('others are served meanwhile: calls answer, links come up, the flood itself can be read', async () => {
    await using desk = await GuestDesk.at();
    await using calm = await Guest.listen();
    calm.onInput = (text) => void calm.print(`echo ${text.trim()}\r\n`);
    const flood = new Flood(desk.guest);
    await desk.arrived(1_000_000);
    await desk.start({ port: calm.port }, 'calm');
    await desk.listed('calm LINK UP');
    for (let round = 0; round < 5; round++) {
      const before = flood.bytes;
      const answer = await desk.send({ machine: 'calm', text: `round ${round}`, expect: `echo round ${round}` });
      expect(answer).toContain('matched');
      await vi.waitFor(() => expect(flood.bytes).toBeGreaterThan(before), 60_000);
    }
    const machine = 'console-1';
    const there = await desk.json('console_read', { machine, from: 'start', max_chars: 2000 });
    expect(there, 'what was there, not what came since').toMatchObject({ reason: 'quiet' });
    expect(there.output).toContain('the same line again');
    const waited = await desk.read({ machine, from: 'now', expect: 'never', timeout_ms: 500, max_chars: 200 });
    expect(waited).toContain('not seen within the limit');
    expect(await desk.read({ machine, view: 'screen', from: 'now' })).toContain('the same line again');
    await flood.stop();
    expect(await desk.ask('machine_stop', { machine })).toContain('console-1 OFF');
  });

  test('a client on the output socket that never reads harms nobody', async () => {
    await using desk = await GuestDesk.at({ ring_bytes: 65_536 });
    const { socket_out } = await desk.port();
    const deaf = connect(socket_out);
    deaf.pause();
    await desk.listed('1 watching');
    const flood = new Flood(desk.guest);
    await desk.arrived(20_000_000);
    await flood.stop();
    await desk.guest.print('THE END\r\n');
    expect(await desk.read({ expect: 'THE END', from: 'start' })).toContain('matched');
    await desk.arrived(flood.bytes + 9);
    expect((await desk.port()).link).toMatchObject({ bytesIn: flood.bytes + 9, losses: 0 });
    deaf.destroy();
  });
});

describe('a server killed with SIGKILL', () => {
  test('leaves nothing that hinders the next one; people come back on their own; doctor clears up', async () => {
    await using desk = await GuestDesk.at();
    const { pid } = desk.client;
    const attached = desk.sandbox.spawn(['attach', 'console-1']);
    let shown = '';
    attached.stdout.setEncoding('utf8').on('data', (text) => {
      shown += text;
    });
    await desk.listed('1 watching');
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 60_000);
    expect(desk.sandbox.servers).toEqual([`${pid}`]);

    await using next = await stdioClient(desk.sandbox, 'modern');
    await next.startConsole(desk.guest.port);
    await desk.guest.print('from the second server\r\n');
    await vi.waitFor(() => expect(shown).toContain('from the second server'), 60_000);
    attached.stdin.write('typed after the crash\r');
    await vi.waitFor(() => expect(desk.guest.received).toBe('typed after the crash\r'), 60_000);

    const found = await desk.sandbox.run(['doctor', '--quick']);
    expect(found.stdout).toContain(`files of dead servers (process ${pid})`);
    const fixed = await desk.sandbox.run(['doctor', '--quick', '--fix']);
    expect(fixed.stdout).toContain(`removed what process ${pid} left`);
    expect(desk.sandbox.servers).toEqual([`${next.pid}`]);
    const { text } = await next.call('machine_list');
    expect(text).toContain('console-1 LINK UP');
  });

  test('takes the command of its console with it', async () => {
    await using desk = await Desk.open(['--allow-commands']);
    await desk.start({ command: ['sh', '-c', 'trap "" HUP TERM; echo pid $$; sleep 1000; sleep 1000'] });
    const child = Number(/pid (\d+)/.exec(await desk.read({ expect: '/pid \\d+\\n/' }))?.[1]);
    expect(isAlive(child)).toBe(true);
    process.kill(desk.client.pid, 'SIGKILL');
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), 60_000);
  });
});

test('a command that ends by a signal, or at once, leaves its last words', async () => {
  await using desk = await Desk.open(['--allow-commands']);
  await desk.start({ command: ['sh', '-c', 'echo dying; kill -9 $$'] }, 'killed');
  await desk.start({ command: ['sh', '-c', 'seq 1 5000; echo the very last word'] }, 'quick');
  expect(await desk.listed('killed OFF')).toContain('was killed by SIGKILL');
  await desk.listed('quick OFF');
  expect(outputOf(await desk.read({ machine: 'killed' }))).toBe('dying');
  const last = await desk.read({ machine: 'quick', from: 'start', max_chars: 28_000 });
  expect(outputOf(last)).toBe(`${Array.from({ length: 5000 }, (_, n) => n + 1).join('\n')}\nthe very last word`);
  const events = await desk.ask('events_read', { types: ['link_ended'] });
  expect(events).toContain('killed link_ended: Link ended: the command was killed by SIGKILL');
  expect(events).toContain('quick link_ended: Link ended: the command ended with code 0');
});

test('200 names that try to be paths or commands are refused, and make no file', async () => {
  await using desk = await GuestDesk.at();
  const poisons = ['..', '.', '/', '../x', '/etc/passwd', 'a/b', '~', '$(id)', '`id`', ';id', '|id', '&id', '>x', '<x'];
  const marks = [
    'a b',
    '\n',
    '\r',
    '\t',
    '\0',
    '\x1b[31m',
    '\u202e',
    '\u200b',
    'é',
    '猫',
    '-rf',
    '--help',
    '_x',
    '"',
    "'",
  ];
  const parts = [
    ...poisons,
    ...marks,
    '*',
    '?',
    '{a,b}',
    '%2e%2e',
    '\\..\\',
    'C:\\x',
    '#x',
    '!x',
    '=x',
    ':x',
    '@x',
    ',',
  ];
  const around = [(part: string) => part, (part: string) => `x${part}/y`, (part: string) => `vm ${part}`];
  const more = [(part: string) => `${part}\n${part}`, (part: string) => `/${part}/`];
  const names = [...around, ...more].flatMap((wrap) => parts.map(wrap));
  names.push('', 'a..b', 'x'.repeat(49), 'x'.repeat(4096), '.hidden', 'trailing..');
  expect(names.length).toBeGreaterThanOrEqual(200);
  for (const name of names) {
    const args = { kind: 'console', name, options: { port: desk.guest.port } };
    expect(await desk.refusal('machine_start', args), JSON.stringify(name)).toMatchObject({
      error_type: 'INVALID_ARGUMENT',
    });
  }
  const runtime = join(desk.sandbox.dir, 'run', 'frontpanel', String(desk.client.pid));
  expect(readdirSync(runtime).sort()).toEqual(expect.arrayContaining(['console-1.in', 'console-1.out']));
  expect(readdirSync(runtime).filter((file) => /\.(in|out)$/.test(file))).toHaveLength(2);
  expect(readdirSync(desk.sandbox.dir)).toEqual(['run']);
  expect(desk.guest.connections).toBe(1);
});

test('the end of the client is the end of the server and its sockets', async () => {
  await using desk = await GuestDesk.at();
  const { socket_out } = await desk.port();
  const { pid } = desk.client;
  await desk.client.close();
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 60_000);
  expect(existsSync(socket_out)).toBe(false);
  expect(desk.sandbox.servers).toEqual([]);
});
