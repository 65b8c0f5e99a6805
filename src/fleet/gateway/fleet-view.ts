import type { Change } from '../../api/tool-host.ts';
import type { FleetLine } from '../wire/fleet-line.ts';
import { type Beat, beatShape, type FleetMachine, type News, newsShape } from '../wire/shapes.ts';
import { subjects } from '../wire/subjects.ts';
import type { Inbox } from './inbox.ts';

/** A host that was not heard of for so long is told of as silent. Its machines may well be running. */
const silentMs = 4_000;
/** After a silence of so long nothing new is begun there. */
const unreachableMs = 15_000;
const listMs = 3_000;

export interface KnownHost extends Beat {
  readonly heardAt: number;
  /** Machines that are being started there by this gateway. */
  readonly pending: number;
}

export interface PlacedMachine {
  readonly host: string;
  readonly incarnation: string;
  readonly summary: FleetMachine;
}

/** Machines that went with their host. */
interface LostMachine {
  readonly host: string;
  readonly why: string;
}

const mostLost = 1000;

/** What this gateway knows of the fleet by what stations say. It holds no truth: another gateway knows as much. */
export class FleetView {
  readonly #line: FleetLine;
  readonly #inbox: Inbox;
  readonly #hosts = new Map<string, KnownHost>();
  readonly #machines = new Map<string, PlacedMachine>();
  readonly #lost = new Map<string, LostMachine>();
  readonly #seen = new Map<string, { incarnation: string; seq: number; isAsking: boolean }>();
  readonly #stops: (() => void)[];
  /** A host has begun anew, or has left: what was under way there is over. */
  onHostGone: (host: string, incarnation: string, why: string) => void = () => {};
  onChange: (change: Change) => void = () => {};
  onListChange: () => void = () => {};

  constructor(line: FleetLine, inbox: Inbox) {
    this.#line = line;
    this.#inbox = inbox;
    this.#stops = [
      line.subscribe(subjects.beats, ({ head }) => this.#heard(head)),
      line.subscribe(subjects.allNews, ({ head }) => this.#told(head)),
      line.onReconnect(() => this.hello()),
    ];
  }

  hello(): void {
    this.#line.publish(subjects.hello, {});
  }

  get hosts(): readonly KnownHost[] {
    return [...this.#hosts.values()];
  }

  host(name: string): KnownHost | undefined {
    return this.#hosts.get(name);
  }

  get machines(): readonly PlacedMachine[] {
    return [...this.#machines.values()];
  }

  /** How many machines there are on a host, as far as is known here. */
  count(host: string): number {
    let count = 0;
    for (const placed of this.#machines.values()) if (placed.host === host) count++;
    return count;
  }

  machine(handle: string): PlacedMachine | undefined {
    return this.#machines.get(handle);
  }

  lost(handle: string): LostMachine | undefined {
    return this.#lost.get(handle);
  }

  /** For how long a host has said nothing; 0 while that means nothing, because this gateway was cut off itself. */
  silence(host: string): number {
    const known = this.#hosts.get(host);
    if (!known) return Number.POSITIVE_INFINITY;
    const quiet = Math.min(performance.now() - known.heardAt, this.#line.connectedMs);
    return quiet > silentMs ? quiet : 0;
  }

  isReachable(host: string): boolean {
    return this.silence(host) < unreachableMs;
  }

  /** Somebody begins or ends to start a machine there. */
  pending(host: string, change: 1 | -1): void {
    const known = this.#hosts.get(host);
    if (known) this.#hosts.set(host, { ...known, pending: known.pending + change });
  }

  /** A machine that was just started is known before its station tells of it. */
  expect(placed: PlacedMachine): void {
    if (this.#machines.has(placed.summary.handle)) return;
    this.#machines.set(placed.summary.handle, placed);
    this.#lost.delete(placed.summary.handle);
    this.onListChange();
  }

  /** It was given up, or has ended. */
  forget(handle: string, why?: LostMachine): void {
    if (why) this.#remember(handle, why);
    if (this.#machines.delete(handle)) this.onListChange();
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #heard(head: unknown): void {
    const { data } = beatShape.safeParse(head);
    if (!data) return;
    const { host, incarnation, news, isLeaving } = data;
    const before = this.#hosts.get(host);
    if (before && before.incarnation !== incarnation) this.#gone(host, before.incarnation, 'it was started anew');
    if (isLeaving) {
      this.#gone(host, incarnation, 'it has left');
      this.#hosts.delete(host);
      this.#seen.delete(host);
      return;
    }
    this.#hosts.set(host, { ...data, heardAt: performance.now(), pending: before?.pending ?? 0 });
    const seen = this.#seen.get(host);
    if (seen?.incarnation !== incarnation || seen.seq !== news) void this.#list(host, incarnation);
  }

  #told(head: unknown): void {
    const news = newsFrom(head);
    if (!news) return;
    const { host, incarnation, seq } = news;
    const seen = this.#seen.get(host);
    if (seen?.incarnation !== incarnation || seq !== seen.seq + 1) {
      if (this.#hosts.has(host) && seq !== seen?.seq) void this.#list(host, incarnation);
      return;
    }
    seen.seq = seq;
    let isListChanged = this.#put(news);
    for (const handle of news.gone) {
      if (this.#machines.get(handle)?.host !== host) continue;
      this.#machines.delete(handle);
      isListChanged = true;
    }
    if (isListChanged) this.onListChange();
    for (const change of news.changes) this.onChange(change);
  }

  /** Asks for everything, where something was missed. */
  async #list(host: string, incarnation: string): Promise<void> {
    const before = this.#seen.get(host);
    if (before?.isAsking) return;
    const seen = { incarnation, seq: before?.incarnation === incarnation ? before.seq : -1, isAsking: true };
    this.#seen.set(host, seen);
    try {
      const { head } = await this.#inbox.request(subjects.to(host, 'query'), { what: 'list' }, listMs);
      const news = newsFrom(head);
      if (!news || this.#hosts.get(host)?.incarnation !== news.incarnation) return;
      seen.incarnation = news.incarnation;
      seen.seq = news.seq;
      const present = new Set(news.machines.map(({ handle }) => handle));
      const gone = this.machines.filter((each) => each.host === host && !present.has(each.summary.handle));
      for (const { summary } of gone) this.#machines.delete(summary.handle);
      const isOther = this.#put(news) || gone.length > 0;
      if (isOther) this.onListChange();
      for (const { handle } of news.machines) this.onChange({ machine: handle });
    } catch {
      // It is asked again with its next word.
    } finally {
      seen.isAsking = false;
    }
  }

  /** True if one of them is new. */
  #put({ host, incarnation, machines }: News): boolean {
    let isNew = false;
    for (const summary of machines) {
      const before = this.#machines.get(summary.handle);
      isNew ||= before?.incarnation !== incarnation || before.summary.resources.length !== summary.resources.length;
      this.#machines.set(summary.handle, { host, incarnation, summary });
      this.#lost.delete(summary.handle);
    }
    return isNew;
  }

  #gone(host: string, incarnation: string, why: string): void {
    for (const [handle, placed] of this.#machines) {
      if (placed.host !== host || placed.incarnation !== incarnation) continue;
      this.#machines.delete(handle);
      this.#remember(handle, { host, why });
    }
    this.onHostGone(host, incarnation, why);
    this.onListChange();
  }

  #remember(handle: string, lost: LostMachine): void {
    this.#lost.delete(handle);
    this.#lost.set(handle, lost);
    const [oldest] = this.#lost.keys();
    if (this.#lost.size > mostLost && oldest !== undefined) this.#lost.delete(oldest);
  }
}

/** Summaries are as another frontpanel of the same team made them. */
function newsFrom(head: unknown): News | undefined {
  const { data } = newsShape.safeParse(head);
  if (!data) return undefined;
  const changes = data.changes.map(({ machine, console }) => ({ machine, ...(console !== undefined && { console }) }));
  return { ...data, changes, machines: data.machines as FleetMachine[] };
}
