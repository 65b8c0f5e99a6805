import type { Transport } from '@modelcontextprotocol/server';
import type { BoundConnection } from './bind-connection.ts';
import { listenedUris } from './interest.ts';

type Subscriber = Pick<BoundConnection, 'subscribe' | 'unsubscribe'>;

/** The streams of the 2026 protocol on a connection, whose entry point keeps them to itself: read off its messages. */
export class Listening {
  /** By the number of the request that opened the stream. */
  readonly #streams = new Map<unknown, readonly string[]>();
  #subscriber: Subscriber | undefined;

  /** Hears each message before the one that serves it, whose listener must be in place. */
  watch(transport: Transport): void {
    const serve = transport.onmessage;
    transport.onmessage = (message, extra) => {
      this.#hear(message);
      serve?.(message, extra);
    };
  }

  serve(subscriber: Subscriber): void {
    this.#subscriber = subscriber;
    for (const uri of this.#uris()) subscriber.subscribe(uri);
  }

  #hear(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    const uris = listenedUris(message);
    if (uris.length > 0 && 'id' in message) this.#open(message.id, uris);
    if ('method' in message && message.method === 'notifications/cancelled' && 'params' in message) {
      const { params } = message;
      if (typeof params === 'object' && params !== null && 'requestId' in params) this.#close(params.requestId);
    }
  }

  #open(id: unknown, uris: readonly string[]): void {
    this.#close(id);
    this.#streams.set(id, uris);
    for (const uri of uris) this.#subscriber?.subscribe(uri);
  }

  #close(id: unknown): void {
    const uris = this.#streams.get(id);
    if (uris === undefined) return;
    this.#streams.delete(id);
    const left = new Set(this.#uris());
    for (const uri of uris) if (!left.has(uri)) this.#subscriber?.unsubscribe(uri);
  }

  #uris(): string[] {
    return [...this.#streams.values()].flat();
  }
}
