import type { Actor } from '../../api/roles.ts';
import type {
  Caller,
  Change,
  Deed,
  FollowedText,
  HostEvent,
  HostMoment,
  Inspection,
  InspectionRead,
  MachineSummary,
  MomentsWanted,
  Outcome,
  RecordedMoment,
  ResourceContent,
  ResourceFamily,
  ToolHost,
} from '../../api/tool-host.ts';
import type { Glimpse, Viewer, Watch } from '../../api/watch.ts';
import { MachineError } from '../../machine/errors.ts';
import { ChangeFeed } from '../../station/change-feed.ts';
import type { Message } from '../wire/message.ts';
import { errorFrom, outcomeFrom } from '../wire/outcome-data.ts';
import { actorData, callerData, holdKey } from '../wire/shapes.ts';
import { subjects } from '../wire/subjects.ts';
import type { Wire } from '../wire/wire.ts';
import type { BroughtFiles } from './brought-files.ts';
import { fleetResources } from './fleet-resources.ts';
import type { FleetView } from './fleet-view.ts';
import type { Inbox } from './inbox.ts';
import { RemoteChannel } from './remote-channel.ts';
import type { RemoteStills } from './remote-stills.ts';
import { pictureOf, RemoteWatch } from './remote-watch.ts';

const queryMs = 20_000;
const wantedMs = 10_000;

export interface FleetHostParts {
  readonly line: Wire;
  readonly inbox: Inbox;
  readonly view: FleetView;
  /** Tools, journal and audit of this gateway; its calls go to the fleet. */
  readonly local: ToolHost;
  /** What hosts keep around calls; unless told, nothing. */
  readonly stills?: RemoteStills;
  /** Files of people; unless told, none can be brought. */
  readonly brought?: BroughtFiles;
  /** How changes are told on; unless told, at a pace. */
  readonly feed?: Pick<ChangeFeed, 'onChange' | 'changed'>;
  /** How often hosts are told which machines are wanted. */
  readonly wantedMs?: number;
}

/** The machines of all hosts, through the interface that everybody uses. */
export class FleetToolHost implements ToolHost {
  readonly resources: readonly ResourceFamily[];
  readonly #parts: FleetHostParts;
  readonly #feed: Pick<ChangeFeed, 'onChange' | 'changed'>;
  readonly #listListeners = new Set<() => void>();
  readonly #wishes = new Set<(machine: string) => boolean>();
  /** What people here have in their hands: hosts free what is not in it. */
  readonly #held = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor(parts: FleetHostParts) {
    this.#parts = parts;
    const { view, local } = parts;
    this.#feed = parts.feed ?? new ChangeFeed();
    this.resources = fleetResources(local.resources, view, (machine, uri) => this.#readResource(machine, uri));
    view.onChange = (change) => this.#feed.changed(change);
    view.onListChange = () => {
      for (const listener of this.#listListeners) listener();
    };
    this.#timer = setInterval(() => this.#tellWanted(), parts.wantedMs ?? wantedMs);
    this.#timer.unref();
  }

  get tools() {
    return this.#parts.local.tools;
  }
  get toolsets() {
    return this.#parts.local.toolsets;
  }
  isListed(tool: string): boolean {
    return this.#parts.local.isListed(tool);
  }
  onToolsListed(listener: () => void): () => void {
    return this.#parts.local.onToolsListed(listener);
  }
  unknownTool(name: string): MachineError {
    return this.#parts.local.unknownTool(name);
  }
  call(tool: string, args: unknown, caller: Caller): Promise<Outcome> {
    return this.#parts.local.call(tool, args, caller);
  }
  check(tool: string, args: unknown, caller: Actor): void {
    this.#parts.local.check(tool, args, caller);
  }
  onEvent(listener: (event: HostEvent) => void): () => void {
    return this.#parts.local.onEvent(listener);
  }
  calls(after: number) {
    return this.#parts.local.calls(after);
  }
  async recorded(seq: number): Promise<RecordedMoment | undefined> {
    const moment = await this.#parts.local.recorded(seq);
    if (!moment) return undefined;
    const { call } = moment;
    const [before, after] = await Promise.all([this.#still(call.before), this.#still(call.after)]);
    return { ...moment, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  }
  audit(actor: Partial<Actor>, deed: Deed): void {
    this.#parts.local.audit(actor, deed);
  }
  kinds() {
    return this.#parts.local.kinds();
  }

  machines(): readonly MachineSummary[] {
    const { view } = this.#parts;
    return view.machines.map(({ host, summary: { resources: _, sockets: __, ...summary } }) =>
      view.silence(host) > 0 ? unreachable(summary, host) : summary,
    );
  }

  onChange(listener: (change: Change) => void): () => void {
    return this.#feed.onChange(listener);
  }

  onListChange(listener: () => void): () => void {
    this.#listListeners.add(listener);
    return () => this.#listListeners.delete(listener);
  }

  moments(machine: string, wanted: MomentsWanted, listener: (moment: HostMoment) => void): (() => void) | undefined {
    const take = ({ head }: Message) => listener(head.moment as HostMoment);
    const canTell = this.#parts.view.machine(machine)?.summary.capabilities.includes('moments');
    return canTell ? this.#lasting(machine, 'moments', { machine, wanted }, take) : undefined;
  }

  keepWhile(isWanted: (machine: string) => boolean): () => void {
    this.#wishes.add(isWanted);
    return () => this.#wishes.delete(isWanted);
  }

  visit(machine: string, who: string): (() => void) | undefined {
    return this.#lasting(machine, 'visit', { machine, who });
  }

  sessionEnded(session: string): void {
    const { line, inbox } = this.#parts;
    line.publish(subjects.gateways, { gateway: inbox.id, sessionEnded: session });
  }

  outputOf(machine: string): Promise<string> | undefined {
    const consoles = this.#parts.view.machine(machine)?.summary.consoles ?? [];
    if (consoles.length === 0) return undefined;
    return this.#query(machine, 'output', { machine }).then(({ body }) => Buffer.from(body).toString());
  }

  follow(machine: string): FollowedText {
    return new RemoteText((take) => this.#channel(machine, 'follow', { machine }, take));
  }

  watch(machine: string, console: string | undefined, actor: Actor, viewer: Viewer): Watch | undefined {
    this.audit(actor, { tool: 'page watch', machine, outcome: 'done' });
    if (!this.#parts.view.machine(machine)) return undefined;
    const of = { machine, console, actor: actorData(actor) };
    const open = (take: (message: Message) => void) => {
      const channel = this.#channel(machine, 'watch', of, take);
      if (!channel) throw new Error('the machine has just gone');
      return channel;
    };
    return new RemoteWatch(viewer, open, () => this.#whyAway(machine));
  }

  /** Why nothing can be done to a machine now; undefined where its host is heard of. */
  #whyAway(machine: string): string | undefined {
    const { view } = this.#parts;
    const host = view.machine(machine)?.host;
    if (host === undefined || view.silence(host) === 0) return undefined;
    return `Host ${host} of ${machine} does not answer; nothing was done.`;
  }

  async glimpse(machine: string): Promise<Glimpse | undefined> {
    if (!this.#parts.view.machine(machine)) return undefined;
    const { head, body } = await this.#query(machine, 'glimpse', { machine });
    if (head.isThere !== true) return undefined;
    const { picture, lines } = head as { picture?: Record<string, unknown>; lines?: readonly string[] };
    return { ...(picture && { picture: pictureOf(picture, body) }), ...(lines && { lines }) };
  }

  async inspect(machine: string, reads: readonly InspectionRead[], caller: Caller): Promise<Inspection | undefined> {
    if (!this.#parts.view.machine(machine)) return undefined;
    const of = { machine, reads, caller: callerData(caller, this.#parts.inbox.id) };
    const { seen } = (await this.#query(machine, 'inspect', of)).head as { seen?: Inspection };
    return seen && { ...seen, outcomes: seen.outcomes.map(outcomeFrom) };
  }

  async take(machine: string, actor: Actor): Promise<void> {
    const key = holdKey(machine, actor);
    this.#held.add(key);
    try {
      await this.#query(machine, 'take', { machine, actor: actorData(actor), gateway: this.#parts.inbox.id });
    } catch (error) {
      this.#held.delete(key);
      throw error;
    }
  }

  async handBack(machine: string, actor: Actor, note: string): Promise<void> {
    this.#held.delete(holdKey(machine, actor));
    await this.#query(machine, 'handBack', { machine, actor: actorData(actor), note });
  }

  async rename(machine: string, title: string, actor: Actor): Promise<void> {
    await this.#query(machine, 'rename', { machine, actor: actorData(actor), title });
  }

  drop(name: string, bytes: Uint8Array, actor: Actor): string {
    const path = this.#parts.local.drop(name, bytes, actor);
    this.#parts.brought?.add(path, bytes);
    return path;
  }

  /** Whether a host has a file that a person has dropped; one that cannot say is given it. */
  async hasDropped(host: string, path: string, sha256: string): Promise<boolean> {
    try {
      return (await this.ask(host, 'dropped', { path, sha256 })).head.isThere === true;
    } catch (error) {
      if (error instanceof MachineError) return false;
      throw error;
    }
  }

  /** Gives a host a file that a person has dropped here. */
  async bring(host: string, name: string, bytes: Uint8Array, actor: Actor): Promise<void> {
    const incarnation = this.#parts.view.host(host)?.incarnation;
    // Who may not bring files may still name one that somebody else has brought.
    const of = { name, actor: { ...actorData(actor), role: 'use' } };
    await this.#request(host, { what: 'drop', of, incarnation }, `Host ${host} does not take ${name}.`, bytes);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#held.clear();
    this.#tellWanted();
  }

  async #readResource(machine: string, uri: string): Promise<ResourceContent> {
    const { content } = (await this.#query(machine, 'resource', { uri })).head as { content?: ResourceContent };
    if (content) return content;
    throw new MachineError('NOT_FOUND', `There is no ${uri} any more.`, 'List the resources again.');
  }

  /** Where hosts have more to say than the door does. Rejects with the reason where one does not answer, or with what it refuses. */
  ask(host: string, what: string, of: unknown): Promise<Message> {
    const incarnation = this.#parts.view.host(host)?.incarnation;
    return this.#request(host, { what, of, incarnation }, `Host ${host} does not answer (${what}).`);
  }

  /** Asked once more if there was no answer: nothing of it does harm twice. */
  async #query(machine: string, what: string, of: unknown): Promise<Message> {
    const placed = this.#parts.view.machine(machine);
    if (!placed) throw new MachineError('UNKNOWN_MACHINE', `No machine ${machine}.`, 'List the machines again.');
    const { host, incarnation } = placed;
    return this.#request(host, { what, of, incarnation }, `Host ${host} of ${machine} does not answer.`);
  }

  /** As PNG in base64; nothing where it is not kept any more, or its host is away. */
  async #still(number: number | undefined): Promise<string | undefined> {
    const place = number === undefined ? undefined : this.#parts.stills?.find(number);
    if (!place || this.#parts.view.host(place.host)?.incarnation !== place.incarnation) return undefined;
    try {
      const { body } = await this.ask(place.host, 'still', { number: place.number });
      return body.length > 0 ? Buffer.from(body).toString('base64') : undefined;
    } catch (error) {
      if (error instanceof MachineError) return undefined;
      throw error;
    }
  }

  async #request(
    host: string,
    query: Readonly<Record<string, unknown>>,
    silence: string,
    body?: Uint8Array,
  ): Promise<Message> {
    const message = await this.#parts.inbox
      .request(subjects.to(host, 'query'), query, queryMs, body)
      .catch((cause: unknown) => {
        throw new MachineError('UNAVAILABLE', silence, 'Try again later.', {
          reason: cause instanceof Error ? cause.message : String(cause),
        });
      });
    if (message.head.error !== undefined) throw errorFrom(message.head.error);
    if (message.head.t !== 'anew' && message.head.t !== 'failed') return message;
    throw new MachineError('UNAVAILABLE', silence, 'Try again later.');
  }

  #channel(machine: string, type: string, of: unknown, take: (message: Message) => void): RemoteChannel | undefined {
    const { line, inbox, view } = this.#parts;
    const placed = view.machine(machine);
    return placed && new RemoteChannel(line, inbox, { host: placed.host, type, of }, take);
  }

  #lasting(machine: string, type: string, of: unknown, take: (message: Message) => void = () => {}) {
    const channel = this.#channel(machine, type, of, take);
    return channel && (() => channel.close());
  }

  #tellWanted(): void {
    const { line, inbox, view } = this.#parts;
    const handles = view.machines.map(({ summary }) => summary.handle);
    const wanted = handles.filter((handle) => [...this.#wishes].some((wish) => wish(handle)));
    line.publish(subjects.gateways, { gateway: inbox.id, wanted, held: [...this.#held] });
  }
}

/** Output of a console of another host, followed. The machine may be started later. */
class RemoteText implements FollowedText {
  readonly #open: (take: (message: Message) => void) => RemoteChannel | undefined;
  #channel: RemoteChannel | undefined;
  #answer: ((next: { text: string; more: boolean }) => void) | undefined;

  constructor(open: (take: (message: Message) => void) => RemoteChannel | undefined) {
    this.#open = open;
    this.#channel = this.#reopen();
  }

  async next(): Promise<{ readonly text: string; readonly more: boolean }> {
    if (!this.#channel || this.#channel.isClosed) this.#channel = this.#reopen();
    const channel = this.#channel;
    if (!channel) return { text: '', more: false };
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#answer?.({ text: '', more: false }), queryMs);
      this.#answer = (next) => {
        clearTimeout(timer);
        this.#answer = undefined;
        resolve(next);
      };
      channel.send({ t: 'next' });
    });
  }

  #reopen(): RemoteChannel | undefined {
    return this.#open(({ head }) => this.#answer?.({ text: String(head.text), more: head.more === true }));
  }
}

/** What its host said last does not hold any more. */
function unreachable(summary: MachineSummary, host: string): MachineSummary {
  const state = 'UNREACHABLE';
  const line = `${summary.handle} ${state}: its host ${host} does not answer; it may be running there`;
  return { ...summary, state, line, watched: { ...summary.watched, state, line } };
}
