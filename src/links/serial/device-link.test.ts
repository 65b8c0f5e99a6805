import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ByteConnection } from '../byte-link.ts';
import { deviceLink } from './device-link.ts';
import { eventually, Listener, never, randomPieces } from './link-testing.ts';

let directory: string;
let socat: ChildProcess;
let left: string;
let right: string;
const opened: ByteConnection[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'device-'));
  left = join(directory, 'left');
  right = join(directory, 'right');
  socat = spawn('socat', [`pty,raw,echo=0,link=${left}`, `pty,raw,echo=0,link=${right}`], { stdio: 'ignore' });
  await eventually(async () => (await exists(left)) && (await exists(right)));
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.end(0)));
  if (socat.exitCode === null && socat.signalCode === null) {
    socat.kill();
    await once(socat, 'exit');
  }
  await rm(directory, { recursive: true });
});

async function open(path: string): Promise<ByteConnection> {
  const connection = await deviceLink({ path }).open(never());
  opened.push(connection);
  return connection;
}

test('random bytes both ways at once', async () => {
  const [here, there] = [await open(left), await open(right)];
  const [hereHeard, thereHeard] = [new Listener(here), new Listener(there)];
  const out = randomPieces(1024 * 1024);
  const back = randomPieces(1024 * 1024);
  for (const piece of out.pieces) here.write(piece);
  for (const piece of back.pieces) there.write(piece);
  await Promise.all([
    hereHeard.until(() => hereHeard.receivedBytes >= back.all.length),
    thereHeard.until(() => thereHeard.receivedBytes >= out.all.length),
  ]);
  expect(hereHeard.received.equals(back.all)).toBe(true);
  expect(thereHeard.received.equals(out.all)).toBe(true);
  await hereHeard.until(() => hereHeard.drains > 0);
  expect(here.pendingBytes).toBe(0);
});

test('two sides that both write more than the line holds still read', async () => {
  const [here, there] = [await open(left), await open(right)];
  const [hereHeard, thereHeard] = [new Listener(here), new Listener(there)];
  // Both wait to read already when they begin to wait to write.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const bytes = Buffer.alloc(512 * 1024, 'both');
  here.write(bytes);
  there.write(bytes);
  await Promise.all([
    hereHeard.until(() => hereHeard.receivedBytes === bytes.length),
    thereHeard.until(() => thereHeard.receivedBytes === bytes.length),
  ]);
});

test('end lets everything written leave first', async () => {
  const [here, there] = [await open(left), await open(right)];
  const [hereHeard, thereHeard] = [new Listener(here), new Listener(there)];
  const { all, pieces } = randomPieces(4_000_000);
  for (const piece of pieces) here.write(piece);
  await here.end(20_000);
  expect(here.pendingBytes).toBe(0);
  expect(hereHeard.closes).toEqual([{ text: 'closed from this side', final: false }]);
  await thereHeard.until(() => thereHeard.receivedBytes >= all.length);
  expect(thereHeard.received.equals(all)).toBe(true);
});

test('counts what is not taken, keeps its own copy, and tells when all has left', async () => {
  const [here, there] = [await open(left), await open(right)];
  const [hereHeard, thereHeard] = [new Listener(here), new Listener(there)];
  there.pause();
  const bytes = Buffer.alloc(1_000_000, 'a');
  here.write(bytes.subarray(0, 400_000));
  here.write(bytes.subarray(400_000));
  expect(here.pendingBytes).toBe(1_000_000);
  bytes.fill('b');
  await eventually(() => here.pendingBytes < 1_000_000);
  expect(hereHeard.drains).toBe(0);
  expect(thereHeard.receivedBytes).toBe(0);
  there.resume();
  await hereHeard.until(() => hereHeard.drains === 1);
  expect(here.pendingBytes).toBe(0);
  await thereHeard.until(() => thereHeard.receivedBytes === 1_000_000);
  expect(thereHeard.received.includes('b')).toBe(false);
});

test('end gives up on a line that is held up, and says what stayed', async () => {
  const [here, there] = [await open(left), await open(right)];
  const listener = new Listener(here);
  there.pause();
  here.write(Buffer.alloc(4_000_000));
  await here.end(50);
  expect(listener.closes).toHaveLength(1);
  expect(here.pendingBytes).toBeGreaterThan(0);
});

test('delivers nothing while paused', async () => {
  const [here, there] = [await open(left), await open(right)];
  here.pause();
  const listener = new Listener(here);
  there.write(Buffer.from('one'));
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(listener.receivedBytes).toBe(0);
  here.resume();
  await listener.until(() => listener.text === 'one');
  here.pause();
  here.destroy();
  await listener.closed();
});

describe('a device that vanishes', () => {
  test('closes, and may come back', async () => {
    const listener = new Listener(await open(left));
    socat.kill();
    expect(await listener.closed()).toEqual({
      text: 'the device was unplugged or its other side was closed',
      final: false,
    });
    expect(listener.closes).toHaveLength(1);
  });

  test('while paused costs nothing and is noticed afterwards', async () => {
    const connection = await open(left);
    const listener = new Listener(connection);
    connection.write(Buffer.from('x'));
    await listener.until(() => listener.drains === 1);
    connection.pause();
    socat.kill();
    await once(socat, 'exit');
    connection.resume();
    expect((await listener.closed()).final).toBe(false);
  });

  test('before anything was read is noticed by the first read', async () => {
    const connection = await open(left);
    socat.kill();
    await once(socat, 'exit');
    expect(await new Listener(connection).closed()).toMatchObject({ final: false });
  });

  test('before anybody listened is told to the first who does', async () => {
    const connection = await open(left);
    socat.kill();
    await once(socat, 'exit');
    connection.write(Buffer.from('x'));
    await new Promise((resolve) => setTimeout(resolve, 30));
    const listener = new Listener(connection);
    await listener.closed();
    expect(listener.closes).toHaveLength(1);
    expect(connection.pendingBytes).toBe(1);
  });
});

test('a pseudo terminal has no BREAK and says so; the line works on', async () => {
  const [here, there] = [await open(left), await open(right)];
  const listener = new Listener(there);
  new Listener(here);
  await expect(here.sendBreak(10)).rejects.toThrow(/pseudo terminal.*ENOTTY/);
  here.write(Buffer.from('still here'));
  await listener.until(() => listener.text === 'still here');
});

test('what cannot be opened is said in words', async () => {
  const file = join(directory, 'file');
  await writeFile(file, 'x');
  const attempt = (path: string) => deviceLink({ path }).open(never());
  await expect(attempt(join(directory, 'nothing'))).rejects.toThrow('there is no device');
  await expect(attempt(file)).rejects.toThrow('is not a serial device');
  await expect(deviceLink({ path: left }).open(AbortSignal.abort())).rejects.toThrow('cancelled');
  expect(() => deviceLink({ path: '' })).toThrow('must be a file name');
  expect(() => deviceLink({ path: left, baudRate: 0 })).toThrow('not a baud rate');
});

test('an attempt that is cancelled on the way is none', async () => {
  const aborter = new AbortController();
  const attempt = deviceLink({ path: left }).open(aborter.signal);
  aborter.abort();
  await expect(attempt).rejects.toThrow('cancelled');
});

/** Only the superuser can look at a terminal that is open for one program alone. */
test.skipIf(process.getuid?.() !== 0)('settings reach the device', async () => {
  // A pseudo terminal takes no parity and no other size than 8 bits.
  const settings = { path: left, baudRate: 9600, stopBits: 2, flowControl: 'rtscts' } as const;
  const connection = await deviceLink(settings).open(never());
  expect(await stty(left)).toEqual(
    expect.arrayContaining(['9600', 'cs8', 'cstopb', 'crtscts', '-ixon', '-ixoff', '-icanon', '-echo', '-opost']),
  );
  connection.destroy();
  opened.push(await deviceLink({ path: right, flowControl: 'xonxoff' }).open(never()));
  expect(await stty(right)).toEqual(
    expect.arrayContaining(['115200', '-cstopb', '-crtscts', 'ixon', 'ixoff', '-icanon']),
  );
});

test('a missing package is named with the command that installs it', async () => {
  vi.doMock('serialport', () => {
    throw new Error('Cannot find package');
  });
  await expect(deviceLink({ path: left }).open(never())).rejects.toThrow('npm install serialport');
  vi.doUnmock('serialport');
});

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function stty(path: string): Promise<string[]> {
  const child = spawn('stty', ['-a', '-F', path]);
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return text.split(/[\s;]+/);
}
