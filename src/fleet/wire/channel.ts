import type { Message } from './message.ts';
import { subjects } from './subjects.ts';
import type { SharedMemory, Wire } from './wire.ts';

/** Both ends say this often that they are there, and one that says nothing for longer has gone. */
const aliveMs = 3_000;
const silentMs = 15_000;

export interface ChannelEvents {
  message(message: Message): void;
  /** The other end has closed it, has gone, or something on the way was lost. */
  closed(): void;
}

/** Messages to and fro between a gateway and a station, in their order and without a hole: one that is missing ends it. */
export class Channel {
  readonly id: string;
  readonly #line: Wire;
  readonly #to: string;
  readonly #events: ChannelEvents;
  readonly #unsubscribe: () => void;
  readonly #timer: NodeJS.Timeout;
  #sent = 0;
  #received = 0;
  #heardAt = performance.now();
  #isClosed = false;

  constructor(line: Wire, host: string, id: string, end: 'gateway' | 'station', events: ChannelEvents) {
    this.id = id;
    this.#line = line;
    this.#events = events;
    const [up, down] = [subjects.channelUp(host, id), subjects.channelDown(host, id)];
    this.#to = end === 'gateway' ? up : down;
    this.#unsubscribe = line.subscribe(end === 'gateway' ? down : up, (message) => this.#receive(message));
    this.#timer = setInterval(() => this.#look(), aliveMs);
    this.#timer.unref();
  }

  get memory(): SharedMemory | undefined {
    return this.#line.memory;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(head: Readonly<Record<string, unknown>>, body?: Uint8Array): void {
    if (!this.#isClosed) this.#line.publish(this.#to, { ...head, n: ++this.#sent }, body);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#line.publish(this.#to, { t: 'close', n: 0 });
    this.#end();
  }

  #receive(message: Message): void {
    if (this.#isClosed) return;
    this.#heardAt = performance.now();
    const { t, n } = message.head;
    if (t === 'alive' && n === this.#received) return;
    if (t !== 'close' && t !== 'alive' && n === this.#received + 1) {
      this.#received++;
      this.#events.message(message);
      return;
    }
    if (t !== 'close') this.#line.publish(this.#to, { t: 'close', n: 0 });
    this.#end();
    this.#events.closed();
  }

  #look(): void {
    this.#line.publish(this.#to, { t: 'alive', n: this.#sent });
    if (performance.now() - this.#heardAt <= silentMs) return;
    this.#end();
    this.#events.closed();
  }

  #end(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#unsubscribe();
  }
}
