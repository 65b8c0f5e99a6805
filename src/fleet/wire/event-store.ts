import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { HostEvent } from '../../api/tool-host.ts';
import type { FleetLine } from './fleet-line.ts';
import { storedJson } from './stored-json.ts';
import { ensureStreams, eventsStream, isNotFound } from './streams.ts';
import { subjects } from './subjects.ts';

const mostWaiting = 10_000;
const pauseMs = 500;
const lookMs = 5_000;
const atOnce = 64;

const eventShape = z.object({
  at: z.number(),
  machine: z.string(),
  type: z.string(),
  text: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
});

/** A station's events on their way to the store: in their order, each once, whatever happens to the server meanwhile. */
export class EventOutbox {
  readonly #line: FleetLine;
  readonly #host: string;
  readonly #incarnation: string;
  #waiting: HostEvent[] = [];
  #isSending = false;
  #isClosed = false;
  #lost = 0;

  constructor(line: FleetLine, host: string, incarnation: string) {
    this.#line = line;
    this.#host = host;
    this.#incarnation = incarnation;
  }

  add(event: HostEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length > mostWaiting) {
      this.#waiting.shift();
      this.#lost++;
    }
    if (!this.#isSending) void this.#send();
  }

  /** Everything that was added is in the store, or there is no server. */
  async close(): Promise<void> {
    for (let tries = 0; this.#isSending && tries < 20; tries++) await setTimeout(50);
    this.#isClosed = true;
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    for (let event = this.#waiting[0]; event && !this.#isClosed; event = this.#waiting[0]) {
      const { seq, ...told } = event;
      const lost = this.#lost > 0 ? { lost_before: this.#lost } : undefined;
      const data = { ...told, ...(lost && { data: { ...told.data, ...lost } }) };
      try {
        const { client } = await this.#line.streams();
        await client.publish(subjects.event(this.#host), JSON.stringify(data), {
          msgID: `${this.#incarnation}.${seq}`,
        });
        this.#lost = 0;
        if (this.#waiting[0] === event) this.#waiting.shift();
      } catch {
        await setTimeout(pauseMs);
        await this.#line
          .streams()
          .then(({ manager }) => ensureStreams(manager))
          .catch(() => {});
      }
    }
    this.#isSending = false;
  }
}

/** All events of the fleet as they are in the store, with their numbers there, which all gateways share. */
export class EventInbox {
  readonly #line: FleetLine;
  readonly #take: (event: HostEvent) => void;
  readonly #stops: (() => void)[];
  #next = 0;
  #created = '';
  #wanted = false;
  #isReading = false;
  #isClosed = false;

  constructor(line: FleetLine, take: (event: HostEvent) => void) {
    this.#line = line;
    this.#take = take;
    const timer = setInterval(() => void this.read(), lookMs);
    this.#stops = [
      line.subscribeRaw(subjects.allEvents, () => void this.read()),
      line.onReconnect(() => void this.read()),
      () => clearInterval(timer),
    ];
  }

  /** Takes what is new. */
  async read(): Promise<void> {
    this.#wanted = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#wanted && !this.#isClosed) {
        this.#wanted = false;
        await this.#readAll();
      }
    } catch {
      // The server is away: it is looked again when it is back, and every few seconds.
    } finally {
      this.#isReading = false;
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
  }

  async #readAll(): Promise<void> {
    const { manager } = await this.#line.streams();
    const { created, state } = await this.#info(manager);
    if (created !== this.#created) {
      this.#created = created;
      this.#next = state.first_seq;
    }
    this.#next = Math.max(this.#next, state.first_seq, 1);
    while (this.#next <= state.last_seq) {
      const numbers = Array.from(
        { length: Math.min(atOnce, state.last_seq - this.#next + 1) },
        (_, i) => this.#next + i,
      );
      const found = await Promise.all(numbers.map(async (seq) => ({ seq, event: await this.#event(seq) })));
      for (const { seq, event } of found) {
        this.#take(
          event ? { seq, ...event } : { seq, at: 0, machine: '', type: 'lost', text: 'an event that is gone' },
        );
      }
      this.#next += numbers.length;
    }
  }

  async #info(manager: Awaited<ReturnType<FleetLine['streams']>>['manager']) {
    try {
      return await manager.streams.info(eventsStream);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await ensureStreams(manager);
      return manager.streams.info(eventsStream);
    }
  }

  async #event(seq: number): Promise<Omit<HostEvent, 'seq'> | undefined> {
    const { manager } = await this.#line.streams();
    try {
      const stored = await manager.streams.getMessage(eventsStream, { seq });
      const { data } = eventShape.safeParse(storedJson(stored));
      if (!data) return undefined;
      const { data: facts, ...event } = data;
      return { ...event, ...(facts && { data: facts }) };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
