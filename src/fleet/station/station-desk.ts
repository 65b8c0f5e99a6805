import { z } from 'zod';
import type { ToolHost } from '../../api/tool-host.ts';
import type { MachineError } from '../../machine/errors.ts';
import type { Holder } from '../wire/names.ts';
import { subjects } from '../wire/subjects.ts';
import type { Wire } from '../wire/wire.ts';
import { CallLedger } from './call-ledger.ts';
import { ChannelDesk } from './channel-desk.ts';
import { GatewayHolds } from './gateway-holds.ts';
import { NewsDesk, type SocketNames } from './news-desk.ts';
import { type Answered, answerQuery } from './queries.ts';
import type { SocketPaths } from './tunnel-end.ts';

/** A gateway that has not said for so long what it wants wants nothing. */
const wantedMs = 60_000;

export interface DeskParts {
  readonly line: Wire;
  readonly host: ToolHost;
  readonly who: Holder;
  readonly socketNames: SocketNames;
  readonly socketPaths: SocketPaths;
  /** Nothing is lost on the wire: answers need not be kept, and changes are told as they come. */
  readonly isSafe?: boolean;
  /** Just before an answer goes out. */
  answering?(machine: string | undefined): void;
  /** Why a call may not be, where there were too many. */
  refuse?(): MachineError | undefined;
  /** What only this station can say. */
  query?(what: unknown, of: unknown): Promise<Answered> | undefined;
  log(level: 'info' | 'error', text: string): void;
}

const wordShape = z.object({
  gateway: z.string(),
  wanted: z.array(z.string()).optional(),
  held: z.array(z.string()).optional(),
  sessionEnded: z.string().optional(),
});

/** Answers what gateways ask of the machines of this rack. */
export class StationDesk {
  readonly news: NewsDesk;
  readonly #parts: DeskParts;
  readonly #ledger: CallLedger;
  readonly #channels: ChannelDesk;
  readonly #holds: GatewayHolds;
  readonly #stops: (() => void)[];
  readonly #wanted = new Map<string, { readonly machines: ReadonlySet<string>; readonly at: number }>();

  constructor(parts: DeskParts) {
    this.#parts = parts;
    const { line, host, who, isSafe = false } = parts;
    this.#ledger = new CallLedger(line, host, who.incarnation, {
      isSafe,
      answering: (of) => parts.answering?.(of),
      refuse: () => parts.refuse?.(),
    });
    this.news = new NewsDesk(line, host, who, parts.socketNames, isSafe);
    this.#channels = new ChannelDesk(line, host, who.host, parts.socketPaths, (machine) => this.news.tellNow(machine));
    this.#holds = new GatewayHolds(host, (text) => parts.log('error', text));
    const to = (what: 'call' | 'ask' | 'cancel' | 'query' | 'open') => subjects.to(who.host, what);
    this.#stops = [
      host.keepWhile((machine) => this.#isWanted(machine)),
      line.subscribe(subjects.gateways, ({ head }) => this.#hear(head)),
      line.subscribe(to('call'), (message, reply) => reply !== undefined && this.#ledger.take(message, reply)),
      line.subscribe(to('ask'), (message, reply) => reply !== undefined && this.#ledger.ask(message, reply)),
      line.subscribe(to('cancel'), (message) => this.#ledger.cancel(message)),
      line.subscribe(to('open'), (message, reply) => this.#channels.open(message, reply)),
      line.subscribe(
        to('query'),
        ({ head, body }, reply) => reply !== undefined && void this.#query(head, body, reply),
      ),
    ];
  }

  /** Nobody is answered any more: what is asked of a rack that is being cleared would be answered wrongly. */
  hush(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#channels.closeAll();
    this.#holds.close();
    this.news.close();
  }

  async #query(asked: Readonly<Record<string, unknown>>, brought: Uint8Array, reply: string): Promise<void> {
    const { what, of, incarnation } = asked;
    if (typeof what !== 'string') return;
    const { line, host, who, log } = this.#parts;
    if (what === 'list') return line.publish(reply, this.news.all());
    if (incarnation !== who.incarnation) return line.publish(reply, { t: 'anew' });
    try {
      const { head, body } = await (this.#parts.query?.(what, of) ?? answerQuery(host, what, of, brought));
      if (what === 'take' && head.error === undefined) this.#holds.taken(of);
      line.publish(reply, head, body);
    } catch (error) {
      log('error', `${what}: ${error instanceof Error ? error.stack : error}`);
      line.publish(reply, { t: 'failed' });
    }
  }

  #hear(head: unknown): void {
    const { data } = wordShape.safeParse(head);
    if (!data) return;
    if (data.wanted) this.#wanted.set(data.gateway, { machines: new Set(data.wanted), at: performance.now() });
    if (data.held) this.#holds.heard(data.gateway, data.held);
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
