import type { Socket } from 'node:net';
import type { Visitor } from '../machine/console.ts';
import type { LineAccess } from './line-access.ts';
import type { LineWriter } from './line-writer.ts';

interface Blocked {
  readonly socket: Socket;
  readonly rest: Uint8Array;
  /** Of a program without a name, which waits while somebody else has the line. */
  readonly visitor: Visitor | undefined;
}

/** What people type. Who types faster than the line takes is not read from until there is room: no byte is lost. */
export class HumanInput {
  readonly #writer: LineWriter;
  readonly #access: LineAccess;
  readonly #sockets = new Set<Socket>();
  #blocked: Blocked[] = [];
  #programs = 0;

  constructor(writer: LineWriter, access: LineAccess) {
    this.#writer = writer;
    this.#access = access;
    writer.onRoom(() => this.unblock());
  }

  /** A program on the input socket: whatever it sends is typed. */
  add(socket: Socket): void {
    if (this.#writer.closed) {
      socket.destroy();
      return;
    }
    const visitor: Visitor = { id: `program-${++this.#programs}`, name: 'a program', kind: 'person' };
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (bytes) => this.#offer({ socket, rest: bytes, visitor }));
    socket.on('end', () => socket.end());
  }

  /** Typed by somebody who may: `socket` is not read from until there is room. */
  type(socket: Socket, bytes: Uint8Array): void {
    this.#offer({ socket, rest: bytes, visitor: undefined });
  }

  close(): void {
    this.#blocked = [];
    for (const socket of this.#sockets) socket.destroy();
  }

  /** To be called when somebody may write who could not. */
  unblock(): void {
    if (this.#writer.closed) {
      this.close();
      return;
    }
    const blocked = this.#blocked;
    this.#blocked = [];
    for (const each of blocked) if (this.#offer(each)) each.socket.resume();
  }

  /** Says whether all of it was taken. */
  #offer({ socket, rest, visitor }: Blocked): boolean {
    const mayWrite = visitor === undefined || this.#access.mayWrite(visitor);
    const refused = mayWrite ? this.#writer.offer(rest, 'buffered').refused : rest.length;
    if (visitor && refused < rest.length) this.#access.wrote(visitor);
    if (refused === 0) return true;
    socket.pause();
    this.#blocked.push({ socket, rest: rest.subarray(rest.length - refused), visitor });
    return false;
  }
}
