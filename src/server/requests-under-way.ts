import { listenMethod } from './interest.ts';
import type { MessageFault } from './message-fault.ts';
import { answerOf, cancelledBy, type RequestId, requestOf } from './message-parts.ts';

/** More than clients have at a time, and so few that beginning them all keeps nobody waiting. */
const mostUnderWay = 64;
/** A client that sends many at once need not wait for answers, as long as they come. */
const patienceMs = 25;
/** Answered at once, or counted elsewhere. */
const uncounted: readonly string[] = ['ping', 'initialize', listenMethod];

/** The requests of a connection that have no answer yet. */
export class RequestsUnderWay {
  /** How many there are of each number, which a client should not use twice but can. */
  readonly #ids = new Map<RequestId, number>();
  #count = 0;
  /** When the last one began or was answered. */
  #movedAt = 0;
  #onAnswer: (() => void) | undefined;

  /** Counts a request, or says why it is refused; before that it gives those under way a moment. */
  async admit(message: unknown): Promise<MessageFault | undefined> {
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) this.#end(cancelled);
    const request = requestOf(message);
    if (request === undefined || uncounted.includes(request.method)) return undefined;
    const { id } = request;
    if (!(await this.#hasRoom())) {
      const text = `${mostUnderWay} requests of this connection wait for their answers, which is the limit. Send it again after an answer.`;
      return { id, error: { code: -32000, message: text } };
    }
    this.#ids.set(id, (this.#ids.get(id) ?? 0) + 1);
    this.#count++;
    this.#movedAt = performance.now();
    return undefined;
  }

  answered(message: unknown): void {
    const answer = answerOf(message);
    if (answer) this.#end(answer.id);
  }

  async #hasRoom(): Promise<boolean> {
    while (this.#count >= mostUnderWay) {
      const leftMs = this.#movedAt + patienceMs - performance.now();
      if (leftMs <= 0) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#onAnswer = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return true;
  }

  #end(id: RequestId): void {
    const left = (this.#ids.get(id) ?? 0) - 1;
    if (left < 0) return;
    if (left === 0) this.#ids.delete(id);
    else this.#ids.set(id, left);
    this.#count--;
    this.#movedAt = performance.now();
    this.#onAnswer?.();
  }
}
