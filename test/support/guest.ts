import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { vi } from 'vitest';
import { freePort } from './free-port.ts';

/** The far end of a serial line: a small TCP server that says what a test tells it to. */
export class Guest implements AsyncDisposable {
  readonly port: number;
  /** Everything that was typed, of all connections. */
  received = '';
  connections = 0;
  /** Called with what was typed, for guests that answer. */
  onInput: (text: string) => void = () => {};
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  static async listen(port?: number): Promise<Guest> {
    const server = createServer();
    server.listen(port ?? (await freePort()), '127.0.0.1');
    await once(server, 'listening');
    return new Guest(server);
  }

  private constructor(server: Server) {
    this.#server = server;
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    this.port = address.port;
    server.on('connection', (socket) => this.#welcome(socket));
  }

  /** Prints as soon as somebody is connected; resolves when the bytes have left. */
  async print(output: string | Uint8Array): Promise<void> {
    await this.connected();
    for (const socket of this.#sockets) await new Promise((resolve) => socket.write(output, resolve));
  }

  /** Lets everybody who is connected go, as a machine does that is switched off. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  connected(): Promise<void> {
    return vi.waitFor(
      () => {
        if (this.#sockets.size === 0) throw new Error('nobody is connected to the guest');
      },
      { timeout: 60_000, interval: 5 },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.hangUp();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #welcome(socket: Socket): void {
    this.connections++;
    this.#sockets.add(socket);
    socket.setNoDelay();
    socket.on('data', (bytes) => {
      this.received += bytes.toString('latin1');
      this.onInput(bytes.toString('latin1'));
    });
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
