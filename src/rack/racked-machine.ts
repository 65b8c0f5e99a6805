import type { Machine } from '../machine/machine.ts';
import { type Stop, stateLine } from '../machine/state.ts';
import { CallQueue } from './call-queue.ts';

/** A machine in its place on the rack, with its lease and the queue of calls that change it. */
export class RackedMachine {
  readonly handle: string;
  readonly machine: Machine;
  /** What it was started with, so that another like it can be. */
  readonly startOptions: Readonly<Record<string, unknown>>;
  readonly startedAt = Date.now();
  readonly queue = new CallQueue();
  readonly #abort: AbortController;
  readonly #unwatch: (() => void)[] = [];
  readonly #calls = new Set<AbortController>();
  #idleSince = Date.now();
  #toldStop = 0;
  #leaseTimer: NodeJS.Timeout | undefined;

  constructor(
    handle: string,
    machine: Machine,
    startOptions: Readonly<Record<string, unknown>>,
    abort: AbortController,
  ) {
    this.handle = handle;
    this.machine = machine;
    this.startOptions = startOptions;
    this.#abort = abort;
    abort.signal.addEventListener('abort', () => {
      for (const call of this.#calls) call.abort(abort.signal.reason);
    });
  }

  /** Aborts when the machine goes. */
  get gone(): AbortSignal {
    return this.#abort.signal;
  }

  get stateLine(): string {
    return stateLine(this.handle, this.machine.status());
  }

  /** The same for an agent's answer: of a stop that stands in it, the agent has been told. */
  tellState(): string {
    const status = this.machine.status();
    this.#toldStop = status.stop?.seq ?? this.#toldStop;
    return stateLine(this.handle, status);
  }

  /** A stop that came between two calls, of a machine that runs by itself, and that no answer has shown yet. */
  untoldStop(): Stop | undefined {
    const { stop } = this.machine.status();
    const matters = stop?.cause === 'breakpoint' || stop?.cause === 'fault';
    return matters && stop.seq > this.#toldStop ? stop : undefined;
  }

  get idleMs(): number {
    return this.#calls.size > 0 || this.machine.inUse?.() ? 0 : Date.now() - this.#idleSince;
  }

  /** Marks the machine as used until the release. The signal aborts when the machine goes: no call waits on for it. */
  use(): { readonly gone: AbortSignal; release(): void } {
    const call = new AbortController();
    this.#calls.add(call);
    if (this.#abort.signal.aborted) call.abort(this.#abort.signal.reason);
    const release = () => {
      this.#calls.delete(call);
      this.#idleSince = Date.now();
    };
    return { gone: call.signal, release };
  }

  startLease(idleTimeoutMs: number, expired: () => void): void {
    if (idleTimeoutMs === 0) return;
    const check = () => {
      if (this.machine.inUse?.()) this.#idleSince = Date.now();
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

  async dispose(): Promise<void> {
    clearTimeout(this.#leaseTimer);
    for (const unwatch of this.#unwatch) unwatch();
    this.#abort.abort(new Error(`${this.handle} was stopped`));
    await this.machine[Symbol.asyncDispose]();
  }
}
