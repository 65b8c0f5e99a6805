import type { Change } from '../../api/tool-host.ts';
import { type Beat, beatShape, type FleetMachine, type News, newsShape } from '../wire/shapes.ts';
import { subjects } from '../wire/subjects.ts';
import type { Wire } from '../wire/wire.ts';
import { type Inbox, NoAnswer, NobodyThere } from './inbox.ts';

/** A host that was not heard of for so long is told of as silent. Its machines may well be running. */
const silentMs = 4_000;
/** After a silence of so long nothing new is begun there. */
const unreachableMs = 15_000;
/** After this gateway itself was cut off, others are given time to come back as well. */
const graceMs = 10_000;
const listMs = 3_000;

export interface KnownHost extends Beat {
  readonly heardAt: number;
  /** Machines that are being started there by this gateway. */
  readonly pending: number;
  /** Nobody listens at its address: its process is gone, or its connection. */
  readonly isMissing?: boolean;
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
  readonly #line: Wire;
  readonly #inbox: Inbox;
  readonly #hosts = new Map<string, KnownHost>();
  readonly #machines = new Map<string, PlacedMachine>();
  /** Where a name is said to be. It is at two hosts while one of them has yet to hear that its machine was given up. */
  readonly #said = new Map<string, PlacedMachine[]>();
  /** What was given up here, until its host has ended it. */
  readonly #givenUp = new Set<string>();
  readonly #lost = new Map<string, LostMachine>();
  readonly #seen = new Map<string, { incarnation: string; seq: number; isAsking: boolean }>();
  readonly #stops: (() => void)[];
  /** A host has begun anew, or has left: what was under way there is over. */
  onHostGone: (host: string, incarnation: string, why: string) => void = () => {};
  onChange: (change: Change) => void = () => {};
  onListChange: () => void = () => {};

  constructor(line: Wire, inbox: Inbox) {
    this.#line = line;
    this.#inbox = inbox;
    this.#stops = [
      line.subscribe(subjects.beats, ({ head }, _, subject) => this.#heard(head, subjects.hostOf(subject))),
      line.subscribe(subjects.allNews, ({ head }, _, subject) => this.#told(head, subjects.hostOf(subject))),
      line.onReconnect(() => this.hello()),
    ];
  }

  hello(): void {
    this.#line.publish(subjects.hello, {});
  }

  get hosts(): readonly KnownHost[] {
    return [...this.#hosts.values()];
  }

  /** Those that are heard of. */
  get heard(): readonly KnownHost[] {
    return this.hosts.filter(({ host }) => this.silence(host) === 0);
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
    const { connectedMs } = this.#line;
    const quiet = Math.min(performance.now() - known.heardAt, connectedMs);
    return quiet > silentMs || (known.isMissing === true && connectedMs > graceMs) ? quiet : 0;
  }

  /** Whether this gateway has a connection itself. */
  get isConnected(): boolean {
    return this.#line.connectedMs > 0;
  }

  /** Whether anybody listened at a host's address when it was asked. */
  missing(host: string, isMissing: boolean): void {
    const known = this.#hosts.get(host);
    if (!known || known.isMissing === isMissing) return;
    this.#hosts.set(host, { ...known, isMissing });
    for (const { summary } of isMissing ? this.#at(host) : []) this.onChange({ machine: summary.handle });
  }

  /** Unless it has machines here, which may come back with it. */
  forgetEmpty(host: string): void {
    if (this.count(host) > 0) return;
    this.#hosts.delete(host);
    this.#seen.delete(host);
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
    if (this.#machines.get(placed.summary.handle)?.incarnation === placed.incarnation) return;
    this.#add(placed);
    this.onListChange();
  }

  /** It was given up, or has ended. */
  forget(handle: string, why?: LostMachine): void {
    const placed = this.#machines.get(handle);
    if (why) this.#remember(handle, why);
    if (!placed) return;
    if (why) this.#givenUp.add(keyOf(placed));
    this.#remove(placed);
    this.onListChange();
  }

  /** Its process or thread is known to have ended. Answers what went with it. */
  hostEnded(host: string, why: string): readonly string[] {
    const incarnation = this.#hosts.get(host)?.incarnation ?? '';
    const machines = this.#at(host).map(({ summary }) => summary.handle);
    this.#hosts.delete(host);
    this.#seen.delete(host);
    this.#gone(host, incarnation, why);
    return machines;
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  /** Hosts speak for themselves alone: the server decides who may write where. */
  #heard(head: unknown, speaker: string): void {
    const { data } = beatShape.safeParse(head);
    if (data?.host !== speaker) return;
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

  #told(head: unknown, speaker: string): void {
    const news = newsFrom(head);
    if (news?.host !== speaker) return;
    const { host, incarnation, seq } = news;
    const seen = this.#seen.get(host);
    if (seen?.incarnation !== incarnation || seq !== seen.seq + 1) {
      if (this.#hosts.has(host) && seq !== seen?.seq) void this.#list(host, incarnation);
      return;
    }
    seen.seq = seq;
    let isListChanged = this.#put(news);
    for (const placed of news.gone.length === 0 ? [] : this.#at(host)) {
      if (!news.gone.includes(placed.summary.handle)) continue;
      this.#givenUp.delete(keyOf(placed));
      this.#remove(placed);
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
      if (news?.host !== host || this.#hosts.get(host)?.incarnation !== news.incarnation) return;
      seen.incarnation = news.incarnation;
      seen.seq = news.seq;
      const present = new Set(news.machines.map(({ handle }) => handle));
      const gone = this.#at(host).filter((each) => !present.has(each.summary.handle));
      for (const placed of gone) this.#remove(placed);
      const isOther = this.#put(news) || gone.length > 0;
      if (isOther) this.onListChange();
      for (const { handle } of news.machines) this.onChange({ machine: handle });
    } catch (error) {
      // It is asked again with its next word.
      if (!(error instanceof NobodyThere || error instanceof NoAnswer)) throw error;
    } finally {
      seen.isAsking = false;
    }
  }

  /** True if one of them is new. */
  #put({ host, incarnation, machines }: News): boolean {
    let isNew = false;
    for (const summary of machines) {
      const placed = { host, incarnation, summary };
      if (this.#givenUp.has(keyOf(placed))) continue;
      const before = this.#machines.get(summary.handle);
      isNew ||= before?.incarnation !== incarnation || before.summary.resources.length !== summary.resources.length;
      this.#add(placed);
    }
    return isNew;
  }

  #gone(host: string, incarnation: string, why: string): void {
    for (const placed of this.#at(host)) {
      if (placed.incarnation !== incarnation) continue;
      this.#remove(placed);
      if (!this.#machines.has(placed.summary.handle)) this.#remember(placed.summary.handle, { host, why });
    }
    this.onHostGone(host, incarnation, why);
    this.onListChange();
  }

  #at(host: string): readonly PlacedMachine[] {
    return [...this.#said.values()].flat().filter((placed) => placed.host === host);
  }

  /** The one that came last is the one that is meant. */
  #add(placed: PlacedMachine): void {
    const { handle } = placed.summary;
    const said = this.#said.get(handle) ?? [];
    const index = said.findIndex((each) => keyOf(each) === keyOf(placed));
    const all = index < 0 ? [...said, placed] : said.with(index, placed);
    this.#said.set(handle, all);
    this.#machines.set(handle, all.at(-1) ?? placed);
    this.#lost.delete(handle);
  }

  #remove(placed: PlacedMachine): void {
    const { handle } = placed.summary;
    const left = (this.#said.get(handle) ?? []).filter((each) => keyOf(each) !== keyOf(placed));
    const last = left.at(-1);
    if (last) {
      this.#said.set(handle, left);
      this.#machines.set(handle, last);
      return;
    }
    this.#said.delete(handle);
    this.#machines.delete(handle);
  }

  #remember(handle: string, lost: LostMachine): void {
    this.#lost.delete(handle);
    this.#lost.set(handle, lost);
    const [oldest] = this.#lost.keys();
    if (this.#lost.size > mostLost && oldest !== undefined) this.#lost.delete(oldest);
  }
}

function keyOf({ incarnation, summary }: PlacedMachine): string {
  return `${incarnation}/${summary.handle}`;
}

function newsFrom(head: unknown): News | undefined {
  const { data } = newsShape.safeParse(head);
  if (!data) return undefined;
  const changes = data.changes.map(({ machine, console }) => ({ machine, ...(console !== undefined && { console }) }));
  return { ...data, changes, machines: data.machines as FleetMachine[] };
}
