import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import { program } from '../support/sandbox.ts';
import { ShellGuest } from '../support/shell-guest.ts';
import { Desk, GuestDesk, outputOf } from './desk.ts';

let desk: Desk;
let shell: ShellGuest;
beforeAll(async () => {
  desk = await Desk.open();
  shell = await ShellGuest.start(desk.sandbox);
  await desk.start({ socket: shell.path });
  await desk.read({ expect: 'guest$' });
});
afterAll(async () => {
  await desk[Symbol.asyncDispose]();
  await shell[Symbol.asyncDispose]();
});

const timeout_ms = 50_000;
const inSandbox = (name: string) => join(desk.sandbox.dir, name);

describe.each(['zmodem', 'ymodem', 'xmodem'])('%s', (protocol) => {
  // XMODEM pads to blocks of 128; other sizes show that the others do not. A block that is lost on a busy computer takes it ten seconds.
  const bytes = randomBytes(protocol === 'xmodem' ? 5120 : 100_001);

  test('a file goes into the guest and comes back the same', async () => {
    const [here, there, back] = ['here', 'there', 'back'].map((name) => inSandbox(`${protocol}-${name}.bin`));
    writeFileSync(here ?? '', bytes);
    expect(await desk.ask('file_put', { path: here, to: there, protocol, timeout_ms })).toContain(
      `${bytes.length} bytes sent by ${protocol}, which checks each block; it is ${there} on the other side`,
    );
    await desk.send({ text: '', expect: 'guest$' });
    expect(readFileSync(there ?? '').equals(bytes)).toBe(true);
    expect(await desk.ask('file_get', { from: there, path: back, protocol, timeout_ms })).toContain(
      `${bytes.length} bytes in`,
    );
    expect(readFileSync(back ?? '').equals(bytes)).toBe(true);
  });

  test('nothing of it is seen on the console, which works on', async () => {
    const before = (await desk.port()).buffer.end;
    const here = inSandbox(`${protocol}-again.bin`);
    writeFileSync(here, bytes);
    await desk.ask('file_put', { path: here, to: `${here}.there`, protocol, timeout_ms });
    expect(outputOf(await desk.send({ run: 'echo still $((40+2))' }))).toBe('still 42');
    expect((await desk.port()).buffer.end - before).toBeLessThan(2000);
  });
});

test.each([
  // The receiver says where it puts the file, and asks for checksums where it is not told otherwise.
  ['xmodem', 5120, 'rx -b C-G-xmodem/CG'],
  ['ymodem', 5001, 'cd C-G-ymodem; echo CG $PWD; rb -bq; cd ..'],
])('%s: letters of the protocol in what the receiver prints are no requests', async (protocol, size, start) => {
  const bytes = randomBytes(size);
  const [here, folder] = [inSandbox('CG'), inSandbox(`C-G-${protocol}`)];
  writeFileSync(here, bytes);
  mkdirSync(folder);
  const answer = await desk.ask('file_put', { path: here, to: `${folder}/CG`, protocol, start, timeout_ms });
  expect(answer).toContain(protocol === 'xmodem' ? 'XMODEM passes no name on;' : 'the name CG went with it;');
  expect(answer).toContain('the program that received it decides where it is stored');
  await desk.send({ text: '', expect: 'guest$' });
  expect(readFileSync(join(folder, 'CG')).equals(bytes)).toBe(true);
});

test('a receiver that is slow to throw away what came too early gets every block in the end', async () => {
  await using slow = await GuestDesk.at();
  const receiver = new SlowReceiver((answer) => slow.guest.print(answer));
  slow.guest.onInput = (text) => receiver.hear(Buffer.from(text, 'latin1'));
  const bytes = randomBytes(640);
  writeFileSync(join(slow.sandbox.dir, 'f'), bytes);
  const put = { path: join(slow.sandbox.dir, 'f'), to: 'f', protocol: 'xmodem', start: 'loadx', timeout_ms: 50_000 };
  const sent = slow.ask('file_put', put);
  await vi.waitFor(() => expect(slow.guest.received).toContain('loadx'), 60_000);
  receiver.start();
  expect(await sent).toContain('640 bytes sent by');
  expect(Buffer.concat(receiver.blocks).equals(bytes)).toBe(true);
});

/** XMODEM as rz does it on a busy computer: everything that comes soon after an answer is lost. */
class SlowReceiver {
  readonly #say: (text: string) => unknown;
  readonly blocks: Buffer[] = [];
  #pending = Buffer.alloc(0);
  #isDeaf = false;
  #failures = 0;
  #silence: NodeJS.Timeout | undefined;

  constructor(say: (text: string) => unknown) {
    this.#say = say;
  }

  start(): void {
    this.#answer('\r\nC');
  }

  hear(bytes: Buffer): void {
    if (this.#isDeaf || this.#silence === undefined) return;
    this.#pending = Buffer.concat([this.#pending, bytes]);
    if (this.#pending[0] === 0x04) {
      clearTimeout(this.#silence);
      this.#say('\x06');
    } else if (this.#pending.length >= 133) {
      this.#failures = 0;
      this.blocks.push(this.#pending.subarray(3, 131));
      this.#answer('\x06');
    }
  }

  /** Deaf for a while, then waiting for a block, which is asked for again and again. */
  #answer(text: string): void {
    clearTimeout(this.#silence);
    this.#say(text);
    this.#isDeaf = true;
    this.#pending = Buffer.alloc(0);
    setTimeout(() => {
      this.#isDeaf = false;
    }, 60);
    this.#silence = setTimeout(() => {
      if (++this.#failures <= 60) this.#answer(this.blocks.length === 0 ? 'C' : '\x15');
      else this.#say('\x18\x18\x18');
    }, 500);
  }
}

test('a name from the other side reaches no file here but the one asked for', async () => {
  writeFileSync(inSandbox('innocent'), 'payload');
  const path = inSandbox('fetched');
  // The other side sends another name than was asked for.
  await desk.ask('file_get', { from: 'ignored', path, protocol: 'zmodem', start: 'sz -b innocent' });
  expect(readFileSync(path, 'utf8')).toBe('payload');
  const missing = { from: 'no such file', path: inSandbox('never'), protocol: 'zmodem', timeout_ms: 3000 };
  expect(await desk.refusal('file_get', missing)).toMatchObject({ error_type: 'UNAVAILABLE' });
  expect(existsSync(inSandbox('never'))).toBe(false);
});

test('a side that never answers is given up, told so, and the console is free again', async () => {
  await using quiet = await GuestDesk.at();
  writeFileSync(join(quiet.sandbox.dir, 'f'), 'x'.repeat(1000));
  const put = { path: join(quiet.sandbox.dir, 'f'), to: 'f', protocol: 'ymodem', start: 'loady', timeout_ms: 1500 };
  const refusal = await quiet.refusal('file_put', put);
  expect(refusal).toMatchObject({ error_type: 'UNAVAILABLE', message: expect.stringContaining('1.5 s') });
  expect(quiet.guest.received.startsWith('loady\r')).toBe(true);
  await vi.waitFor(() => expect(quiet.guest.received).toMatch(/\x18{10}/), 60_000);
  await quiet.guest.print('=> \r\n');
  expect(outputOf(await quiet.read({ expect: '=>' }))).toBe('=>');
  await quiet.send({ text: 'free', quiet_ms: 0 });
  await vi.waitFor(() => expect(quiet.guest.received).toMatch(/free\r$/), 60_000);
});

test('while it goes on nobody else writes, and a cancelled one ends', async () => {
  await using quiet = await GuestDesk.at({}, [], ({ dir, env }) => {
    env.TMPDIR = join(dir, 'run');
  });
  const modemFolders = () => readdirSync(join(quiet.sandbox.dir, 'run')).filter((name) => name.includes('modem'));
  writeFileSync(join(quiet.sandbox.dir, 'f'), 'x'.repeat(1000));
  const put = { path: join(quiet.sandbox.dir, 'f'), to: 'f', protocol: 'zmodem', start: 'rz', timeout_ms: 50_000 };
  const cancel = new AbortController();
  const running = quiet.client.call('file_put', put, { signal: cancel.signal }).catch((error: unknown) => error);
  await vi.waitFor(() => expect(quiet.guest.received).toContain('rz\r'), 60_000);
  expect(modemFolders()).toHaveLength(1);
  expect(await quiet.ask('machine_list')).toContain('(has the line)');
  const { socket_in } = await quiet.port();
  const typist = connect(socket_in);
  typist.write('typed meanwhile');
  await new Promise((resolve) => typist.once('connect', resolve));
  cancel.abort();
  await running;
  await vi.waitFor(() => expect(quiet.guest.received).toMatch(/\x18{10}[\s\S]*typed meanwhile/), 60_000);
  await vi.waitFor(async () => expect(await quiet.ask('machine_list')).not.toContain('has the line'), 60_000);
  typist.destroy();
  await vi.waitFor(() => expect(modemFolders()).toEqual([]), 60_000);
});

test('without lrzsz the error says what to install', async () => {
  await using bare = await Desk.openIn('env', ['PATH=/nonexistent', process.execPath, program]);
  await using guest = await Guest.listen();
  await bare.start({ port: guest.port });
  await bare.listed('console-1 LINK UP');
  const path = join(bare.sandbox.dir, 'f');
  writeFileSync(path, 'x');
  const refusal = await bare.refusal('file_put', { path, to: 'f', protocol: 'zmodem' });
  expect(refusal).toMatchObject({ error_type: 'UNAVAILABLE', suggested_fix: expect.stringContaining('lrzsz') });
  expect(guest.received).toBe('');
});
