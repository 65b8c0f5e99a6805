import { randomBytes } from 'node:crypto';
import { Channel } from '../wire/channel.ts';
import type { Message } from '../wire/message.ts';
import { subjects } from '../wire/subjects.ts';
import type { SharedMemory, Wire } from '../wire/wire.ts';
import type { Inbox } from './inbox.ts';

const openMs = 10_000;

/** Something that lasts on another host: what is sent before it is open there waits. */
export class RemoteChannel {
  readonly #channel: Channel;
  readonly #closed: () => void;
  #waiting: [Readonly<Record<string, unknown>>, Uint8Array | undefined][] | undefined = [];

  constructor(
    line: Wire,
    inbox: Inbox,
    wanted: { readonly host: string; readonly type: string; readonly of: unknown },
    take: (message: Message) => void,
    closed: () => void = () => {},
  ) {
    this.#closed = closed;
    const id = randomBytes(9).toString('base64url');
    const { host, type, of } = wanted;
    this.#channel = new Channel(line, host, id, 'gateway', { message: take, closed });
    inbox.request(subjects.to(host, 'open'), { id, type, of }, openMs).then(
      ({ head }) => (head.isThere === true ? this.#opened() : this.#fail()),
      () => this.#fail(),
    );
  }

  get memory(): SharedMemory | undefined {
    return this.#channel.memory;
  }

  get isClosed(): boolean {
    return this.#channel.isClosed;
  }

  send(head: Readonly<Record<string, unknown>>, body?: Uint8Array): void {
    if (this.#waiting) this.#waiting.push([head, body]);
    else this.#channel.send(head, body);
  }

  close(): void {
    this.#waiting = undefined;
    this.#channel.close();
  }

  #opened(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const [head, body] of waiting) this.#channel.send(head, body);
  }

  #fail(): void {
    if (this.isClosed) return;
    this.close();
    this.#closed();
  }
}
