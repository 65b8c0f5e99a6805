import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readlinkSync, statSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { Guest } from '../support/guest.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { UnixGuest } from '../support/unix-guest.ts';
import { Desk, GuestDesk, outputOf } from './desk.ts';

/** A pseudo terminal: the console has one end, the test speaks and hears at the other. */
async function pseudoTerminal(sandbox: Sandbox): Promise<{ device: string; far: ChildProcess; said: () => string }> {
  const link = join(sandbox.dir, 'tty');
  const far = spawn('socat', [`PTY,raw,echo=0,link=${link}`, '-'], { stdio: ['pipe', 'pipe', 'ignore'] });
  let said = '';
  far.stdout?.setEncoding('latin1').on('data', (text) => {
    said += text;
  });
  await vi.waitFor(() => expect(existsSync(link)).toBe(true), 60_000);
  return { device: readlinkSync(link), far, said: () => said };
}

describe('TCP', () => {
  test('carries text both ways, and the first answer says how a person gets there', async () => {
    await using guest = await Guest.listen();
    await using desk = await Desk.open();
    const started = await desk.ask('machine_start', { kind: 'console', options: { port: guest.port } });
    expect(started).toMatch(/^console-1 (CONNECTING|LINK UP) · tcp 127\.0\.0\.1:/);
    expect(started).toContain('frontpanel attach console-1');
    expect(started).toMatch(/Stopped automatically after 1 h idle/);
    await guest.print('hello agent\r\n');
    expect(outputOf(await desk.read({ expect: 'agent' }))).toBe('hello agent');
    await desk.send({ text: 'hello guest', quiet_ms: 0 });
    await vi.waitFor(() => expect(guest.received).toBe('hello guest\r'), 60_000);
  });

  test('carries no BREAK, and the error names what does', async () => {
    await using desk = await GuestDesk.at();
    const refusal = await desk.refusal('console_send', { break_ms: 100 });
    expect(refusal).toMatchObject({ error_type: 'UNAVAILABLE' });
    expect(refusal.message).toContain('telnet');
  });
});

describe('a unix socket', () => {
  test('below an allowed path works', async () => {
    await using desk = await Desk.open();
    await using guest = await UnixGuest.listen(join(desk.sandbox.dir, 'vm.sock'));
    await desk.start({ socket: guest.path });
    await desk.listed('console-1 LINK UP · unix ');
    await guest.read();
    await guest.print('from a socket\r\n');
    expect(outputOf(await desk.read({ expect: 'socket' }))).toBe('from a socket');
    await desk.send({ text: 'x', quiet_ms: 0 });
    await vi.waitFor(() => expect(guest.received.toString()).toBe('x\r'), 60_000);
  });

  test('elsewhere is refused, also behind a symbolic link, and allowed with --allow-path', async () => {
    await using elsewhere = await Desk.open();
    await using guest = await UnixGuest.listen(join(elsewhere.sandbox.dir, 'vm.sock'));
    await using desk = await Desk.open();
    await symlink(guest.path, join(desk.sandbox.dir, 'innocent.sock'));
    for (const socket of [guest.path, 'innocent.sock', '../vm.sock', '/run/../etc/passwd']) {
      const refusal = await desk.refusal('machine_start', { kind: 'console', options: { socket } });
      expect(refusal, socket).toMatchObject({ error_type: 'PATH_NOT_ALLOWED' });
      expect(refusal.suggested_fix).toContain('--allow-path');
    }
    expect(await desk.ask('machine_list')).toContain('No machine is running');
    await using allowed = await Desk.open(['--allow-path', elsewhere.sandbox.dir]);
    await allowed.start({ socket: guest.path });
    await allowed.listed('console-1 LINK UP');
  });
});

describe('a device', () => {
  test('a pseudo terminal works, and cannot hold a BREAK', async () => {
    await using desk = await Desk.open(['--allow-devices', '/dev/pts/*']);
    const { device, far, said } = await pseudoTerminal(desk.sandbox);
    await desk.start({ device, baud_rate: 9600 });
    await desk.listed(`console-1 LINK UP · device ${device}`);
    far.stdin?.write('through a tty\r\n');
    expect(outputOf(await desk.read({ expect: 'tty' }))).toBe('through a tty');
    await desk.send({ text: 'and back', eol: 'lf', quiet_ms: 0 });
    await vi.waitFor(() => expect(said()).toBe('and back\n'), 60_000);
    expect(await desk.refusal('console_send', { break_ms: 10 })).toMatchObject({ error_type: 'UNAVAILABLE' });
    const gone = once(far, 'exit');
    far.kill();
    await gone;
    expect(await desk.listed('console-1 LINK DOWN')).toMatch(/retry in \d+ s/);
  });

  test('that does not exist is tried again and says so', async () => {
    await using desk = await Desk.open();
    await desk.start({ device: '/dev/ttyS4095' });
    expect(await desk.listed('console-1 LINK DOWN')).toMatch(/retry in \d+ s · .*there is no device/);
  });

  test('that is no serial hardware is refused: terminals of people, memory, disks, files, links to them', async () => {
    await using desk = await Desk.open();
    const { device: terminal } = await pseudoTerminal(desk.sandbox);
    const [link, fifo] = [join(desk.sandbox.dir, 'ttyUSB0'), join(desk.sandbox.dir, 'fifo')];
    await symlink(terminal, link);
    execFileSync('mkfifo', [fifo]);
    const people = [terminal, link, '/dev/tty', '/dev/tty1', '/dev/console', '/dev/ptmx', '/dev/ttys001'];
    const others = ['/dev/mem', '/dev/../etc/passwd', '/dev/sda', '/dev/pts/../mem', '/dev/serial/../mem', fifo];
    for (const device of [...people, ...others]) {
      const refusal = await desk.refusal('machine_start', { kind: 'console', options: { device } });
      expect(refusal, device).toMatchObject({
        error_type: 'DENIED',
        suggested_fix: expect.stringContaining('--allow-devices'),
      });
    }
    expect(await desk.ask('machine_list')).toContain('No machine is running');
  });

  test('that the user allowed and is none after all is not opened', async () => {
    await using desk = await Desk.open(['--allow-devices', `${tmpdir()}/*/fifo`]);
    const fifo = join(desk.sandbox.dir, 'fifo');
    execFileSync('mkfifo', [fifo]);
    // As many as there are threads for files, which a FIFO without a writer would keep.
    for (let i = 1; i <= 5; i++) await desk.start({ device: fifo }, `fifo-${i}`);
    expect(await desk.listed('fifo-5 LINK DOWN')).toContain(`${fifo} is not a serial device or terminal`);
    await desk.start({ port: 1, record: join(desk.sandbox.dir, 'works') }, 'files');
  });

  test('that a link leads to is opened by its own name, which nobody can lead elsewhere meanwhile', async () => {
    await using desk = await Desk.open(['--allow-devices', `${tmpdir()}/*/fifo`]);
    const [fifo, link] = ['fifo', 'by-id'].map((name) => join(desk.sandbox.dir, name)) as [string, string];
    execFileSync('mkfifo', [fifo]);
    await symlink(fifo, link);
    await desk.start({ device: link }, 'linked');
    const line = await desk.listed('linked LINK DOWN');
    expect(line).toContain(`device ${link}`);
    expect(line).toContain(`${fifo} is not a serial device or terminal`);
  });
});

describe('a command', () => {
  test('is refused unless the user allowed it', async () => {
    await using desk = await Desk.open();
    const marker = join(desk.sandbox.dir, 'ran');
    const refusal = await desk.refusal('machine_start', { kind: 'console', options: { command: ['touch', marker] } });
    expect(refusal).toMatchObject({ error_type: 'DENIED' });
    expect(refusal.suggested_fix).toContain('--allow-commands');
    expect(existsSync(marker)).toBe(false);
  });

  test('is the console; its words are no shell script; its last words stay when it has ended', async () => {
    await using desk = await Desk.open(['--allow-commands']);
    const marker = join(desk.sandbox.dir, 'ran');
    const script = 'echo "$0"; read line; echo "got $line"; echo to stderr >&2; exit 7';
    await desk.start({ command: ['sh', '-c', script, `$(touch ${marker})`] });
    expect(outputOf(await desk.read({ expect: 'touch' }))).toContain('$(touch');
    const answer = await desk.send({ text: 'word', eol: 'lf', expect: 'to stderr' });
    expect(outputOf(answer)).toBe('got word\nto stderr');
    expect(await desk.listed('console-1 OFF')).toContain('ended with code 7');
    expect(outputOf(await desk.read({ from: 'start' }))).toContain('got word\nto stderr');
    expect(await desk.read({ expect: 'never', from: 'now' })).toContain('the console has ended');
    expect(await desk.refusal('console_send', { text: 'more' })).toMatchObject({ error_type: 'LINK_DOWN' });
    expect(await desk.ask('events_read', { types: ['link_ended'] })).toContain('ended with code 7');
    expect(existsSync(marker)).toBe(false);
  });

  test('that does not exist says what is missing', async () => {
    await using desk = await Desk.open(['--allow-commands']);
    await desk.start({ command: ['no-such-program-here'] });
    expect(await desk.listed('console-1 LINK DOWN')).toContain('there is no program no-such-program-here');
  });
});

test('telnet: options are negotiated, data is escaped both ways, BREAK is IAC BRK', async () => {
  await using desk = await Desk.open();
  let received = Buffer.alloc(0);
  const server = createServer();
  const connected = once(server, 'connection') as Promise<[Socket]>;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await desk.start({ port: typeof address === 'object' ? address?.port : 0, telnet: true });
  const [socket] = await connected;
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
  });
  const hex = () => received.toString('hex');
  // WILL ECHO, WILL SGA, DO TTYPE, DO NAWS; then text with an escaped 0xff and a bare CR, which telnet follows by NUL.
  socket.write(Buffer.from('fffb01fffb03fffd18fffd1f', 'hex'));
  socket.write(Buffer.concat([Buffer.from('log'), Buffer.from('ffff', 'hex'), Buffer.from('in: x\r\0y\r\n')]));
  await vi.waitFor(() => {
    for (const answer of ['fffd01', 'fffd03', 'fffc18', 'fffc1f']) expect(hex()).toContain(answer);
  }, 60_000);
  expect(outputOf(await desk.read({ view: 'raw', expect: 'y' }))).toBe('log\\xffin: x\\ry\\r\\n');
  const before = received.length;
  await desk.send({ bytes: '41 ff 0d', quiet_ms: 0 });
  await vi.waitFor(() => expect(hex().slice(before * 2)).toBe('41ffff0d00'), 60_000);
  const answer = await desk.send({ break_ms: 50, quiet_ms: 0 });
  expect(answer).toContain('after a BREAK of 50 ms');
  await vi.waitFor(() => expect(hex().slice(before * 2)).toBe('41ffff0d00fff3'), 60_000);
  socket.destroy();
  server.close();
});

describe('options that make no sense', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open(['--allow-commands']);
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  test.each([
    [{ socket: 'a', device: '/dev/ttyS0' }, /socket and device cannot both be the console/],
    [{ device: '/dev/ttyS0', command: ['true'] }, /device and command cannot both/],
    [{ device: '/dev/ttyS0', telnet: true }, /telnet goes with TCP and unix sockets only/],
    [{ port: 0 }, /port/],
    [{ port: 70_000 }, /port/],
    [{ port: '4555' }, /port/],
    [{ host: '' }, /host is empty/],
    [{ command: [] }, /command/],
    [{ socket: 'a\0b' }, /NUL/],
    [{ socket: 'x'.repeat(200) }, /too long|at most 10\d|long/],
    [{ parity: 'maybe', device: '/dev/ttyS0' }, /parity/],
    [{ speed: 9600 }, /speed/],
    [{ ring_bytes: 1 }, /ring_bytes/],
    [{ columns: 1 }, /columns/],
  ])('%j', async (options, message) => {
    const refusal = await desk.refusal('machine_start', { kind: 'console', options });
    expect(refusal).toMatchObject({ error_type: 'INVALID_ARGUMENT' });
    expect(`${refusal.message} ${refusal.suggested_fix}`).toMatch(message);
    expect(await desk.ask('machine_list')).toContain('No machine is running');
  });
});

test('a port nobody listens on: LINK DOWN with the reason, the next try, and what was not sent', async () => {
  await using desk = await Desk.open();
  await desk.start({ port: await freePort() });
  const list = await desk.listed('console-1 LINK DOWN');
  expect(list).toMatch(/retry in \d+ s/);
  expect(list).toMatch(/ECONNREFUSED|refused/);
  const refusal = await desk.refusal('console_send', { text: 'lost?', mode: 'nonblocking' });
  expect(refusal).toMatchObject({ error_type: 'LINK_DOWN', written: 0, queued: 0, refused: 6 });
  const answer = await desk.read({ expect: 'never', timeout_ms: 100 });
  expect(answer).toMatch(/^console-1 (LINK DOWN|CONNECTING)/);
  expect(await desk.ask('events_read', { types: ['link_retry'] })).toMatch(/No link: .*; next attempt in \d+ s/);
});

test('sockets for people have mode 0600 in a directory of mode 0700 and speak at once', async () => {
  await using desk = await GuestDesk.at();
  const { socket_out, socket_in } = await desk.port();
  for (const path of [socket_out, socket_in]) expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(socket_out)).mode & 0o777).toBe(0o700);
  await desk.guest.print('for people\r\n');
  await desk.arrived(12);
  const out = connect(socket_out);
  const [history] = (await once(out, 'data')) as [Buffer];
  expect(history.toString()).toBe('for people\r\n');
  const input = connect(socket_in);
  input.end('typed\r');
  await vi.waitFor(() => expect(desk.guest.received).toBe('typed\r'), 60_000);
  out.destroy();
});
