import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeError } from './reasons.ts';
import { SocketConnection } from './socket-connection.ts';
import { checkSocketPath } from './socket-path.ts';

const timeoutMs = 10_000;

export interface SocketPair {
  readonly ours: SocketConnection;
  /** Not read from by this process: to be handed to a child and then destroyed. */
  readonly theirs: Socket;
}

/** Two connected stream sockets. Node has no call for it, so they meet in a directory nobody else can enter. */
export async function socketPair(signal: AbortSignal, breakAdvice: string): Promise<SocketPair> {
  const directory = await mkdtemp(join(tmpdir(), 'frontpanel-pair-'));
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true });
  try {
    const path = join(directory, 's');
    checkSocketPath(path);
    await listen(server, path);
    const accepting = acceptOne(server, signal);
    try {
      const ours = await SocketConnection.connect({ path }, { timeoutMs, signal, breakAdvice });
      const theirs = await accepting.catch((error: unknown) => {
        ours.destroy();
        throw error;
      });
      return { ours, theirs };
    } catch (error) {
      accepting.then(
        (theirs) => theirs.destroy(),
        () => {},
      );
      throw error;
    }
  } finally {
    server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Node drops a connection without a word where no descriptor is left for it: then nobody comes. */
function acceptOne(server: Server, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    };
    const fail = (error: Error) => {
      settle();
      reject(error);
    };
    const cancel = () => fail(new Error('the start of the command was cancelled'));
    const none = Object.assign(new Error('no connection could be accepted'), { code: 'EMFILE' });
    const timer = setTimeout(() => fail(new Error(describeError(none), { cause: none })), timeoutMs);
    signal.addEventListener('abort', cancel, { once: true });
    server.once('connection', (socket) => {
      settle();
      resolve(socket);
    });
  });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}
