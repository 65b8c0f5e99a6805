import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { ConsolePort, LinkStatus, OutputRing, WriteOptions, WriteResult } from '../../src/machine/console.ts';

/** A ring that is a plain array of what ever arrived, cut to `capacity` when it is looked at. */
export class PlainRing implements OutputRing {
  readonly capacity: number;
  #bytes = new Uint8Array(65_536);
  #end = 0;

  constructor(capacity = Number.MAX_SAFE_INTEGER) {
    this.capacity = capacity;
  }

  get start(): number {
    return Math.max(0, this.#end - this.capacity);
  }

  get end(): number {
    return this.#end;
  }

  append(bytes: Uint8Array): void {
    if (this.#end + bytes.length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#end + bytes.length));
      grown.set(this.#bytes.subarray(0, this.#end));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  read(from: number, maxBytes: number): { bytes: Uint8Array; from: number; lost: number } {
    const at = Math.min(this.#end, Math.max(from, this.start));
    return {
      bytes: this.#bytes.slice(at, Math.min(this.#end, at + maxBytes)),
      from: at,
      lost: Math.max(0, this.start - from),
    };
  }

  get lines(): number {
    throw new Error('not part of this double');
  }

  lastLines(): number {
    throw new Error('not part of this double');
  }
}

/** The smallest thing that is a console port: bytes go in by `receive`, what is written goes to `onWrite`. */
export class PlainPort implements ConsolePort {
  readonly name = 'test';
  readonly writePolicy = 'allow';
  readonly output: PlainRing;
  onWrite: (bytes: Uint8Array, options: WriteOptions) => WriteResult | Promise<WriteResult> = (bytes) => ({
    written: bytes.length,
    queued: 0,
    refused: 0,
  });
  #link: LinkStatus = {
    state: 'up',
    target: 'test',
    since: 0,
    lastedMs: 0,
    silentMs: 0,
    attempts: 1,
    losses: 0,
    bytesIn: 0,
    bytesOut: 0,
    queuedBytes: 0,
    heardSinceUp: true,
  };
  readonly #listeners = new Set<() => void>();

  constructor(capacity?: number) {
    this.output = new PlainRing(capacity);
  }

  get link(): LinkStatus {
    return this.#link;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  setLink(change: Partial<LinkStatus>): void {
    this.#link = { ...this.#link, ...change };
    this.#notify();
  }

  receive(bytes: Uint8Array | string): void {
    this.output.append(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes);
    this.#notify();
  }

  onActivity(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async write(bytes: Uint8Array, options: WriteOptions): Promise<WriteResult> {
    return this.onWrite(bytes, options);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  cursor(): number {
    throw new Error('not part of this double');
  }
  readonly serial = undefined;

  get access(): never {
    throw new Error('not part of this test');
  }

  get exchange(): never {
    throw new Error('not part of this test');
  }

  as(): this {
    return this;
  }

  forgetSession(): void {}

  restart(): void {}

  setCursor(): void {
    throw new Error('not part of this double');
  }
  sendBreak(): Promise<void> {
    throw new Error('not part of this double');
  }
  get screen(): never {
    throw new Error('not part of this double');
  }
  get humans(): never {
    throw new Error('not part of this double');
  }
  get recording(): never {
    throw new Error('not part of this double');
  }
}

/** A shell (or any command) on a real pty, which socat connects to a port over TCP. */
export class PtyPort extends PlainPort implements AsyncDisposable {
  readonly #server: Server;
  readonly #socat: ChildProcess;
  readonly #socket: Socket;

  static async start(command: string, env: Readonly<Record<string, string>> = {}): Promise<PtyPort> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const socat = spawn('socat', [`TCP:127.0.0.1:${address.port}`, `EXEC:"${command}",pty,setsid,ctty,stderr,sane`], {
      stdio: 'ignore',
      env: { ...process.env, PS1: '$ ', ...env },
    });
    const [socket] = (await once(server, 'connection')) as [Socket];
    return new PtyPort(server, socat, socket);
  }

  private constructor(server: Server, socat: ChildProcess, socket: Socket) {
    super();
    this.#server = server;
    this.#socat = socat;
    this.#socket = socket;
    socket.setNoDelay();
    socket.on('data', (bytes) => this.receive(bytes));
    socket.on('error', () => {});
    socket.on('close', () => this.setLink({ state: 'ended' }));
    this.onWrite = (bytes) => {
      socket.write(bytes);
      return { written: bytes.length, queued: 0, refused: 0 };
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone =
      this.#socat.exitCode === null && this.#socat.signalCode === null ? once(this.#socat, 'exit') : undefined;
    this.#socat.kill();
    await gone;
    this.#socket.destroy();
    this.#server.close();
  }
}
