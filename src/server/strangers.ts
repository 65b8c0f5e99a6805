import type { Socket } from 'node:net';

/**
 * Connections on which nobody has shown yet who they are. They have half of the room: when more come, the one that has
 * waited longest goes, so that whoever comes with a token finds a place.
 */
export class Strangers {
  readonly #most: number;
  readonly #waiting = new Map<string, Socket>();

  constructor(maxConnections: number) {
    this.#most = Math.max(1, Math.floor(maxConnections / 2));
  }

  add(socket: Socket): void {
    const peer = peerOf(socket);
    // A connection comes twice where it is encrypted, the second time to be read.
    this.#waiting.set(peer, socket);
    socket.once('close', () => {
      if (this.#waiting.get(peer) === socket) this.#waiting.delete(peer);
    });
    const [oldest] = this.#waiting;
    if (this.#waiting.size <= this.#most || !oldest) return;
    this.#waiting.delete(oldest[0]);
    oldest[1].destroy();
  }

  /** Somebody who may come in has sent a request on it. */
  welcome(socket: Socket): void {
    this.#waiting.delete(peerOf(socket));
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
