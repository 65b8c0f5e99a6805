import type { BoundConnection } from './bind-connection.ts';
import { listenedUris, listenMethod, maxSubscriptions } from './interest.ts';
import type { MessageFault } from './message-fault.ts';
import { answerOf, cancelledBy, type RequestId, requestOf } from './message-parts.ts';

type Subscriber = Pick<BoundConnection, 'subscribe' | 'unsubscribe'>;

const maxStreams = 100;

/** The streams of the 2026 protocol on a connection, whose entry point keeps them to itself: read off its messages. */
export class Listening {
  /** By the number of the request that opened the stream. */
  readonly #streams = new Map<RequestId, readonly string[]>();
  #uriCount = 0;
  #subscriber: Subscriber | undefined;

  serve(subscriber: Subscriber): void {
    this.#subscriber = subscriber;
    for (const uris of this.#streams.values()) for (const uri of uris) subscriber.subscribe(uri);
  }

  /** Notes the stream that a request opens, or says why it is refused; forgets one that is cancelled. */
  admit(message: unknown): MessageFault | undefined {
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#close(cancelled);
    const request = requestOf(message);
    if (request?.method !== listenMethod) return undefined;
    const { id } = request;
    const uris = [...new Set(listenedUris(message))];
    if (this.#streams.size >= maxStreams) {
      return refusal(id, `${maxStreams} streams are the most for one connection; cancel one of them first`);
    }
    if (this.#uriCount + uris.length > maxSubscriptions) {
      return refusal(
        id,
        `A connection can have at most ${maxSubscriptions} subscriptions; end one before you add another`,
      );
    }
    this.#streams.set(id, uris);
    this.#uriCount += uris.length;
    for (const uri of uris) this.#subscriber?.subscribe(uri);
    return undefined;
  }

  answered(message: unknown): void {
    const answer = answerOf(message);
    if (answer?.isError) this.#close(answer.id);
  }

  #close(id: RequestId): void {
    const uris = this.#streams.get(id);
    if (uris === undefined) return;
    this.#streams.delete(id);
    this.#uriCount -= uris.length;
    const left = new Set([...this.#streams.values()].flat());
    for (const uri of uris) if (!left.has(uri)) this.#subscriber?.unsubscribe(uri);
  }
}

function refusal(id: RequestId, why: string): MessageFault {
  return { id, error: { code: -32602, message: `Invalid params: ${why}` } };
}
