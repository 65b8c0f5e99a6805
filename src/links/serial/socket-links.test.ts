import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ByteConnection, ByteLink } from '../byte-link.ts';
import { eventually, Listener, never, randomPieces } from './link-testing.ts';
import { maxSocketPathBytes } from './socket-path.ts';
import { tcpLink } from './tcp-link.ts';
import { unixLink } from './unix-link.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'links-'));
});
afterAll(() => rm(directory, { recursive: true }));

const variants: { name: string; listen: (server: Server) => Promise<ByteLink> }[] = [
  {
    name: 'tcp over IPv4',
    listen: async (server) => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return tcpLink({ host: '127.0.0.1', port: portOf(server) });
    },
  },
  {
    name: 'tcp over IPv6',
    listen: async (server) => {
      server.listen(0, '::1');
      await once(server, 'listening');
      return tcpLink({ host: '[::1]', port: portOf(server) });
    },
  },
  {
    name: 'unix socket',
    listen: async (server) => {
      const path = join(directory, `s${Math.random()}`);
      server.listen(path);
      await once(server, 'listening');
      return unixLink({ path });
    },
  },
];

describe.each(variants)('$name', ({ listen }) => {
  let server: Server;
  let link: ByteLink;
  let accepted: Promise<Socket>;
  let peers: Socket[];
  let opened: ByteConnection[];

  beforeEach(async () => {
    peers = [];
    opened = [];
    server = createServer({ allowHalfOpen: true, pauseOnConnect: true });
    accepted = new Promise((resolve) => server.on('connection', resolve));
    server.on('connection', (peer) => peers.push(peer.on('error', () => {})));
    link = await listen(server);
  });

  afterEach(async () => {
    for (const connection of opened) connection.destroy();
    for (const peer of peers) peer.destroy();
    server.close();
    await once(server, 'close');
  });

  async function connect(): Promise<{ connection: ByteConnection; peer: Socket }> {
    const connection = await link.open(never());
    opened.push(connection);
    return { connection, peer: await accepted };
  }

  test('carries random bytes both ways at once', async () => {
    const { connection, peer } = await connect();
    const listener = new Listener(connection);
    const out = randomPieces(1024 * 1024);
    const back = randomPieces(1024 * 1024);
    const atPeer: Buffer[] = [];
    peer.on('data', (chunk) => atPeer.push(chunk)).resume();
    for (let index = 0; index < Math.max(out.pieces.length, back.pieces.length); index++) {
      const [here, there] = [out.pieces[index], back.pieces[index]];
      if (here) connection.write(here);
      if (there) peer.write(there);
      if (index % 10 === 0) await new Promise(setImmediate);
    }
    await listener.until(() => listener.receivedBytes >= back.all.length);
    await eventually(() => atPeer.reduce((sum, chunk) => sum + chunk.length, 0) >= out.all.length);
    expect(listener.received.equals(back.all)).toBe(true);
    expect(Buffer.concat(atPeer).equals(out.all)).toBe(true);
    await eventually(() => connection.pendingBytes === 0);
  });

  test('delivers nothing before start, and what came before it after', async () => {
    const { connection, peer } = await connect();
    peer.end('early');
    await once(peer, 'finish');
    const listener = new Listener(connection);
    expect(listener.receivedBytes).toBe(0);
    const reason = await listener.closed();
    expect(listener.text).toBe('early');
    expect(reason).toEqual({ text: 'the other side closed the connection', final: false });
  });

  test('keeps its own copy of what is written', async () => {
    const { connection, peer } = await connect();
    const bytes = Buffer.alloc(4 * 1024 * 1024, 'a');
    connection.write(bytes);
    bytes.fill('b');
    let length = 0;
    let wrong = false;
    peer.on('data', (chunk) => {
      length += chunk.length;
      wrong ||= chunk.includes('b');
    });
    peer.resume();
    await eventually(() => length === bytes.length);
    expect(wrong).toBe(false);
  });

  test('end lets everything written leave first', async () => {
    const { connection, peer } = await connect();
    const { all, pieces } = randomPieces(4_000_000);
    const listener = new Listener(connection);
    const atPeer: Buffer[] = [];
    // A peer that talks while we leave must not turn our farewell into a reset.
    peer.write('still talking');
    for (const piece of pieces) connection.write(piece);
    const ended = connection.end(10_000);
    peer.on('data', (chunk) => atPeer.push(chunk)).resume();
    await once(peer, 'end');
    await ended;
    expect(Buffer.concat(atPeer).equals(all)).toBe(true);
    expect(listener.closes).toEqual([{ text: 'closed from this side', final: false }]);
    expect(connection.pendingBytes).toBe(0);
  });

  test('end gives up on a peer that does not read, and says what stayed', async () => {
    const { connection } = await connect();
    const listener = new Listener(connection);
    connection.write(Buffer.alloc(16_000_000));
    await connection.end(50);
    expect(listener.closes).toHaveLength(1);
    expect(connection.pendingBytes).toBeGreaterThan(0);
  });

  test('counts what a peer does not take and tells when it has', async () => {
    const { connection, peer } = await connect();
    const listener = new Listener(connection);
    const total = 32_000_000;
    connection.write(Buffer.alloc(total / 2));
    connection.write(Buffer.alloc(total / 2));
    await new Promise(setImmediate);
    expect(connection.pendingBytes).toBeGreaterThan(0);
    // What the kernel took does not wait here any more, although it is a part of a larger write.
    expect(connection.pendingBytes).toBeLessThan(total);
    expect(listener.drains).toBe(0);
    let length = 0;
    peer.on('data', (chunk) => {
      length += chunk.length;
    });
    peer.resume();
    await listener.until(() => listener.drains > 0);
    expect(connection.pendingBytes).toBe(0);
    await eventually(() => length === total);
    expect(listener.drains).toBe(1);
  });

  test('pause holds everything back and resume loses nothing', async () => {
    const { connection, peer } = await connect();
    const listener = new Listener(connection);
    peer.write('one');
    await listener.until(() => listener.text === 'one');
    connection.pause();
    const all = randomBytes(16_000_000);
    peer.end(all);
    // The peer is stuck: its kernel buffers are full and nobody reads.
    await eventually(() => peer.writableLength > 0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(listener.receivedBytes).toBe(3);
    connection.resume();
    await listener.closed();
    expect(listener.received.subarray(3).equals(all)).toBe(true);
  });

  test('a pause right after the start or a resume is a pause', async () => {
    const { connection, peer } = await connect();
    peer.write('one');
    const listener = new Listener(connection);
    connection.pause();
    await new Promise((resolve) => setTimeout(resolve, 20));
    connection.resume();
    connection.pause();
    peer.destroy();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(listener.receivedBytes).toBe(0);
    expect(listener.closes).toEqual([]);
    connection.resume();
    await listener.closed();
    expect(listener.text).toBe('one');
  });

  test('a pause from within data stops at once', async () => {
    const { connection, peer } = await connect();
    let calls = 0;
    connection.start({
      data: () => {
        calls++;
        connection.pause();
      },
      drain: () => {},
      close: () => {},
    });
    peer.write(Buffer.alloc(16_000_000));
    await eventually(() => calls > 0 && peer.writableLength > 0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(calls).toBe(1);
  });

  test('reads the last words of a peer that is gone when we write', async () => {
    const { connection, peer } = await connect();
    const words = Buffer.alloc(100_000, 'panic ');
    peer.end(words);
    await once(peer, 'finish');
    peer.destroy();
    await once(peer, 'close');
    // The first write may still be taken; the others meet a closed or reset connection before anything is read.
    connection.write(Buffer.from('one'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    connection.write(Buffer.from('two'));
    connection.write(Buffer.from('three'));
    const listener = new Listener(connection);
    await listener.closed();
    expect(listener.received.equals(words)).toBe(true);
    expect(listener.closes).toHaveLength(1);
  });

  test('destroy closes at once and exactly once', async () => {
    const { connection } = await connect();
    const listener = new Listener(connection);
    connection.write(Buffer.alloc(16_000_000));
    const unsent = connection.pendingBytes;
    connection.destroy();
    connection.destroy();
    expect(await listener.closed()).toEqual({ text: 'closed from this side', final: false });
    await connection.end(1000);
    connection.write(Buffer.from('x'));
    expect(connection.pendingBytes).toBe(unsent + 1);
    expect(listener.closes).toHaveLength(1);
  });

  test('has no BREAK and says what has', async () => {
    const { connection } = await connect();
    await expect(connection.sendBreak(100)).rejects.toThrow(/BREAK.*telnet/);
  });

  test('an attempt that was cancelled beforehand is none', async () => {
    await expect(link.open(AbortSignal.abort())).rejects.toThrow('cancelled');
    expect(peers).toHaveLength(0);
  });

  test('a port nobody listens on is refused in words', async () => {
    const closed = createServer();
    const nowhere = await listen(closed);
    closed.close();
    await once(closed, 'close');
    await expect(nowhere.open(never())).rejects.toThrow(/nothing is listening there|no such file/);
  });
});

test('a reset is named', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.on('connection', (peer) => peer.on('data', () => peer.resetAndDestroy()));
  const connection = await tcpLink({ host: '127.0.0.1', port: portOf(server) }).open(never());
  connection.write(Buffer.from('x'));
  const reason = await new Listener(connection).closed();
  expect(reason).toEqual({ text: 'the other side reset the connection (ECONNRESET)', final: false });
  server.close();
});

test('a host name with several addresses works, and its failure is in words', async () => {
  const server = createServer((peer) => peer.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  const listener = new Listener(await tcpLink({ host: 'localhost', port }).open(never()));
  await listener.closed();
  expect(listener.text).toBe('hello');
  server.close();
  await once(server, 'close');
  await expect(tcpLink({ host: 'localhost', port }).open(never())).rejects.toThrow('connection refused');
});

test('an attempt can be cancelled, and ends on its own when nobody answers', async () => {
  // An address that belongs to nobody (RFC 5737).
  const aborter = new AbortController();
  const link = tcpLink({ host: '192.0.2.1', port: 9, connectTimeoutMs: 40 });
  await expect(link.open(never())).rejects.toThrow(/no answer within 40 ms|cannot be reached|refused|not answer/);
  const attempt = tcpLink({ host: '192.0.2.1', port: 9 }).open(aborter.signal);
  aborter.abort();
  await expect(attempt).rejects.toThrow('cancelled');
});

test('says what it connects to', () => {
  expect(tcpLink({ host: 'example.net', port: 4555 }).target).toBe('tcp example.net:4555');
  expect(tcpLink({ host: '[fe80::1]', port: 1 }).target).toBe('tcp [fe80::1]:1');
  expect(unixLink({ path: '/run/x.sock' }).target).toBe('unix /run/x.sock');
});

test('refuses what cannot be an address', () => {
  expect(() => tcpLink({ host: 'h', port: 0 })).toThrow('not a TCP port');
  expect(() => tcpLink({ host: 'h', port: 70_000 })).toThrow('not a TCP port');
  expect(() => tcpLink({ host: '', port: 1 })).toThrow('host is empty');
  expect(() => unixLink({ path: `/${'é'.repeat(Math.floor(maxSocketPathBytes / 2) - 1)}` })).not.toThrow();
  expect(() => unixLink({ path: `/${'x'.repeat(maxSocketPathBytes)}` })).toThrow(`at most ${maxSocketPathBytes}`);
  expect(() => unixLink({ path: '' })).toThrow('must be a file name');
});

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

test('a TCP link asks for signs of life and does not wait for more bytes', async () => {
  const noDelay = vi.spyOn(Socket.prototype, 'setNoDelay');
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const connection = await tcpLink({ host: '127.0.0.1', port: portOf(server) }).open(never());
  const [peer] = (await accepted) as [Socket];
  const table = await readFile('/proc/net/tcp', 'utf8');
  const hex = (port: number | undefined) => `0100007F:${port?.toString(16).toUpperCase().padStart(4, '0')}`;
  const ours = table.split('\n').find((line) => line.includes(`${hex(peer.remotePort)} ${hex(peer.localPort)}`));
  // The timer that runs on the connection, as Linux numbers them, and when it ends.
  const [timer = '', when = ''] = ours?.trim().split(/\s+/)[5]?.split(':') ?? [];
  expect({ timer, seconds: Math.ceil(Number.parseInt(when, 16) / 100) }).toEqual({ timer: '02', seconds: 10 });
  expect(noDelay).toHaveBeenCalledWith(true);
  connection.destroy();
  peer.destroy();
  server.close();
});
