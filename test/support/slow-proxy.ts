import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

const sliceMs = 20;

/** Stands between a server and its clients as a line that takes only so many bytes in a second towards them. */
export class SlowProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isHeld = false;
  /** Bytes that went to clients. */
  passed = 0;

  static async to(url: string, bytesPerSecond: number): Promise<SlowProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new SlowProxy(hostname, Number(port), bytesPerSecond);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  private constructor(host: string, port: number, bytesPerSecond: number) {
    const most = Math.ceil((bytesPerSecond * sliceMs) / 1000);
    this.#server = createServer((client) => {
      const server = connect(port, host);
      const slices = setInterval(() => this.#pass(server, client, most), sliceMs);
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          clearInterval(slices);
          this.#sockets.delete(socket);
          client.destroy();
          server.destroy();
        });
      }
      client.pipe(server);
      // Read by hand: what is not taken stays with the sender.
      server.on('readable', () => {});
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Nothing passes to clients until it goes on. */
  hold(): void {
    this.#isHeld = true;
  }

  goOn(): void {
    this.#isHeld = false;
  }

  #pass(from: Socket, to: Socket, most: number): void {
    if (this.#isHeld) return;
    const length = Math.min(most, from.readableLength);
    const chunk: unknown = length > 0 ? from.read(length) : null;
    if (!(chunk instanceof Buffer)) return;
    this.passed += chunk.length;
    to.write(chunk);
  }

  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
