import { setTimeout } from 'node:timers/promises';
import { listenMethod } from './interest.ts';
import type { MessageFault } from './message-fault.ts';
import { answerOf, cancelledBy, type RequestId, requestOf } from './message-parts.ts';

/** More than clients have at a time, and so few that beginning them all keeps nobody waiting. */
const mostUnderWay = 128;
/**
 * A client that sends many at once need not wait for answers, as long as they come: so many turns of the event loop, of a
 * millisecond at least, may pass without one. A computer that is busy gives the server as many turns, later.
 */
const patientTurns = 100;
/** Answered at once, or counted elsewhere. */
const uncounted: readonly string[] = ['ping', 'initialize', listenMethod];

interface Place {
  isAtWork: boolean;
  /** Answered or cancelled. */
  isOver: boolean;
}

/** The requests of a connection that have no answer yet, and the work for those that were taken back. */
export class RequestsUnderWay {
  /** With the place that each takes, if it counts. */
  readonly #ids = new Map<RequestId, Place | undefined>();
  #count = 0;
  /** That have passed while there was no room and no answer came. */
  #turns = 0;

  /** Why a request is refused at once; nothing if it can be let in, perhaps after a moment. */
  refusal(message: unknown): MessageFault | undefined {
    if (this.#count < mostUnderWay || this.#turns < patientTurns) return undefined;
    const request = requestOf(message);
    return request && isCounted(request) ? tooMany(request.id) : undefined;
  }

  /** Counts a request, or says why it is refused; before that it gives those under way a moment. */
  async admit(message: unknown): Promise<MessageFault | undefined> {
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#end(cancelled);
    const request = requestOf(message);
    if (request === undefined) return undefined;
    const { id } = request;
    // Their answers could not be told apart, and the first would make room for the other.
    if (this.#ids.has(id)) return inUse(id);
    const counts = isCounted(request);
    while (counts && this.#count >= mostUnderWay) {
      if (this.#turns >= patientTurns) return tooMany(id);
      await setTimeout(1);
      this.#turns++;
    }
    this.#ids.set(id, counts ? this.#take() : undefined);
    return undefined;
  }

  /**
   * The work for a request begins; what is returned is called when it has ended. What is cancelled keeps its place until
   * then: else a client that takes everything back at once could have any amount of work done.
   */
  begin(request: { readonly id: RequestId; readonly method: string }): () => void {
    if (!isCounted(request)) return () => {};
    // One that was taken back before it began has no place any more, but is carried out.
    const place = this.#ids.get(request.id) ?? Object.assign(this.#take(), { isOver: true });
    place.isAtWork = true;
    return () => {
      if (!place.isAtWork) return;
      place.isAtWork = false;
      this.#free(place);
    };
  }

  answered(message: unknown): void {
    const answer = answerOf(message);
    if (answer) this.#end(answer.id);
  }

  #end(id: RequestId): void {
    const place = this.#ids.get(id);
    this.#ids.delete(id);
    if (!place) return;
    place.isOver = true;
    // Most that is taken back ends at once: what comes next may wait for that.
    this.#turns = 0;
    this.#free(place);
  }

  #take(): Place {
    this.#count++;
    this.#turns = 0;
    return { isAtWork: false, isOver: false };
  }

  #free({ isAtWork, isOver }: Place): void {
    if (isAtWork || !isOver) return;
    this.#count--;
    this.#turns = 0;
  }
}

function isCounted({ method }: { readonly method: string }): boolean {
  return !uncounted.includes(method);
}

function inUse(id: RequestId): MessageFault {
  const message = `Invalid request: ${JSON.stringify(id)} is the id of a request that is still in progress. Use another id.`;
  return { id, error: { code: -32600, message } };
}

function tooMany(id: RequestId): MessageFault {
  const message = `${mostUnderWay} requests are in progress on this connection, which is the limit. Send this one again after one of them has been answered.`;
  return { id, error: { code: -32000, message } };
}
