import type { Server } from '@modelcontextprotocol/server';
import type { LogEntry, ResourceUpdate } from './surface.ts';

/** Log messages that may wait for a client which does not read them. */
const mostWaitingLogs = 100;

/**
 * What one connection is told unasked. A client that does not read is not told the same thing again and again: what says
 * only that something has changed is said once more when it reads.
 */
export class Notifications {
  readonly #server: Server;
  readonly #waiting = new Map<string, { again: boolean }>();
  #waitingLogs = 0;
  #leftOut = 0;

  constructor(server: Server) {
    this.#server = server;
  }

  update(update: ResourceUpdate): void {
    const send = () => this.#server.notification({ method: 'notifications/resources/updated', params: update });
    const isHint = Object.keys(update).length === 1;
    if (isHint) this.#once(update.uri, send);
    else send().catch(ignore);
  }

  listChanged(): void {
    this.#once('list', () => this.#server.sendResourceListChanged());
  }

  log(entry: LogEntry): void {
    if (this.#waitingLogs >= mostWaitingLogs) {
      this.#leftOut++;
      return;
    }
    if (this.#leftOut > 0) {
      const data = `${this.#leftOut} messages were left out; nobody read those before them.`;
      this.#leftOut = 0;
      this.log({ level: 'warning', logger: 'frontpanel', data });
    }
    this.#waitingLogs++;
    this.#server
      .sendLoggingMessage(entry, this.#server.transport?.sessionId)
      .catch(ignore)
      .finally(() => this.#waitingLogs--);
  }

  #once(what: string, send: () => Promise<void>): void {
    const waiting = this.#waiting.get(what);
    if (waiting) {
      waiting.again = true;
      return;
    }
    const sending = { again: false };
    this.#waiting.set(what, sending);
    send()
      .catch(ignore)
      .finally(() => {
        this.#waiting.delete(what);
        if (sending.again) this.#once(what, send);
      });
  }
}

function ignore(): void {}
