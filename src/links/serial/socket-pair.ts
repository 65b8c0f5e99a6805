import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SocketConnection } from './socket-connection.ts';
import { checkSocketPath } from './socket-path.ts';

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
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const ours = await SocketConnection.connect({ path }, { timeoutMs: 10_000, signal, breakAdvice });
    return { ours, theirs: await accepted };
  } finally {
    server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}
