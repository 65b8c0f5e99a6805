import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { HttpProgram } from './http-program.ts';

/** A connection on which anything can be sent, and what came back. */
export class RawHttp {
  readonly socket: Socket;
  received = '';
  isOver = false;

  static async open(server: HttpProgram): Promise<RawHttp> {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const raw = new RawHttp(socket);
    await once(socket, 'connect');
    return raw;
  }

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1').on('data', (text) => {
      this.received += text;
    });
    socket.on('error', () => {});
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        this.isOver = true;
      });
    }
  }

  send(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  /** The server has said all that it will. */
  async over(): Promise<string> {
    while (!this.isOver) await Promise.race([once(this.socket, 'end'), once(this.socket, 'close')]).catch(() => {});
    return this.received;
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.received)?.[1] ?? 0);
  }
}

export function upgradeRequest(server: HttpProgram, target: string, headers: readonly string[] = []): string {
  return [
    `GET ${target} HTTP/1.1`,
    `Host: ${new URL(server.url).host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
    '\r\n',
  ].join('\r\n');
}

/** How many descriptors a process has open. */
export function descriptorsOf(pid: number | undefined): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
