import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { GymConnection, type RequestRoom } from './gym-connection.ts';

const mostConnections = 64;
/** Room for four of the longest requests. */
const mostRequestBytes = 1024 * 1024 * 1024;

/** A unix socket at which programs of this user open environments, in any language. */
export class GymServer {
  readonly #server: Server;
  readonly #connections = new Set<GymConnection>();

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Rejects where the path is taken or cannot be made. `read`: folders that clients may name files in. */
  static async listen(path: string, read: readonly string[]): Promise<GymServer> {
    const server = createServer();
    server.maxConnections = mostConnections;
    const gym = new GymServer(server);
    const room: RequestRoom = { left: mostRequestBytes };
    server.on('connection', (socket) => {
      const connection = new GymConnection(socket, read, room);
      gym.#connections.add(connection);
      socket.once('close', () => gym.#connections.delete(connection));
    });
    const mask = process.umask(0o177);
    try {
      server.listen(path);
      await once(server, 'listening');
    } finally {
      process.umask(mask);
    }
    // A failed accept (out of descriptors) concerns that client only.
    server.on('error', () => {});
    chmodSync(path, 0o600);
    return gym;
  }

  async close(): Promise<void> {
    this.#server.close();
    await Promise.all([...this.#connections].map((connection) => connection.end()));
  }
}
