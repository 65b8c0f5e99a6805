import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a client and a server, and can cut every connection that goes through it. */
export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  connections = 0;

  static async to(url: string): Promise<CuttingProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new CuttingProxy(hostname, Number(port));
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  private constructor(host: string, port: number) {
    this.#server = createServer((client) => {
      const server = connect(port, host);
      this.connections++;
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          this.#sockets.delete(socket);
          client.destroy();
          server.destroy();
        });
      }
      client.pipe(server).pipe(client);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
