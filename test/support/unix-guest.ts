import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { vi } from 'vitest';

/** The far end of a line on a unix socket, which reads only while it is told to; the kernel keeps little for it. */
export class UnixGuest implements AsyncDisposable {
  readonly path: string;
  /** Everything that was read, of all connections. */
  received: Buffer = Buffer.alloc(0);
  readonly #server: Server;
  #socket: Socket | undefined;

  static async listen(path: string): Promise<UnixGuest> {
    const server = createServer({ pauseOnConnect: true });
    server.listen(path);
    await once(server, 'listening');
    return new UnixGuest(path, server);
  }

  private constructor(path: string, server: Server) {
    this.path = path;
    this.#server = server;
    server.on('connection', (socket) => {
      this.#socket = socket;
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        this.received = Buffer.concat([this.received, bytes]);
      });
      socket.pause();
    });
  }

  async read(): Promise<void> {
    await vi.waitFor(() => {
      if (!this.#socket) throw new Error('nobody is connected');
    }, 60_000);
    this.#socket?.resume();
  }

  print(output: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#socket?.write(output, () => resolve()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket?.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
