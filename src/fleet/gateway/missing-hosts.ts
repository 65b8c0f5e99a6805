import { subjects } from '../wire/subjects.ts';
import type { FleetView } from './fleet-view.ts';
import { type Inbox, NoAnswer, NobodyThere } from './inbox.ts';

/** A beat that is late by little: hosts send one a second. */
const lateMs = 1_200;
const lookMs = 250;
/** A question that was on its way when the process ended is not answered: it is asked again soon. */
const answerMs = 500;
/** Whoever has no machines to come back with is not told of for longer. */
const forgottenMs = 600_000;

type HostsSeen = Pick<FleetView, 'isConnected' | 'hosts' | 'missing' | 'forgetEmpty'>;

/** Asks hosts whose beat is late: one whose process is gone is told of seconds before it could be by its silence. */
export class MissingHosts {
  readonly #inbox: Pick<Inbox, 'request'>;
  readonly #view: HostsSeen;
  readonly #timer: NodeJS.Timeout;
  readonly #asked = new Set<string>();

  constructor(inbox: Pick<Inbox, 'request'>, view: HostsSeen) {
    this.#inbox = inbox;
    this.#view = view;
    this.#timer = setInterval(() => this.#look(), lookMs);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    // What is asked meanwhile would be sent all at once, later.
    if (!this.#view.isConnected) return;
    for (const { host, heardAt, isMissing } of this.#view.hosts) {
      const quietMs = performance.now() - heardAt;
      // Its next beat will say that it is back.
      if (isMissing) {
        if (quietMs >= forgottenMs) this.#view.forgetEmpty(host);
      } else if (quietMs >= lateMs && !this.#asked.has(host)) void this.#ask(host);
    }
  }

  async #ask(host: string): Promise<void> {
    this.#asked.add(host);
    try {
      // Of no incarnation: whoever is there says that it is another.
      await this.#inbox.request(subjects.to(host, 'query'), { what: 'there', incarnation: '' }, answerMs);
      this.#view.missing(host, false);
    } catch (error) {
      if (error instanceof NobodyThere) this.#view.missing(host, true);
      else if (!(error instanceof NoAnswer)) throw error;
    } finally {
      this.#asked.delete(host);
    }
  }
}
