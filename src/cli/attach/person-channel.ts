import type { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { type FromPerson, JsonLines, maxTypedBytes, type PersonRequest } from '../../console/person-protocol.ts';
import type { TypingSink } from './input.ts';

/** Typing under one's own name, and what else a person can ask of a console. */
export class PersonChannel implements TypingSink {
  readonly #socket: Socket;

  constructor(socket: Socket, who: { name: string; place?: string; spy: boolean }, say: (text: string) => void) {
    this.#socket = socket;
    const lines = new JsonLines((message) => {
      if (typeof message !== 'object' || message === null || !('say' in message)) return;
      if (typeof message.say === 'string') say(message.say);
    });
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      if (!lines.push(String(text))) socket.destroy();
    });
    this.#send({ hello: who });
  }

  get writableNeedDrain(): boolean {
    return this.#socket.writableNeedDrain;
  }

  onDrain(listener: () => void): void {
    this.#socket.on('drain', listener);
  }

  /** `sent` is called when the last of it has left. */
  write(bytes: Buffer, sent: (error?: Error | null) => void): void {
    for (let at = 0; at < bytes.length; at += maxTypedBytes) {
      const isLast = at + maxTypedBytes >= bytes.length;
      this.#send({ type: bytes.subarray(at, at + maxTypedBytes).toString('base64') }, isLast ? sent : undefined);
    }
  }

  ask(request: PersonRequest): void {
    this.#send({ do: request });
  }

  #send(message: FromPerson, sent?: (error?: Error | null) => void): void {
    this.#socket.write(`${JSON.stringify(message)}\n`, sent);
  }
}
