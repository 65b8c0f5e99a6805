import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { commandLink } from '../links/serial/command-link.ts';
import { tcpLink } from '../links/serial/tcp-link.ts';
import type { ReportedEvent } from '../machine/events.ts';
import { ConsoleLine, type ConsoleLineOptions } from './console-line.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** The machine at the other end of the wire. */
class Peer {
  readonly server: Server;
  readonly sockets: Socket[] = [];
  readonly received: Buffer[] = [];
  #reading = true;

  private constructor() {
    this.server = createServer((socket) => {
      this.sockets.push(socket);
      socket.on('error', () => {});
      socket.on('data', (bytes) => this.received.push(bytes));
      if (!this.#reading) socket.pause();
    });
  }

  static async listen(port = 0): Promise<Peer> {
    const peer = new Peer();
    peer.server.listen(port, '127.0.0.1');
    await once(peer.server, 'listening');
    cleanups.push(() => peer.close());
    return peer;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get socket(): Socket {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error('nobody connected');
    return socket;
  }

  get text(): string {
    return Buffer.concat(this.received).toString();
  }

  stopReading(): void {
    this.#reading = false;
    for (const socket of this.sockets) socket.pause();
  }

  goOnReading(): void {
    this.#reading = true;
    for (const socket of this.sockets) socket.resume();
  }

  async send(bytes: Uint8Array | string): Promise<void> {
    if (!this.socket.write(bytes)) await once(this.socket, 'drain');
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A person's program on one of the sockets. */
class Client {
  readonly socket: Socket;
  readonly received: Buffer[] = [];
  bytes = 0;

  private constructor(path: string) {
    this.socket = connect(path);
    this.socket.on('error', () => {});
    cleanups.push(() => this.socket.destroy());
  }

  static async connect(path: string, options = { reading: true }): Promise<Client> {
    const client = new Client(path);
    await once(client.socket, 'connect');
    if (options.reading) client.read();
    return client;
  }

  read(): void {
    this.socket.on('data', (bytes) => {
      this.received.push(bytes);
      this.bytes += bytes.length;
    });
  }

  get all(): Buffer {
    return Buffer.concat(this.received);
  }
}

function runtimeDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fp-'));
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

type LineOptions = Partial<ConsoleLineOptions> & Pick<ConsoleLineOptions, 'link'>;

async function openLine(options: LineOptions): Promise<{ line: ConsoleLine; events: ReportedEvent[] }> {
  const events: ReportedEvent[] = [];
  const none = () => Promise.reject(new Error('not part of this test'));
  const line = await ConsoleLine.open({
    name: 'vm',
    runtimeDir: runtimeDir(),
    report: (event) => events.push(event),
    parts: () => ({
      screen: { read: none, resize: none },
      recording: { status: undefined, start: none, stop: none, mark: () => {}, exportAsciicast: none },
      taps: [],
      openTerminal: none,
    }),
    backoff: { firstMs: 20, maxMs: 100 },
    ...options,
  });
  cleanups.push(() => line.close());
  return { line, events };
}

async function lineTo(peer: Peer, options: Partial<ConsoleLineOptions> = {}) {
  const opened = await openLine({ link: tcpLink({ host: '127.0.0.1', port: peer.port }), ...options });
  await until(() => opened.line.link.state === 'up' && peer.sockets.length > 0);
  return opened;
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 15_000, interval: 5 });

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Bytes that tell their offset, in lines of 16. */
function numbered(from: number, length: number): Buffer {
  const lines: string[] = [];
  for (let n = Math.floor(from / 16); n * 16 < from + length; n++) lines.push(`${n}`.padStart(15, '.'));
  const skipped = from % 16;
  return Buffer.from(`${lines.join('\n')}\n`).subarray(skipped, skipped + length);
}

/** Cuts a client's stream at its gap markers: which bytes came, and how many were reported missing between them. */
function parts(stream: Buffer): { readonly bytes: Buffer; readonly offset: number }[] {
  const found: { bytes: Buffer; offset: number }[] = [];
  let offset = 0;
  const pieces = stream.toString('latin1').split(/\r\n\[frontpanel: gap of (\d+) bytes\]\r\n/);
  for (const [i, piece] of pieces.entries()) {
    if (i % 2 === 1) {
      offset += Number(piece);
    } else {
      found.push({ bytes: Buffer.from(piece, 'latin1'), offset });
      offset += piece.length;
    }
  }
  return found;
}

test('32 MB reach four clients and 4 MB the machine, at once and byte for byte', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  const clients = await Promise.all([1, 2, 3, 4].map(() => Client.connect(line.humans.socketOut)));
  await until(() => line.humans.watching === 4);
  const input = await Client.connect(line.humans.socketIn);
  const out = randomBytes(32 * 1024 * 1024);
  const back = randomBytes(4 * 1024 * 1024);
  input.socket.write(back);
  await peer.send(out);
  await until(() => clients.every((client) => client.bytes >= out.length));
  await until(() => Buffer.concat(peer.received).length >= back.length);
  for (const client of clients) expect(sha(client.all)).toBe(sha(out));
  expect(sha(Buffer.concat(peer.received))).toBe(sha(back));
  expect(line.output.end).toBe(out.length);
  expect(line.link).toMatchObject({ state: 'up', bytesIn: out.length, bytesOut: back.length, queuedBytes: 0 });
}, 60_000);

test('every byte value and cut characters pass unchanged, live', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  const client = await Client.connect(line.humans.socketOut);
  await until(() => line.humans.watching === 1);
  peer.socket.setNoDelay(true);
  const everything = Buffer.concat([
    Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
    Buffer.from('€ 世 🛜\x1b[6n'),
  ]);
  for (const byte of everything) {
    await peer.send(Uint8Array.of(byte));
    await new Promise(setImmediate);
  }
  await until(() => client.bytes >= everything.length);
  expect(client.all.equals(everything)).toBe(true);
});

test('a filtered line keeps hostile sequences from its clients, but not from the ring', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer, { filter: true });
  const client = await Client.connect(line.humans.socketOut);
  await until(() => line.humans.watching === 1);
  await peer.send('a\x1b]52;c;AA');
  await until(() => client.bytes > 0);
  await peer.send('AA\x07\x1b[6n\x1b[1mb');
  await until(() => client.bytes >= 6);
  expect(client.all.toString()).toBe('a\x1b[1mb');
  expect(Buffer.from(line.output.read(0, 100).bytes).toString()).toBe('a\x1b]52;c;AAAA\x07\x1b[6n\x1b[1mb');
});

test('a client that never reads costs the others nothing; its gap is counted to the byte', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer, { ringBytes: 1024 * 1024, stallMs: 50 });
  const stalled = await Client.connect(line.humans.socketOut, { reading: false });
  const fast = await Client.connect(line.humans.socketOut);
  await until(() => line.humans.watching === 2);
  const total = 24 * 1024 * 1024;
  const all = numbered(0, total);
  await peer.send(all);
  await until(() => fast.bytes >= total);
  expect(fast.all.equals(all)).toBe(true);

  stalled.read();
  const end = () => {
    const last = parts(stalled.all).at(-1);
    return (last?.offset ?? 0) + (last?.bytes.length ?? 0);
  };
  await until(() => end() >= total);
  expect(end()).toBe(total);
  const received = parts(stalled.all);
  expect(received.length).toBeGreaterThan(1);
  for (const { bytes, offset } of received)
    expect(bytes.equals(all.subarray(offset, offset + bytes.length))).toBe(true);

  await peer.send('back in step');
  await until(() => stalled.all.includes('back in step'));
}, 60_000);

test('with flow "hold" the line waits for a slow client and nothing is lost', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer, { ringBytes: 64 * 1024, stallMs: 10, flow: 'hold' });
  const slow = await Client.connect(line.humans.socketOut, { reading: false });
  await until(() => line.humans.watching === 1);
  const all = numbered(0, 16 * 1024 * 1024);
  peer.socket.write(all);
  await until(() => line.output.end > 64 * 1024);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(line.output.end).toBeLessThan(all.length);
  slow.read();
  await until(() => slow.bytes >= all.length);
  expect(slow.all.equals(all)).toBe(true);
}, 60_000);

test('a ring smaller than a chunk loses nothing for a client that keeps up', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer, { ringBytes: 4096, stallMs: 5000 });
  const client = await Client.connect(line.humans.socketOut);
  await until(() => line.humans.watching === 1);
  const all = numbered(0, 4 * 1024 * 1024);
  peer.socket.write(all);
  await until(() => client.bytes >= all.length);
  expect(client.all.equals(all)).toBe(true);
  expect(line.output.start).toBe(all.length - 4096);
});

test('who comes late gets 60 lines and then everything, without a hole and without a byte twice', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  const all = numbered(0, 16 * 3000);
  await peer.send(all.subarray(0, 16 * 1000));
  await until(() => line.output.end === 16 * 1000);
  let sent = 16 * 1000;
  const clients: Client[] = [];
  while (sent < all.length) {
    await peer.send(all.subarray(sent, sent + 160));
    sent += 160;
    if (sent % 4000 === 0) clients.push(await Client.connect(line.humans.socketOut));
  }
  await until(() => clients.every((client) => client.all.subarray(-16).equals(all.subarray(-16))));
  expect(clients.length).toBe(8);
  for (const client of clients) {
    const first = Number.parseInt(client.all.subarray(0, 15).toString().replaceAll('.', ''), 10);
    expect(client.all.equals(all.subarray(first * 16))).toBe(true);
  }
});

test('history is exactly the last 60 lines and asks the terminal nothing; what follows is raw', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  const lines = Array.from({ length: 100 }, (_, i) => `line ${i}\x1b[6n\r\n`);
  await peer.send(`${lines.join('')}# \x1b]0;ti`);
  const sent = Buffer.byteLength(lines.join('')) + 8;
  await until(() => line.output.end === sent);
  const client = await Client.connect(line.humans.socketOut);
  const history = `${lines.slice(41).join('').replaceAll('\x1b[6n', '')}# `;
  await until(() => client.bytes >= history.length);
  await peer.send('tle\x07now\x1b[6n');
  await until(() => client.all.includes('now\x1b[6n'));
  expect(client.all.toString()).toBe(`${history}now\x1b[6n`);
});

test('the link drops and comes back: offsets go on, queued input arrives, events tell', async () => {
  const peer = await Peer.listen();
  const { line, events } = await lineTo(peer);
  const { port } = peer;
  const client = await Client.connect(line.humans.socketOut);
  await until(() => line.humans.watching === 1);
  await peer.send('before|');
  await until(() => client.bytes === 7);
  await peer.close();
  await until(() => line.link.state === 'down');
  await until(() => events.some(({ type }) => type === 'link_retry'));
  expect(line.link.lastError).toMatch(/refused/);
  expect(await line.write(Buffer.from('typed '), { mode: 'nonblocking' })).toEqual({
    written: 0,
    queued: 0,
    refused: 6,
  });
  expect(await line.write(Buffer.from('while '), { mode: 'buffered' })).toEqual({ written: 0, queued: 6, refused: 0 });
  expect(line.link.queuedBytes).toBe(6);
  const waiting = line.write(Buffer.from('down'), { mode: 'retry', timeoutMs: 15_000 });
  expect(Buffer.from(line.output.read(0, 100).bytes).toString()).toBe('before|');

  const again = await Peer.listen(port);
  expect(await waiting).toEqual({ written: 4, queued: 0, refused: 0 });
  await until(() => again.text === 'while down');
  expect(line.link).toMatchObject({ state: 'up', losses: 1, heardSinceUp: false, queuedBytes: 0 });
  await again.send('after');
  await until(() => client.bytes === 12);
  expect(client.all.toString()).toBe('before|after');
  expect(line.output.end).toBe(12);
  expect(line.link).toMatchObject({ heardSinceUp: true, bytesIn: 12, bytesOut: 10 });
  const types = events.map(({ type }) => type);
  expect(types.slice(0, 3)).toEqual(['link_up', 'link_lost', 'link_retry']);
  expect(types.at(-1)).toBe('link_up');
  // 20, 40, 80, 100 ms, however many attempts there were.
  expect(types.filter((type) => type === 'link_retry').length).toBeLessThanOrEqual(4);
});

test('the three ways to write differ when the machine stops reading, and every byte is accounted for', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  peer.stopReading();
  const sent: Buffer[] = [];
  let from = 0;
  const write = async (length: number, options: Parameters<ConsoleLine['write']>[1]) => {
    const bytes = numbered(from, length);
    const copy = Buffer.from(bytes);
    const result = await line.write(copy, options);
    copy.fill(0);
    expect(result.written + result.queued + result.refused).toBe(length);
    const taken = result.written + result.queued;
    sent.push(bytes.subarray(0, taken));
    from += taken;
    return result;
  };
  const first = await write(32 * 1024 * 1024, { mode: 'nonblocking' });
  expect(first).toMatchObject({ queued: 0 });
  expect(first.refused).toBeGreaterThan(0);
  expect(await write(10, { mode: 'nonblocking' })).toEqual({ written: 0, queued: 0, refused: 10 });

  const buffered = await write(2 * 1024 * 1024, { mode: 'buffered' });
  expect(buffered.queued).toBe(1024 * 1024);
  expect(buffered.written).toBeLessThanOrEqual(64 * 1024);
  expect(await write(5, { mode: 'buffered' })).toEqual({ written: 0, queued: 0, refused: 5 });
  expect(line.link.queuedBytes).toBeLessThanOrEqual(1024 * 1024 + 64 * 1024);

  expect(await write(1000, { mode: 'retry', timeoutMs: 30 })).toEqual({ written: 0, queued: 0, refused: 1000 });
  const cancelled = AbortSignal.timeout(10);
  expect(await write(10, { mode: 'retry', signal: cancelled })).toEqual({ written: 0, queued: 0, refused: 10 });

  const patient = write(200_000, { mode: 'retry', timeoutMs: 15_000 });
  peer.goOnReading();
  expect(await patient).toEqual({ written: 200_000, queued: 0, refused: 0 });
  expect(await write(7, { mode: 'nonblocking' }).then(({ queued }) => queued)).toBe(0);
  await until(() => line.link.queuedBytes === 0);
  await until(() => Buffer.concat(peer.received).length >= from);
  expect(Buffer.concat(peer.received).equals(Buffer.concat(sent))).toBe(true);
  expect(line.link.bytesOut).toBe(from);
}, 60_000);

test('a retry that runs out of time says how much was taken', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  peer.stopReading();
  const bytes = numbered(0, 32 * 1024 * 1024);
  const result = await line.write(bytes, { mode: 'retry', timeoutMs: 100 });
  expect(result.written).toBeGreaterThan(0);
  expect(result.refused).toBeGreaterThan(0);
  expect(result.written + result.refused).toBe(bytes.length);
  peer.goOnReading();
  await until(() => Buffer.concat(peer.received).length >= result.written);
  expect(Buffer.concat(peer.received).equals(bytes.subarray(0, result.written))).toBe(true);
});

test('a lost link says how many bytes may be lost with it; what was queued is not among them', async () => {
  const peer = await Peer.listen();
  const { line, events } = await lineTo(peer, { backoff: { firstMs: 60_000 } });
  peer.stopReading();
  await line.write(Buffer.alloc(32 * 1024 * 1024), { mode: 'nonblocking' });
  await line.write(Buffer.alloc(500_000), { mode: 'buffered' });
  const { queuedBytes, bytesOut } = line.link;
  for (const socket of peer.sockets) socket.resetAndDestroy();
  await until(() => line.link.state === 'down');
  const lost = events.find(({ type }) => type === 'link_lost');
  const unsentBytes = Number(lost?.data?.unsentBytes);
  expect(unsentBytes).toBeGreaterThan(0);
  expect(unsentBytes).toBeLessThanOrEqual(64 * 1024);
  expect(line.link.queuedBytes).toBe(queuedBytes - unsentBytes);
  expect(line.link.bytesOut).toBe(bytesOut);
  expect(line.link.retryAt).toBeGreaterThan(Date.now());
});

test('people may type more than the queue holds: they wait, in order, until the machine takes it', async () => {
  const peer = await Peer.listen();
  const { port } = peer;
  await peer.close();
  const { line } = await openLine({ link: tcpLink({ host: '127.0.0.1', port }) });
  const [a, b] = await Promise.all([Client.connect(line.humans.socketIn), Client.connect(line.humans.socketIn)]);
  const fromA = Buffer.alloc(5_000_000, 'a');
  const fromB = Buffer.alloc(3_000_000, 'b');
  for (let i = 0; i < fromA.length; i += 2) fromA[i] = 0x30 + ((i / 2) % 10);
  a.socket.end(fromA);
  b.socket.end(fromB);
  await until(() => line.link.queuedBytes === 1024 * 1024);
  const again = await Peer.listen(port);
  await until(() => Buffer.concat(again.received).length >= 8_000_000);
  const arrived = Buffer.concat(again.received);
  expect(arrived.length).toBe(8_000_000);
  expect(Buffer.from(arrived.filter((byte) => byte !== 0x62)).equals(fromA)).toBe(true);
}, 60_000);

test('when the other side ends for good, its last words stay and nothing is tried again', async () => {
  const link = commandLink({ command: ['sh', '-c', 'read line; printf "last $line"'] });
  const { line, events } = await openLine({ link });
  await until(() => line.link.state === 'up');
  const typist = await Client.connect(line.humans.socketIn);
  typist.socket.write('words\n');
  await until(() => line.link.state === 'ended');
  expect(events.map(({ type }) => type)).toEqual(['link_up', 'link_ended']);
  expect(Buffer.from(line.output.read(0, 100).bytes).toString()).toBe('last words');
  expect(await line.write(Buffer.from('?'), { mode: 'buffered' })).toEqual({ written: 0, queued: 0, refused: 1 });
  expect(await line.write(Buffer.from('?'), { mode: 'retry' })).toEqual({ written: 0, queued: 0, refused: 1 });
  await until(() => typist.socket.destroyed);
  const late = await Client.connect(line.humans.socketOut);
  await until(() => late.all.toString() === 'last words');
});

test('close lets everything written leave, gives clients the rest, and removes the sockets', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  const { socketIn, socketOut } = line.humans;
  const watcher = await Client.connect(socketOut);
  const stuck = await Client.connect(socketOut, { reading: false });
  await until(() => line.humans.watching === 2);
  await peer.send('the end');
  await until(() => line.output.end === 7);
  expect((await line.write(Buffer.alloc(900_000, 'z'), { mode: 'buffered' })).refused).toBe(0);
  await line.close();
  await until(() => Buffer.concat(peer.received).length === 900_000);
  await until(() => watcher.socket.destroyed);
  expect(watcher.all.toString()).toBe('the end');
  stuck.read();
  await until(() => stuck.socket.destroyed);
  expect([existsSync(socketIn), existsSync(socketOut)]).toEqual([false, false]);
  expect(line.link.state).toBe('ended');
  expect(Buffer.from(line.output.read(0, 10).bytes).toString()).toBe('the end');
  await line.close();
});

test('close does not wait for a machine that does not read, a client that does not read, or an attempt to connect', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  peer.stopReading();
  const stuck = await Client.connect(line.humans.socketOut, { reading: false });
  await peer.send(Buffer.alloc(4_000_000));
  const waiting = line.write(Buffer.alloc(32_000_000), { mode: 'retry', timeoutMs: 60_000 });
  await line.close();
  const { written, refused } = await waiting;
  expect(written + refused).toBe(32_000_000);
  expect(refused).toBeGreaterThan(0);
  stuck.read();
  await until(() => stuck.socket.destroyed);

  const never = new AbortController();
  const { line: connecting } = await openLine({
    link: {
      target: 'nowhere',
      open: (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            never.abort();
            reject(signal.reason);
          }),
        ),
    },
  });
  expect(connecting.link.state).toBe('connecting');
  await connecting.close();
  expect([connecting.link.state, never.signal.aborted]).toEqual(['ended', true]);
});

test('a client that is gone is noticed, one that only closed its writing half is served', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  const half = await Client.connect(line.humans.socketOut);
  half.socket.end();
  const gone = await Client.connect(line.humans.socketOut);
  await until(() => line.humans.watching === 2);
  gone.socket.destroy();
  await until(() => line.humans.watching === 1);
  await peer.send('still here');
  await until(() => half.all.toString() === 'still here');
});

test('activity is told once for many chunks, and readers each have a cursor', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer, { ringBytes: 4096 });
  let calls = 0;
  const off = line.onActivity(() => calls++);
  await peer.send(numbered(0, 1_000_000));
  await until(() => line.output.end === 1_000_000 && calls > 0);
  expect(calls).toBeLessThan(1000);
  expect(line.cursor('agent')).toBe(1_000_000 - 4096);
  line.setCursor('agent', 999_999);
  line.setCursor('other', 2_000_000);
  expect([line.cursor('agent'), line.cursor('other'), line.cursor('third')]).toEqual([999_999, 1_000_000, 995_904]);
  await new Promise(setImmediate);
  off();
  calls = 0;
  await peer.send('x');
  await until(() => line.output.end === 1_000_001);
  await new Promise(setImmediate);
  expect(calls).toBe(0);
});

test('parts know the ring and the sockets: taps see every chunk with its offset, windows are known while they last', async () => {
  const peer = await Peer.listen();
  const seen: Buffer[] = [];
  let next = 0;
  const none = () => Promise.reject(new Error('not part of this test'));
  const { line } = await lineTo(peer, {
    parts: ({ output, socketOut }) => ({
      screen: { read: none, resize: none },
      recording: { status: undefined, start: none, stop: none, mark: () => {}, exportAsciicast: none },
      openTerminal: async (name) => {
        const window = spawn('sleep', ['60'], { stdio: 'ignore' });
        cleanups.push(() => window.kill());
        return { terminal: name, command: ['attach', socketOut], pid: window.pid ?? 0 };
      },
      taps: [
        (offset, bytes) => {
          expect([offset, output.end]).toEqual([next, next + bytes.length]);
          next += bytes.length;
          seen.push(Buffer.from(bytes));
        },
      ],
    }),
  });
  const all = numbered(0, 3_000_000);
  await peer.send(all);
  await until(() => next === all.length);
  expect(Buffer.concat(seen).equals(all)).toBe(true);
  expect(line.humans.window).toBeUndefined();
  const window = await line.humans.openTerminal('xterm');
  expect(window).toMatchObject({ terminal: 'xterm', command: ['attach', line.humans.socketOut] });
  expect(line.humans.window).toEqual(window);
  process.kill(window.pid ?? 0);
  await until(() => line.humans.window === undefined);
});

test('a break needs a link that is up and knows what a break is', async () => {
  const peer = await Peer.listen();
  const { line } = await lineTo(peer);
  await expect(line.sendBreak(100)).rejects.toMatchObject({ type: 'UNAVAILABLE' });
  await peer.close();
  await until(() => line.link.state !== 'up');
  await expect(line.sendBreak(100)).rejects.toMatchObject({ type: 'LINK_DOWN' });
});

/** What a server that was killed leaves behind: a socket that nobody serves. */
async function leaveStaleSocket(path: string): Promise<void> {
  const script = 'require("net").createServer().listen(process.argv[1], () => console.log("up"))';
  const server = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout, 'data');
  server.kill('SIGKILL');
  await once(server, 'exit');
  expect(statSync(path).isSocket()).toBe(true);
}

test('what a killed server left is replaced: its sockets, and the links to them', async () => {
  const peer = await Peer.listen();
  const [dir, oldDir] = [runtimeDir(), runtimeDir()];
  await leaveStaleSocket(join(dir, 'vm.out'));
  await leaveStaleSocket(join(oldDir, 'vm.in'));
  symlinkSync(join(oldDir, 'vm.in'), join(dir, 'serial_vm.in'));
  const { line } = await lineTo(peer, { runtimeDir: dir, serialLinks: true, serialLinkDir: dir });
  const client = await Client.connect(line.humans.socketOut);
  const typist = await Client.connect(join(dir, 'serial_vm.in'));
  typist.socket.write('hello');
  await until(() => peer.text === 'hello');
  await peer.send('welcome');
  await until(() => client.all.toString() === 'welcome');
});

test('sockets are private, and nothing is taken from another server or overwritten', async () => {
  const peer = await Peer.listen();
  const dir = runtimeDir();
  const { line } = await lineTo(peer, { runtimeDir: dir });
  expect([line.humans.socketIn, line.humans.socketOut]).toEqual([join(dir, 'vm.in'), join(dir, 'vm.out')]);
  for (const path of [line.humans.socketIn, line.humans.socketOut]) expect(statSync(path).mode & 0o777).toBe(0o600);

  await expect(lineTo(peer, { runtimeDir: dir })).rejects.toMatchObject({ type: 'NAME_TAKEN' });
  const client = await Client.connect(line.humans.socketOut);
  await peer.send('still mine');
  await until(() => client.all.toString() === 'still mine');

  writeFileSync(join(dir, 'file.out'), 'precious');
  await expect(lineTo(peer, { runtimeDir: dir, name: 'file' })).rejects.toMatchObject({ type: 'NAME_TAKEN' });
  expect(statSync(join(dir, 'file.out')).size).toBe(8);
  expect(existsSync(join(dir, 'file.in'))).toBe(false);

  await expect(lineTo(peer, { runtimeDir: dir, name: 'n'.repeat(100) })).rejects.toMatchObject({
    type: 'INVALID_ARGUMENT',
  });
  await expect(lineTo(peer, { runtimeDir: dir, name: '../up' })).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
  await expect(lineTo(peer, { ringBytes: 4095 })).rejects.toMatchObject({ type: 'INVALID_ARGUMENT' });
});

test('links at the traditional place are made only where nothing of somebody else lies, and removed only if still ours', async () => {
  const peer = await Peer.listen();
  const links = runtimeDir();
  const [inLink, outLink] = [join(links, 'serial_vm.in'), join(links, 'serial_vm.out')];
  symlinkSync(join(links, 'nowhere'), inLink);
  writeFileSync(outLink, 'precious');
  const first = await lineTo(peer, { serialLinks: true, serialLinkDir: links });
  expect(readlinkSync(inLink)).toBe(first.line.humans.socketIn);
  expect(statSync(outLink).size).toBe(8);
  expect(first.events.map(({ type }) => type)).toContain('serial_link_refused');
  const second = await lineTo(peer, { serialLinks: true, serialLinkDir: links });
  expect(readlinkSync(inLink)).toBe(first.line.humans.socketIn);
  await second.line.close();
  expect(readlinkSync(inLink)).toBe(first.line.humans.socketIn);
  await first.line.close();
  expect(existsSync(inLink)).toBe(false);
  expect(statSync(outLink).size).toBe(8);
});

test.runIf(process.platform === 'linux')(
  'a port that comes back is taken at once, however long the wait was to be',
  async () => {
    const peer = await Peer.listen();
    const { line } = await lineTo(peer, { backoff: { firstMs: 600_000, maxMs: 600_000 } });
    const { port } = peer;
    await peer.close();
    await until(() => line.link.state === 'down');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(line.link.retryAt).toBeGreaterThan(Date.now() + 100_000);
    await Peer.listen(port);
    await until(() => line.link.state === 'up');
  },
);
