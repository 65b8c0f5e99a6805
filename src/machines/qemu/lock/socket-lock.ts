import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { userInfo } from 'node:os';

export interface LockHolder {
  readonly pid: number;
  readonly owner: string;
  /** ISO time. */
  readonly since: string;
}

const askMs = 1000;

/** An abstract socket: only one process can have its name, and it goes with the process. Who asks is told who has it. */
export class SocketLock implements AsyncDisposable {
  readonly name: string;
  readonly #server: Server;

  static async take(name: string, owner: string): Promise<SocketLock | { readonly holder: LockHolder | undefined }> {
    const path = `\0frontpanel-lock-${userInfo().uid}-${name}`;
    const holder: LockHolder = { pid: process.pid, owner, since: new Date().toISOString() };
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.end(JSON.stringify(holder));
    });
    try {
      server.listen(path);
      await once(server, 'listening');
      // A failed accept (out of descriptors) concerns that client only.
      server.on('error', () => {});
      server.unref();
      return new SocketLock(name, server);
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') throw error;
      return { holder: await ask(path) };
    }
  }

  private constructor(name: string, server: Server) {
    this.name = name;
    this.#server = server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}

/** The holder may be busy, or gone by now. */
function ask(path: string): Promise<LockHolder | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    let said = '';
    const timer = setTimeout(() => socket.destroy(), askMs);
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(parseHolder(said));
    });
  });
}

export function parseHolder(text: string): LockHolder | undefined {
  try {
    const { pid, owner, since } = Object(JSON.parse(text));
    return typeof pid === 'number' ? { pid, owner: String(owner), since: String(since) } : undefined;
  } catch {
    return undefined;
  }
}
