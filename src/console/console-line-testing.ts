import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { tcpLink } from '../links/serial/tcp-link.ts';
import type { ReportedEvent } from '../machine/events.ts';
import { ConsoleLine, type ConsoleLineOptions } from './console-line.ts';

const cleanups: (() => unknown)[] = [];

/** Something to do when the test is over, in reverse order. */
export function whenOver(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** Ends everything that a test has begun; for `afterEach`. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

/** The machine at the other end of the wire. */
export class Peer {
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
    whenOver(() => peer.close());
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
export class Client {
  readonly socket: Socket;
  readonly received: Buffer[] = [];
  bytes = 0;

  private constructor(path: string) {
    this.socket = connect(path);
    this.socket.on('error', () => {});
    whenOver(() => this.socket.destroy());
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

export function runtimeDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'fp-'));
  whenOver(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

type LineOptions = Partial<ConsoleLineOptions> & Pick<ConsoleLineOptions, 'link'>;

export async function openLine(options: LineOptions): Promise<{ line: ConsoleLine; events: ReportedEvent[] }> {
  const events: ReportedEvent[] = [];
  const none = () => Promise.reject(new Error('not part of this test'));
  const line = await ConsoleLine.open({
    name: 'vm',
    runtimeDir: runtimeDir(),
    report: (event) => events.push(event),
    parts: () => ({
      screen: { read: none, readStyled: none, resize: none },
      recording: { status: undefined, start: none, stop: none, mark: () => {}, exportAsciicast: none },
      taps: [],
      openTerminal: none,
      restart: () => {},
    }),
    backoff: { firstMs: 20, maxMs: 100 },
    ...options,
  });
  whenOver(() => line.close());
  return { line, events };
}

export async function lineTo(peer: Peer, options: Partial<ConsoleLineOptions> = {}) {
  const opened = await openLine({ link: tcpLink({ host: '127.0.0.1', port: peer.port }), ...options });
  await until(() => opened.line.link.state === 'up' && peer.sockets.length > 0);
  return opened;
}

export async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 15_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not within 15 s: ${condition}`);
    await setTimeout(5);
  }
}

export const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Bytes that tell their offset, in lines of 16. */
export function numbered(from: number, length: number): Buffer {
  const lines: string[] = [];
  for (let n = Math.floor(from / 16); n * 16 < from + length; n++) lines.push(`${n}`.padStart(15, '.'));
  const skipped = from % 16;
  return Buffer.from(`${lines.join('\n')}\n`).subarray(skipped, skipped + length);
}

/** Cuts a client's stream at its gap markers: which bytes came, and how many were reported missing between them. */
export function parts(stream: Buffer): { readonly bytes: Buffer; readonly offset: number }[] {
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
