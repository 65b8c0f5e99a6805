/** A person's program on output sockets: reads, counts, and notes when things arrived. */
import { once } from 'node:events';
import { type ConnectOpts, type IpcSocketConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { clockMs } from '../harness/clock.ts';
import { serveCalls } from '../harness/worker.ts';
import { endMark, isProbe, probeTimes } from './stream.ts';

interface Watched {
  bytes: number;
  reads: number;
  latenciesMs: number[];
  floodEnded: (atMs: number) => void;
}

const readBufferBytes = 256 * 1024;
const watched = new Map<string, Watched>();

function receive(state: Watched, bytes: Uint8Array): void {
  const now = clockMs();
  state.bytes += bytes.length;
  state.reads++;
  if (isProbe(bytes)) state.latenciesMs.push(...probeTimes(bytes).map((printedMs) => now - printedMs));
  else if (bytes.at(-1) === endMark[0]) state.floodEnded(now);
}

/** A socket file may be there a moment before anybody listens on it. */
async function connected(path: string, state: Watched): Promise<void> {
  const options: SocketConstructorOpts & Pick<ConnectOpts, 'onread'> = {
    onread: {
      buffer: new Uint8Array(readBufferBytes),
      callback: (length, buffer) => {
        receive(state, buffer.subarray(0, length));
        return true;
      },
    },
  };
  const target: IpcSocketConnectOpts = { path };
  for (const until = clockMs() + 10_000; ; ) {
    const socket = new Socket(options);
    try {
      socket.connect(target);
      await once(socket, 'connect');
      socket.on('error', () => {});
      return;
    } catch (error) {
      if (clockMs() > until) throw error;
      await delay(10);
    }
  }
}

function stateOf(path: string): Watched {
  const state = watched.get(path);
  if (!state) throw new Error(`not watching ${path}`);
  return state;
}

const service = {
  async watch(path: string): Promise<void> {
    const state: Watched = { bytes: 0, reads: 0, latenciesMs: [], floodEnded: () => {} };
    await connected(path, state);
    watched.set(path, state);
  },

  /** The bytes until the next end mark, and when it came. */
  async flood(path: string): Promise<{ bytes: number; endedMs: number }> {
    const state = stateOf(path);
    const before = state.bytes;
    const endedMs = await new Promise<number>((resolve) => {
      state.floodEnded = resolve;
    });
    return { bytes: state.bytes - before, endedMs };
  },

  /** What was counted since the last call. */
  async take(path: string): Promise<{ bytes: number; reads: number; latenciesMs: number[] }> {
    const state = stateOf(path);
    const { bytes, reads, latenciesMs } = state;
    Object.assign(state, { bytes: 0, reads: 0, latenciesMs: [] });
    return { bytes, reads, latenciesMs };
  },
};

export type Watcher = typeof service;

serveCalls(service);
