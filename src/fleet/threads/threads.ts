import type { Worker } from 'node:worker_threads';
import type { DebugPorts } from '../../api/debug-ports.ts';
import type { Change, HostEvent, ToolHost } from '../../api/tool-host.ts';
import { MachineError } from '../../machine/errors.ts';
import type { TeamFiles } from '../../machine/files.ts';
import type { Rack } from '../../rack/rack.ts';
import type { Elsewhere, Toolbox } from '../../tools/toolbox.ts';
import { capableOf } from '../gateway/capable-of.ts';
import { FleetToolHost } from '../gateway/fleet-tool-host.ts';
import { FleetView } from '../gateway/fleet-view.ts';
import { Inbox } from '../gateway/inbox.ts';
import { RemoteCalls, type Target } from '../gateway/remote-calls.ts';
import { errorFrom } from '../wire/outcome-data.ts';
import { subjects } from '../wire/subjects.ts';
import { takenAtOnce } from './event-post.ts';
import { MachineThread } from './machine-thread.ts';
import { mainSubjects } from './main-thread.ts';
import { PortWire } from './port-wire.ts';
import { ThreadCalls, unfinishedCall } from './thread-calls.ts';
import { answerThreads } from './thread-requests.ts';
import { ThreadedToolHost } from './threaded-tool-host.ts';

/** Stills of each thread have numbers of their own, far from those of others. */
const stillNumbers = 2 ** 40;
const wantedMs = 250;
/** On a busy computer a machine takes its time to start. */
const demoMs = 60_000;

export interface ThreadsOptions {
  /** At most so many; each is started when it is needed. */
  readonly most: number;
  readonly kinds: ReadonlySet<string>;
  start(data: ThreadStart): Worker;
  log(level: string, text: string): void;
}

/** What a thread is told at its start. */
export interface ThreadStart {
  readonly host: string;
  readonly firstStill: number;
}

interface OpenParts {
  readonly rack: Rack;
  readonly toolbox: Toolbox;
  readonly debugPorts: () => DebugPorts;
  dropped(path: string): Promise<Uint8Array>;
  readonly store?: TeamFiles | undefined;
  writeAudit(line: string): void;
}

/** Built-in machines in threads of this process: each thread is a small station, and this one serves them all. */
export class Threads {
  readonly elsewhere: Elsewhere;
  readonly #options: ThreadsOptions;
  readonly #wire = new PortWire();
  readonly #inbox: Inbox;
  readonly #view: FleetView;
  readonly #calls: RemoteCalls;
  readonly #threads = new Set<MachineThread>();
  readonly #claims = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  readonly #stops: (() => void)[] = [];
  #rack: Rack | undefined;
  #remote: FleetToolHost | undefined;
  readonly #eventsTaken = new Map<string, number>();
  #started = 0;
  #isClosed = false;

  constructor(options: ThreadsOptions) {
    this.#options = options;
    this.#inbox = new Inbox(this.#wire);
    const view = new FleetView(this.#wire, this.#inbox);
    this.#view = view;
    this.#calls = new RemoteCalls(this.#wire, this.#inbox, unfinishedCall);
    view.onHostGone = (host, incarnation, why) => this.#calls.hostGone(host, incarnation, why);
    const calls = new ThreadCalls({
      ...{ view, calls: this.#calls, kinds: options.kinds },
      rack: () => this.#ownRack(),
      place: (task) => this.#place(task),
    });
    const ownRack = () => this.#ownRack();
    this.elsewhere = {
      carryOut: (tool, raw, input, caller) => calls.carryOut(tool, raw, input, caller),
      outside: calls,
      onChange: (listener) => {
        this.#listeners.add(listener);
        const unlisten = ownRack().onChange(listener);
        return () => {
          this.#listeners.delete(listener);
          unlisten();
        };
      },
      get machines() {
        const there = view.machines.map(({ summary }) => capableOf(summary));
        return [...ownRack().machines, ...there];
      },
    };
  }

  /** Before anything else: names are given by the rack of this thread. */
  join(rack: Rack): void {
    this.#rack = rack;
  }

  /** Puts the machines of the threads beside those of this one. */
  open(local: ToolHost, parts: OpenParts): ToolHost {
    const { rack, toolbox } = parts;
    const view = this.#view;
    const listeners = new Set<(change: Change) => void>();
    const remote = new FleetToolHost({
      ...{ line: this.#wire, inbox: this.#inbox, view, local, wantedMs },
      // Threads tell at the pace at which they are told.
      feed: {
        changed: (change) => {
          for (const listener of listeners) listener(change);
        },
        onChange: (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
    });
    this.#remote = remote;
    this.#stops.push(
      answerThreads(this.#wire, {
        ...{ ...parts, claims: this.#claims, log: this.#options.log },
        isThere: (thread) => [...this.#threads].some(({ host }) => host === thread),
      }),
      this.#wire.subscribe(subjects.allEvents, ({ head }, _, subject) => {
        const { machine, type, text, data } = head.event as HostEvent;
        rack.events.add(machine, { type, text, ...(data && { data }) });
        this.#taken(subject.slice(subjects.event('').length));
      }),
      () => remote.close(),
      () => view.close(),
    );
    const told = view.onListChange;
    view.onListChange = () => {
      rack.seeOutside(view.machines.map(({ summary }) => summary.handle));
      for (const listener of this.#listeners) listener();
      told();
    };
    toolbox.stills.elsewhere = (number) => this.#still(number);
    return new ThreadedToolHost({
      ...{ local, remote },
      isRemote: (machine) => view.machine(machine) !== undefined,
      order: () => rack.handles,
    });
  }

  /** An event of a thread was taken. */
  #taken(host: string): void {
    const taken = (this.#eventsTaken.get(host) ?? 0) + 1;
    this.#eventsTaken.set(host, taken % takenAtOnce);
    if (taken === takenAtOnce) this.#wire.publish(subjects.eventsTaken(host), { taken });
  }

  /** Names of the sockets of a machine's consoles, in their order; nothing if it is in no thread. */
  socketsOf(machine: string) {
    const summary = this.#view.machine(machine)?.summary;
    return summary?.consoles.map((name, index) => ({ name, file: summary.sockets[index] ?? '' }));
  }

  /** Starts the first thread before a machine needs it. */
  warmUp(): void {
    if (this.#threads.size === 0) this.#start();
  }

  /** In a thread, what the server shows of its own accord. */
  async showDemo(): Promise<void> {
    await this.#place(async ({ host, incarnation }) => {
      const query = { what: 'demo', of: {}, incarnation };
      const { head } = await this.#inbox.request(subjects.to(host, 'query'), query, demoMs);
      if (head.error !== undefined) throw errorFrom(head.error);
    });
  }

  /** Undefined if it is in no thread. */
  stop(machine: string, why: string): Promise<unknown> | undefined {
    const placed = this.#view.machine(machine);
    return placed && this.#remote?.ask(placed.host, 'stop', { machine, why });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wire.publish(mainSubjects.close, {});
    await Promise.all([...this.#threads].map((thread) => thread.ending()));
    // Of those that did not end in time.
    await Promise.all([...this.#claims.keys()].map((name) => this.#ownRack().unreserve(name)));
    for (const stop of this.#stops) stop();
    this.#inbox.close();
  }

  #ownRack(): Rack {
    if (this.#rack) return this.#rack;
    throw new Error('the threads were not joined to a rack');
  }

  async #still(number: number): Promise<Uint8Array | undefined> {
    const host = hostName(Math.floor(number / stillNumbers));
    // What was in a thread that has ended is gone.
    if (!this.#view.host(host)) return undefined;
    const answer = await this.#remote?.ask(host, 'still', { number });
    return answer?.head.isThere === true ? answer.body : undefined;
  }

  /** In the thread with the fewest machines; a new one while there may be more and none is empty. */
  async #place<T>(task: (target: Target) => Promise<T>): Promise<T> {
    const least = [...this.#threads].toSorted((a, b) => this.#used(a) - this.#used(b))[0];
    const isEmpty = least !== undefined && this.#used(least) === 0;
    const thread = least && (isEmpty || this.#threads.size >= this.#options.most) ? least : this.#start();
    thread.pending++;
    try {
      await thread.ready;
      return await task({ host: thread.host, incarnation: this.#view.host(thread.host)?.incarnation ?? '' });
    } finally {
      thread.pending--;
    }
  }

  #used({ host, pending }: MachineThread): number {
    return this.#view.count(host) + pending;
  }

  #start(): MachineThread {
    if (this.#isClosed) throw new MachineError('UNAVAILABLE', 'The server is shutting down.', 'Start it again.');
    const number = ++this.#started;
    const host = hostName(number);
    const worker = this.#options.start({ host, firstStill: number * stillNumbers });
    const thread = new MachineThread(host, worker, this.#wire, (why) => this.#ended(thread, why));
    this.#threads.add(thread);
    return thread;
  }

  /** It takes its machines along, and no others. */
  #ended(thread: MachineThread, why: string): void {
    this.#threads.delete(thread);
    // Calls under way there are answered, and nobody waits for them any more, not even at the end of the process.
    const lost = this.#view.hostEnded(thread.host, why);
    if (this.#isClosed) return;
    const rack = this.#ownRack();
    this.#options.log('error', `${thread.host} ended: ${why}`);
    for (const [name, host] of this.#claims) {
      if (host !== thread.host) continue;
      this.#claims.delete(name);
      void rack.unreserve(name);
    }
    for (const machine of lost) {
      rack.events.add(machine, { type: 'machine_stopped', text: `its thread ended: ${why}` });
    }
  }
}

function hostName(number: number): string {
  return `thread-${number}`;
}
