import type { LogEntry, ResourceUpdate } from './surface.ts';

/** Log messages that wait for a client that does not read; older ones are left out and counted. */
const maxWaitingLogs = 100;

/** The way to a client, as far as it can be seen that it does not read. */
export interface Wire {
  readonly isFull: boolean;
  /** Calls back once when there is room again. */
  onceFree(listener: () => void): void;
}

/** Lists that clients keep. */
type List = 'tools' | 'resources';

export interface OutboxEvents {
  /** What is new about a resource, made when it can be sent; nothing when there is nothing new. */
  news(uri: string): News | undefined | Promise<News | undefined>;
  sendUpdate(update: ResourceUpdate): void;
  sendLog(entry: LogEntry): void;
  sendListChanged(list: List): void;
}

/** The rest of an update's parameters, and whether there is more than fits into it. */
export interface News {
  readonly params: Readonly<Record<string, unknown>>;
  readonly more: boolean;
}

const openWire: Wire = { isFull: false, onceFree: () => {} };

/**
 * What one client is to be told unasked. While it does not read, nothing is made for it: updates of a resource become
 * one, and messages of the log are dropped beyond a bound. Answers to requests never come through here.
 */
export class Outbox {
  readonly #wire: Wire;
  readonly #events: OutboxEvents;
  readonly #changed = new Set<string>();
  #logs: LogEntry[] = [];
  #droppedLogs = 0;
  readonly #lists = new Set<List>();
  #isWaiting = false;
  #isClosed = false;

  constructor(events: OutboxEvents, wire: Wire = openWire) {
    this.#events = events;
    this.#wire = wire;
  }

  update(uri: string): void {
    this.#changed.add(uri);
    this.#pump();
  }

  /** Nothing more of this resource is wanted. */
  forget(uri: string): void {
    this.#changed.delete(uri);
  }

  log(entry: LogEntry): void {
    this.#logs.push(entry);
    if (this.#logs.length > maxWaitingLogs) {
      this.#logs.shift();
      this.#droppedLogs++;
    }
    this.#pump();
  }

  listChanged(list: List): void {
    this.#lists.add(list);
    this.#pump();
  }

  close(): void {
    this.#isClosed = true;
  }

  #pump(): void {
    if (this.#isWaiting || this.#isClosed) return;
    while (!this.#wire.isFull) {
      const again = this.#sendOne();
      if (again === 'nothing') return;
      if (again === 'sent') continue;
      // A flood must not keep requests from being heard.
      this.#wait(again === 'later' ? (resume) => setImmediate(resume) : (resume) => again.finally(resume));
      return;
    }
    this.#wait((resume) => this.#wire.onceFree(resume));
  }

  #wait(until: (resume: () => void) => void): void {
    this.#isWaiting = true;
    until(() => {
      this.#isWaiting = false;
      this.#pump();
    });
  }

  #sendOne(): 'sent' | 'later' | 'nothing' | Promise<void> {
    const [list] = this.#lists;
    if (list !== undefined) {
      this.#lists.delete(list);
      this.#events.sendListChanged(list);
      return 'sent';
    }
    const entry = this.#nextLog();
    if (entry) {
      this.#events.sendLog(entry);
      return 'sent';
    }
    const [uri] = this.#changed;
    if (uri === undefined) return 'nothing';
    this.#changed.delete(uri);
    const news = this.#events.news(uri);
    return news instanceof Promise ? news.then((found) => void this.#tell(uri, found)) : this.#tell(uri, news);
  }

  #tell(uri: string, news: News | undefined): 'sent' | 'later' {
    if (news === undefined || this.#isClosed) return 'sent';
    this.#events.sendUpdate({ uri, ...news.params });
    if (!news.more) return 'sent';
    this.#changed.add(uri);
    return 'later';
  }

  #nextLog(): LogEntry | undefined {
    if (this.#droppedLogs === 0) return this.#logs.shift();
    const data = {
      type: 'log_gap',
      text: `${this.#droppedLogs} log messages were dropped because the client did not read`,
    };
    this.#droppedLogs = 0;
    return { level: 'warning', logger: 'frontpanel', data };
  }
}
