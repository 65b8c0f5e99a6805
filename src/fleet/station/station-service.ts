import { createHash } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import type { ToolHost } from '../../api/tool-host.ts';
import { MachineError } from '../../machine/errors.ts';
import type { PolicyRule } from '../../machine/policy.ts';
import { EventOutbox } from '../wire/event-store.ts';
import type { FleetLine } from '../wire/fleet-line.ts';
import type { Holder } from '../wire/names.ts';
import type { Quota } from '../wire/quota.ts';
import type { Beat } from '../wire/shapes.ts';
import { subjects } from '../wire/subjects.ts';
import { CallPace } from './call-pace.ts';
import type { HostMemory } from './host-memory.ts';
import type { SocketNames } from './news-desk.ts';
import { StationDesk } from './station-desk.ts';
import type { SocketPaths } from './tunnel-end.ts';

const beatMs = 1000;

export interface StationParts {
  readonly line: FleetLine;
  readonly host: ToolHost;
  readonly who: Holder;
  readonly labels: Readonly<Record<string, string>>;
  /** How many machines there may be. */
  readonly capacity: number;
  readonly version: string;
  /** What the team may have. */
  readonly quota: Quota;
  readonly memory: HostMemory;
  /** What the operator allows. */
  readonly rules: readonly PolicyRule[];
  /** A picture that was taken around a call, as long as it is kept. */
  still(number: number): Promise<Uint8Array | undefined>;
  /** A file that a person has dropped; rejects where it is not kept. */
  dropped(path: string): Promise<Uint8Array>;
  readonly socketNames: SocketNames;
  readonly socketPaths: SocketPaths;
  log(level: 'info' | 'error', text: string): void;
}

/** The machines of this process, for the gateways of a fleet. */
export class StationService {
  readonly #parts: StationParts;
  readonly #desk: StationDesk;
  readonly #outbox: EventOutbox;
  readonly #stops: (() => void)[];
  /** Later than the others: that the last machines were stopped is told as well. */
  readonly #stopEvents: () => void;
  readonly #policy: string;
  #isDraining = false;

  constructor(parts: StationParts) {
    this.#parts = parts;
    const { line, host, who } = parts;
    const allowed = [host.kinds().map(({ kind }) => kind), parts.rules];
    this.#policy = createHash('sha256').update(JSON.stringify(allowed)).digest('hex').slice(0, 16);
    const pace = parts.quota.calls === undefined ? undefined : new CallPace(parts.quota.calls);
    this.#desk = new StationDesk({
      ...parts,
      refuse: () => pace?.refuse(),
      query: (what, of) => (what === 'still' ? this.#still(of) : what === 'dropped' ? this.#dropped(of) : undefined),
    });
    this.#outbox = new EventOutbox(line, who.host, who.incarnation);
    this.#stopEvents = host.onEvent((event) => this.#outbox.add(event));
    const timer = setInterval(() => this.#beat(), beatMs);
    this.#stops = [
      () => clearInterval(timer),
      line.onReconnect(() => this.#beat()),
      line.subscribe(subjects.hello, () => this.#beat()),
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
    this.#desk.hush();
  }

  /** The last word: what was here is gone, and nobody need wait for it. */
  async close(): Promise<void> {
    this.hush();
    this.#stopEvents();
    await this.#outbox.close();
    this.#beat(true);
    await this.#parts.line.flush().catch(() => {});
  }

  async #still(of: unknown) {
    const { number } = Object(of) as { readonly number?: unknown };
    const body = await this.#parts.still(Number(number));
    return { head: { isThere: body !== undefined }, ...(body && { body }) };
  }

  async #dropped(of: unknown) {
    const { path, sha256 } = Object(of) as { readonly path?: unknown; readonly sha256?: unknown };
    const bytes = isDropped(path) ? await this.#parts.dropped(path).catch(unlessRefused) : undefined;
    return { head: { isThere: bytes !== undefined && createHash('sha256').update(bytes).digest('hex') === sha256 } };
  }

  #beat(isLeaving = false): void {
    const { line, host, who, labels, capacity, version, quota, memory } = this.#parts;
    const beat: Beat = {
      ...who,
      labels,
      capacity,
      version,
      quota,
      machines: host.machines().length,
      kinds: host.kinds().map(({ kind }) => kind),
      load: (loadavg()[0] ?? 0) / availableParallelism(),
      roomMib: memory.roomMib,
      policy: this.#policy,
      news: this.#desk.news.seq,
      isDraining: this.#isDraining,
      isLeaving,
    };
    line.publish(subjects.beat(who.host), beat);
  }
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof MachineError)) throw error;
}

/** Nothing else of this computer is looked at. */
function isDropped(path: unknown): path is string {
  return typeof path === 'string' && path.startsWith('dropped:');
}
