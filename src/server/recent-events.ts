import type { EventId, EventStore, JSONRPCMessage, StreamId } from '@modelcontextprotocol/server';

const maxBytes = 1024 * 1024;
const idForm = /^(\d{1,15})\.(\S{1,64})$/;

interface KeptEvent {
  readonly number: number;
  readonly stream: StreamId;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/** Whether a client can have got it from here. */
export function isEventId(text: string): boolean {
  return idForm.test(text);
}

/** The last messages to one client, for when its connection is cut and it comes back for what it has missed. */
export class RecentEvents implements EventStore {
  readonly #events: KeptEvent[] = [];
  #bytes = 0;
  #last = 0;

  /** Stands for everything up to now, for a client that cannot say what it got last. */
  get now(): number {
    return this.#last;
  }

  async storeEvent(stream: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const number = ++this.#last;
    this.#keep(number, stream, message, JSON.stringify(message).length);
    // The name of the stream goes with each number, so that it is known even when the event no longer is.
    return `${number}.${stream}`;
  }

  async replayEventsAfter(
    last: EventId,
    { send }: { send: (id: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId> {
    const [, number, stream] = idForm.exec(last) ?? [];
    if (number === undefined || stream === undefined) throw new Error('unknown Last-Event-ID');
    const missed = this.#events.filter((event) => event.stream === stream && event.number > Number(number));
    for (const event of missed) {
      // What only opened a stream was no message.
      if (Object.keys(event.message).length > 0) await send(`${event.number}.${stream}`, event.message);
    }
    return stream;
  }

  #keep(number: number, stream: StreamId, message: JSONRPCMessage, bytes: number): void {
    if (bytes > maxBytes) {
      const id = 'id' in message && !('method' in message) ? message.id : undefined;
      if (id === undefined) return;
      const error = {
        code: -32000,
        message: 'The answer was too large to be kept when the connection was cut; call again.',
      };
      this.#keep(number, stream, { jsonrpc: '2.0', id, error }, 200);
      return;
    }
    this.#events.push({ number, stream, message, bytes });
    this.#bytes += bytes;
    while (this.#bytes > maxBytes) this.#bytes -= this.#events.shift()?.bytes ?? 0;
  }
}
