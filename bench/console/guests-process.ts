/** The far ends of serial lines: TCP ports that print what a measurement needs. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { clockMs } from '../harness/clock.ts';
import { serveCalls } from '../harness/worker.ts';
import { endMark, probe } from './stream.ts';

const floodBlock = Buffer.from(
  Array.from({ length: 16_384 }, (_, line) => `line ${String(line).padStart(10, '0')}\n`).join(''),
);
const sleeper = new Int32Array(new SharedArrayBuffer(4));
/** Shorter than the distance of two chunks; the kernel adds about 50 µs. */
const napMs = 0.005;

class Guest {
  readonly port: number;
  #server: Server;
  #socket: Socket | undefined;

  static async listen(port = 0): Promise<Guest> {
    return new Guest(await listening(port));
  }

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.#welcome(server);
  }

  async socket(): Promise<Socket> {
    while (!this.#socket) await delay(1);
    return this.#socket;
  }

  /** Hangs up, is away for a while, and comes back on the same port. Answers when it was back and called again. */
  async outage(awayMs: number): Promise<{ backMs: number; calledMs: number }> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#socket?.destroy();
    this.#socket = undefined;
    await closed;
    await delay(awayMs);
    this.#server = await listening(this.port);
    const backMs = clockMs();
    this.#welcome(this.#server);
    while (!this.#socket) await once(this.#server, 'connection');
    return { backMs, calledMs: clockMs() };
  }

  #welcome(server: Server): void {
    server.on('connection', (socket) => {
      this.#socket = socket;
      socket.on('error', () => {});
      socket.resume();
    });
  }
}

const guests = new Map<number, Guest>();

async function listening(port: number): Promise<Server> {
  const server = createServer({ noDelay: true }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function socketOf(port: number): Promise<Socket> {
  const guest = guests.get(port);
  if (!guest) throw new Error(`no guest on port ${port}`);
  return guest.socket();
}

function untilDrained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}

const service = {
  async listen(count: number): Promise<number[]> {
    const fresh = await Promise.all(Array.from({ length: count }, () => Guest.listen()));
    for (const guest of fresh) guests.set(guest.port, guest);
    return fresh.map(({ port }) => port);
  },

  async connected(ports: readonly number[]): Promise<void> {
    for (const port of ports) await socketOf(port);
  },

  /** Prints as fast as the line takes it, and then the mark. Answers when it began. */
  async flood(port: number, bytes: number): Promise<number> {
    const socket = await socketOf(port);
    const began = clockMs();
    for (let left = bytes - 1; left > 0; left -= floodBlock.length) {
      if (!socket.write(left < floodBlock.length ? floodBlock.subarray(0, left) : floodBlock))
        await untilDrained(socket);
    }
    socket.write(endMark);
    return began;
  },

  /** Prints until somebody hangs up. */
  async chatter(port: number): Promise<void> {
    const socket = await socketOf(port);
    const chat = async () => {
      while (!socket.destroyed) if (!socket.write(floodBlock)) await untilDrained(socket);
    };
    void chat();
  },

  /** Each port prints a probe every `everyMs`, in turns. Answers when each was printed. */
  async probes(ports: readonly number[], everyMs: number, durationMs: number): Promise<number[][]> {
    const sockets = await Promise.all(ports.map(socketOf));
    const printed: number[][] = ports.map(() => []);
    const began = clockMs();
    const stepMs = everyMs / sockets.length;
    for (let turn = 0; turn * stepMs < durationMs; turn++) {
      const waitMs = began + turn * stepMs - clockMs();
      if (waitMs > 0) await delay(waitMs);
      const now = clockMs();
      sockets[turn % sockets.length]?.write(probe(now));
      printed[turn % sockets.length]?.push(now);
    }
    return printed;
  },

  /** What a 16550 under emulation sends: crumbs, evenly spaced. Answers how many were sent a second. */
  async crumbs(port: number, bytes: number, perSecond: number, durationMs: number): Promise<number> {
    const socket = await socketOf(port);
    const crumb = Buffer.alloc(bytes, 'x');
    const began = clockMs();
    let sent = 0;
    for (let now = began; now - began < durationMs; now = clockMs()) {
      const turnEnds = now + 10;
      while (clockMs() < turnEnds) {
        for (const due = ((clockMs() - began) * perSecond) / 1000; sent < due; sent++) socket.write(crumb);
        Atomics.wait(sleeper, 0, 0, napMs);
      }
      await nextTurn();
    }
    return (sent / (clockMs() - began)) * 1000;
  },

  async outage(port: number, awayMs: number): Promise<{ backMs: number; calledMs: number }> {
    const guest = guests.get(port);
    if (!guest) throw new Error(`no guest on port ${port}`);
    return guest.outage(awayMs);
  },
};

export type Guests = typeof service;

serveCalls(service);
