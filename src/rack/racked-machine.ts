import type { Machine } from '../machine/machine.ts';
import type { Status, Stop } from '../machine/state.ts';
import { CallQueue } from './call-queue.ts';
import { PersonHold } from './person-hold.ts';
import { stateLine } from './state-line.ts';

const latelyMs = 120_000;
const mostCallers = 16;

export interface RackedOptions {
  readonly abort: AbortController;
  /** Whether somebody outside waits for what it does. */
  isWanted(): boolean;
  readonly isKept: boolean;
}

/** A machine in its place on the rack, with its lease and the queue of calls that change it. */
export class RackedMachine {
  readonly handle: string;
  readonly machine: Machine;
  /** What it was started with, so that another like it can be. */
  readonly startOptions: Readonly<Record<string, unknown>>;
  /** The user's configuration names it: it is not stopped. */
  readonly isKept: boolean;
  readonly queue = new CallQueue();
  readonly hold: PersonHold;
  /** What people call it. */
  title: string | undefined;
  readonly #callers = new Map<string, number>();
  readonly #abort: AbortController;
  readonly #unwatch: (() => void)[] = [];
  readonly #calls = new Set<AbortController>();
  readonly #visitors: { readonly who: string }[] = [];
  #toldStop = 0;
  #announcedStop = 0;
  /** Whether somebody outside waits for what it does. */
  readonly #isWanted: () => boolean;
  /** Of `performance.now()`: a clock that is set must not end a lease. */
  #idleSince = performance.now();
  #leaseTimer: NodeJS.Timeout | undefined;

  constructor(
    handle: string,
    machine: Machine,
    startOptions: Readonly<Record<string, unknown>>,
    { abort, isWanted, isKept }: RackedOptions,
  ) {
    this.handle = handle;
    this.hold = new PersonHold(handle);
    this.machine = machine;
    this.startOptions = startOptions;
    this.#abort = abort;
    this.#isWanted = isWanted;
    this.isKept = isKept;
    abort.signal.addEventListener('abort', () => {
      for (const call of this.#calls) call.abort(abort.signal.reason);
    });
  }

  /** Aborts when the machine goes. */
  get gone(): AbortSignal {
    return this.#abort.signal;
  }

  /** As the machine tells it, and who else is at it. */
  status(): Status {
    const status = this.machine.status();
    if (this.#visitors.length === 0) return status;
    return { ...status, notes: [...(status.notes ?? []), ...this.#visitors.map(({ who }) => `${who} attached`)] };
  }

  get stateLine(): string {
    return stateLine(this.handle, this.status());
  }

  /** Somebody beside agents works on it from now on; the answer ends that. */
  visit(who: string): () => void {
    const visitor = { who };
    this.#visitors.push(visitor);
    const { release } = this.use();
    return () => {
      if (!this.#visitors.includes(visitor)) return;
      this.#visitors.splice(this.#visitors.indexOf(visitor), 1);
      release();
    };
  }

  /** The same for an agent's answer: of a stop that stands in it, the agent has been told. */
  tellState(): string {
    const status = this.status();
    this.#toldStop = status.stop?.seq ?? this.#toldStop;
    return stateLine(this.handle, status);
  }

  /** A stop that came between two calls, of a machine that runs on its own, and that no answer has shown yet. */
  untoldStop(): Stop | undefined {
    const { stop } = this.machine.status();
    const matters = stop?.cause === 'breakpoint' || stop?.cause === 'fault';
    return matters && stop.seq > this.#toldStop ? stop : undefined;
  }

  /** The machine has made an event of its stop of this number. */
  announced(seq: unknown): void {
    if (typeof seq === 'number') this.#announcedStop = Math.max(this.#announcedStop, seq);
  }

  /** The stop it is at, if that is a breakpoint or a fault and no event yet; it counts as one from now on. */
  unannouncedStop(): Stop | undefined {
    const { stop } = this.machine.status();
    if (stop === undefined || stop.seq <= this.#announcedStop) return undefined;
    this.#announcedStop = stop.seq;
    return stop.cause === 'breakpoint' || stop.cause === 'fault' ? stop : undefined;
  }

  calledBy(client: string): void {
    this.#callers.delete(client);
    this.#callers.set(client, performance.now());
    if (this.#callers.size > mostCallers) this.#callers.delete(this.#callers.keys().next().value ?? '');
  }

  /** Who has called lately. */
  get callers(): readonly string[] {
    const since = performance.now() - latelyMs;
    return [...this.#callers].filter(([, at]) => at > since).map(([client]) => client);
  }

  get idleMs(): number {
    if (this.#isInUse()) return 0;
    return Math.min(performance.now() - this.#idleSince, this.machine.activeMsAgo?.() ?? Number.POSITIVE_INFINITY);
  }

  /** Marks the machine as used until the release. The signal aborts when the machine goes: no call waits on for it. */
  use(): { readonly gone: AbortSignal; release(): void } {
    const call = new AbortController();
    this.#calls.add(call);
    if (this.#abort.signal.aborted) call.abort(this.#abort.signal.reason);
    const release = () => {
      this.#calls.delete(call);
      this.#idleSince = performance.now();
    };
    return { gone: call.signal, release };
  }

  startLease(idleTimeoutMs: number, expired: () => void): void {
    if (idleTimeoutMs === 0) return;
    const check = () => {
      if (this.#isInUse()) this.#idleSince = performance.now();
      const remaining = idleTimeoutMs - this.idleMs;
      if (remaining <= 0) expired();
      else this.#leaseTimer = setTimeout(check, Math.min(remaining, 60_000)).unref();
    };
    this.#leaseTimer = setTimeout(check, Math.min(idleTimeoutMs, 60_000)).unref();
  }

  watchOutput(listener: (port: string) => void): void {
    for (const port of this.machine.console?.ports ?? []) {
      this.#unwatch.push(port.onActivity(() => listener(port.name)));
    }
  }

  #isInUse(): boolean {
    if (this.#calls.size > 0 || this.machine.inUse?.() || this.#isWanted()) return true;
    const ports = this.machine.console?.ports ?? [];
    return ports.some(({ humans, recording }) => humans.watching > 0 || recording.status?.active === true);
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#leaseTimer);
    for (const unwatch of this.#unwatch) unwatch();
    this.#abort.abort(new Error(`${this.handle} was stopped`));
    await this.machine[Symbol.asyncDispose]();
  }
}
