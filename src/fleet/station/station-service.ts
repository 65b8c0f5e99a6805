import { cpus, loadavg } from 'node:os';
import { z } from 'zod';
import type { ToolHost } from '../../api/tool-host.ts';
import { EventOutbox } from '../wire/event-store.ts';
import type { FleetLine } from '../wire/fleet-line.ts';
import type { Holder } from '../wire/names.ts';
import type { Beat } from '../wire/shapes.ts';
import { subjects } from '../wire/subjects.ts';
import { CallLedger } from './call-ledger.ts';
import { ChannelDesk } from './channel-desk.ts';
import { NewsDesk, type SocketNames } from './news-desk.ts';
import { answerQuery } from './queries.ts';
import type { SocketPaths } from './tunnel-end.ts';

const beatMs = 1000;
/** A gateway that has not said for so long what it wants wants nothing. */
const wantedMs = 60_000;

export interface StationParts {
  readonly line: FleetLine;
  readonly host: ToolHost;
  readonly who: Holder;
  readonly labels: Readonly<Record<string, string>>;
  /** How many machines there may be. */
  readonly capacity: number;
  readonly version: string;
  readonly socketNames: SocketNames;
  readonly socketPaths: SocketPaths;
  log(level: 'info' | 'error', text: string): void;
}

const wordShape = z.object({
  gateway: z.string(),
  wanted: z.array(z.string()).optional(),
  sessionEnded: z.string().optional(),
});

/** The machines of this process, for the gateways of a fleet. */
export class StationService {
  readonly #parts: StationParts;
  readonly #ledger: CallLedger;
  readonly #news: NewsDesk;
  readonly #channels: ChannelDesk;
  readonly #outbox: EventOutbox;
  readonly #stops: (() => void)[];
  readonly #wanted = new Map<string, { readonly machines: ReadonlySet<string>; readonly at: number }>();
  #isDraining = false;

  constructor(parts: StationParts) {
    this.#parts = parts;
    const { line, host, who } = parts;
    this.#ledger = new CallLedger(line, host, who.incarnation);
    this.#news = new NewsDesk(line, host, who, parts.socketNames);
    this.#channels = new ChannelDesk(line, host, parts.socketPaths);
    this.#outbox = new EventOutbox(line, who.host, who.incarnation);
    const timer = setInterval(() => this.#beat(), beatMs);
    const to = (what: 'call' | 'ask' | 'cancel' | 'query' | 'open') => subjects.to(who.host, what);
    this.#stops = [
      () => clearInterval(timer),
      host.onEvent((event) => this.#outbox.add(event)),
      host.keepWhile((machine) => this.#isWanted(machine)),
      line.onReconnect(() => this.#beat()),
      line.subscribe(subjects.hello, () => this.#beat()),
      line.subscribe(subjects.gateways, ({ head }) => this.#hear(head)),
      line.subscribe(to('call'), (message, reply) => reply !== undefined && this.#ledger.take(message, reply)),
      line.subscribe(to('ask'), (message, reply) => reply !== undefined && this.#ledger.ask(message, reply)),
      line.subscribe(to('cancel'), (message) => this.#ledger.cancel(message)),
      line.subscribe(to('open'), (message, reply) => this.#channels.open(message, reply)),
      line.subscribe(to('query'), ({ head }, reply) => reply !== undefined && void this.#query(head, reply)),
    ];
    this.#beat();
  }

  /** From now on no new machines come here. */
  drain(): void {
    this.#isDraining = true;
    this.#beat();
  }

  get machines(): number {
    return this.#parts.host.machines().length;
  }

  /** Nobody is answered any more: what is asked of a rack that is being cleared would be answered wrongly. */
  hush(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#channels.closeAll();
    this.#news.close();
  }

  /** The last word: what was here is gone, and nobody need wait for it. */
  async close(): Promise<void> {
    this.hush();
    await this.#outbox.close();
    this.#beat(true);
    await this.#parts.line.flush().catch(() => {});
  }

  #beat(isLeaving = false): void {
    const { line, host, who, labels, capacity, version } = this.#parts;
    const beat: Beat = {
      ...who,
      labels,
      capacity,
      version,
      machines: host.machines().length,
      kinds: host.kinds().map(({ kind }) => kind),
      load: (loadavg()[0] ?? 0) / Math.max(1, cpus().length),
      news: this.#news.seq,
      isDraining: this.#isDraining,
      isLeaving,
    };
    line.publish(subjects.beat(who.host), beat);
  }

  async #query({ what, of, incarnation }: Readonly<Record<string, unknown>>, reply: string): Promise<void> {
    const { line, host, who, log } = this.#parts;
    if (what === 'list') return line.publish(reply, this.#news.all());
    if (incarnation !== who.incarnation) return line.publish(reply, { t: 'anew' });
    try {
      const { head, body } = await answerQuery(host, what, of);
      line.publish(reply, head, body);
    } catch (error) {
      log('error', `${String(what)}: ${error instanceof Error ? error.stack : error}`);
      line.publish(reply, { t: 'failed' });
    }
  }

  #hear(head: unknown): void {
    const { data } = wordShape.safeParse(head);
    if (!data) return;
    if (data.wanted) this.#wanted.set(data.gateway, { machines: new Set(data.wanted), at: performance.now() });
    if (data.sessionEnded !== undefined) this.#parts.host.sessionEnded(`${data.gateway}.${data.sessionEnded}`);
  }

  #isWanted(machine: string): boolean {
    for (const [gateway, { machines, at }] of this.#wanted) {
      if (performance.now() - at > wantedMs) this.#wanted.delete(gateway);
      else if (machines.has(machine)) return true;
    }
    return false;
  }
}
