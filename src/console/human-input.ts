import type { Socket } from 'node:net';
import type { LineWriter } from './line-writer.ts';

interface Blocked {
  readonly socket: Socket;
  readonly rest: Uint8Array;
}

/** What people type. Who types faster than the line takes is not read from until there is room: no byte is lost. */
export class HumanInput {
  readonly #writer: LineWriter;
  readonly #sockets = new Set<Socket>();
  #blocked: Blocked[] = [];

  constructor(writer: LineWriter) {
    this.#writer = writer;
    writer.onRoom(() => this.#unblock());
  }

  add(socket: Socket): void {
    if (this.#writer.closed) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (bytes) => this.#type(socket, bytes));
    socket.on('end', () => socket.end());
  }

  close(): void {
    this.#blocked = [];
    for (const socket of this.#sockets) socket.destroy();
  }

  #type(socket: Socket, bytes: Uint8Array): void {
    const { refused } = this.#writer.offer(bytes, 'buffered');
    if (refused === 0) return;
    socket.pause();
    this.#blocked.push({ socket, rest: bytes.subarray(bytes.length - refused) });
  }

  #unblock(): void {
    if (this.#writer.closed) {
      this.close();
      return;
    }
    const blocked = this.#blocked;
    this.#blocked = [];
    for (const { socket, rest } of blocked) {
      const { refused } = this.#writer.offer(rest, 'buffered');
      if (refused > 0) this.#blocked.push({ socket, rest: rest.subarray(rest.length - refused) });
      else socket.resume();
    }
  }
}
