import { ownValue } from '../../../formats/own-value.ts';
import type { GdbClient } from '../../../links/gdb/gdb-client.ts';
import type { StopReply } from '../../../links/gdb/stop-reply.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { ReportedEvent } from '../../../machine/events.ts';
import type { ExecutionState, Stop } from '../../../machine/state.ts';
import type { Cause } from '../../shared/cause.ts';
import type { BreakpointsSet } from './breakpoints-set.ts';
import { Deferred } from './deferred.ts';
import { Ground } from './ground.ts';
import type { Goal, Judge } from './judge.ts';
import type { LiveTarget } from './live-target.ts';
import { type GuestCalls, interruptSignal, Motion } from './motion.ts';
import { type Rest, threadNamed } from './rest.ts';
import { StopLedger } from './stop-ledger.ts';
import { cpuIndexOf } from './target.ts';
import { Turns } from './turns.ts';

/** How long steps may follow each other before others get their turn. */
const sliceMs = 20;

/** Words for the signals with which QEMU reports stops of its own. */
const ownStops: Readonly<Record<number, Cause>> = {
  3: { cause: 'halt', reason: 'the guest has shut down' },
  6: { cause: 'fault', reason: 'QEMU reports an internal error of the emulation' },
  14: { cause: 'halt', reason: 'the watchdog stopped it' },
  23: { cause: 'fault', reason: 'a disk error stopped it' },
  24: { cause: 'halt', reason: 'a migration has ended' },
};
const [shutDown, diskError] = [3, 23];
const resetStop: Cause = {
  cause: 'fault',
  reason: 'the guest reset the machine, which pauses it here; only a reset leads on',
};
/** For states that QEMU has no signal for; it is asked which. */
const noSignal = 143;
const otherStops: Readonly<Record<string, Cause>> = {
  'guest-panicked': { cause: 'fault', reason: 'the guest reports that it panicked' },
  suspended: { cause: 'halt', reason: 'the guest has suspended itself' },
};

/** Where the firmware of a PC resets it once more when it is started a second time. */
const [firmwareStart, firmwareEnd] = [0xe0000n, 0xfffffn];

export interface ExecutionOptions {
  readonly stopsBefore: number;
  readonly replays: boolean;
  /** Resets the machine, which is stopped then. */
  reset(): Promise<void>;
  readonly calls?: GuestCalls | undefined;
}

/**
 * The one owner of running and stopping. What people see is `state`; beneath it the target is stopped for a moment
 * whenever something has to be read, and set going again.
 */
export class Execution implements Rest {
  /** For those who have the turn: inside `paced` and `atRest`. */
  readonly ground: Ground;
  readonly #target: LiveTarget;
  readonly #gdb: GdbClient;
  readonly #motion: Motion;
  readonly #ledger: StopLedger;
  readonly #turns = new Turns();
  readonly #threads: readonly string[];
  #mode: 'stopped' | 'running' | 'stepping' | 'ended' = 'stopped';
  #flight: Promise<StopReply> | undefined;
  #holds = 0;
  #unheld: Deferred<void> | undefined;
  #pauseWanted = false;
  #pc = 0n;
  /** What QEMU said when a disk could not be read or written. */
  #diskTrouble: string | undefined;
  #wasReset = false;
  readonly #reset: () => Promise<void>;
  #before: ExecutionState | undefined;

  constructor(
    target: LiveTarget,
    table: BreakpointsSet,
    judge: Judge,
    threads: readonly string[],
    report: (event: ReportedEvent) => void,
    { stopsBefore, replays, reset, calls }: ExecutionOptions,
  ) {
    this.#target = target;
    this.#gdb = target.gdb;
    this.#threads = threads;
    this.#ledger = new StopLedger(report, stopsBefore);
    this.#reset = reset;
    this.#gdb.onClose(() => this.#end());
    target.qmp.onEvent(({ name, data }) => {
      if (name === 'BLOCK_IO_ERROR') this.#diskTrouble = describeTrouble(data);
      if (name === 'SHUTDOWN') this.#wasReset = data.reason === 'guest-reset';
    });
    this.#motion = new Motion(target, () => this.#adopt(), replays, calls);
    this.ground = new Ground(target, table, judge, this.#motion);
  }

  get state(): ExecutionState {
    if (this.#mode === 'ended') return 'OFF';
    if (this.#mode !== 'stopped') return 'RUNNING';
    const cause = this.#ledger.last?.cause;
    return cause === 'breakpoint' ? 'BREAKPOINT' : cause === 'fault' ? 'ERROR' : 'PAUSED';
  }

  /** What it was doing when its connection ended; while that goes on, what it does. */
  get lastState(): ExecutionState {
    return this.#before ?? this.state;
  }

  get stop(): Stop | undefined {
    return this.#mode === 'stopped' ? this.#ledger.last : undefined;
  }

  get stops(): number {
    return this.#ledger.count;
  }

  /** Of the processor in question, when it last stood still. */
  get pc(): bigint {
    return this.#pc;
  }

  get threads(): readonly string[] {
    return this.#threads;
  }

  /** Does something while the target is stopped; a running one goes on afterwards. */
  atRest<T>(action: () => Promise<T>): Promise<T> {
    return this.#turns.take(async () => {
      this.#refuseEnded();
      if (this.#flight) await this.#still();
      try {
        return await action();
      } finally {
        if (this.#mode === 'running') await this.#letGo();
      }
    });
  }

  async hold(): Promise<() => void> {
    await this.#turns.take(async () => {
      this.#refuseEnded();
      await this.#still();
      this.#holds++;
    });
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (--this.#holds > 0) return;
      this.#unheld?.resolve();
      this.#unheld = undefined;
      // What fails here has ended the connection, and that is told elsewhere.
      this.#turns.take(() => this.#letGo()).catch(() => undefined);
    };
  }

  /**
   * Runs on until something stops it. The answer is the number of the last stop before that, for `nextStop`. A stop
   * that came while the call was on its way is the one that was waited for.
   */
  go(goals: readonly Goal[]): Promise<number> {
    const before = this.#ledger.count;
    const ran = this.#mode === 'running';
    return this.#turns.take(async () => {
      this.#refuseEnded();
      await this.#still();
      this.#refuseEnded();
      if (ran && this.#ledger.count !== before) return before;
      if (this.#mode === 'stepping') throw busy();
      this.ground.addGoals(goals);
      const since = this.#ledger.count;
      if (this.#mode === 'stopped') {
        await this.#refuseDead();
        // Its process may have ended while it was asked.
        this.#refuseEnded();
        this.#mode = 'running';
        this.ground.markSeen();
      }
      await this.#letGo();
      return since;
    });
  }

  /** Both at once: a stop that comes before it has really left is an answer, too, and no event. */
  goAndWait(goals: readonly Goal[], wallMs: number, signal: AbortSignal) {
    return this.#ledger.awaited(async () => {
      const since = await this.go(goals);
      return { since, stop: await this.nextStop(since, wallMs, signal) };
    });
  }

  /** The next stop, or undefined when the time is up or the call was cancelled. */
  nextStop(since: number, wallMs: number, signal: AbortSignal): Promise<Stop | undefined> {
    return this.#ledger.after(since, wallMs, signal);
  }

  async withdraw(goals: readonly Goal[]): Promise<void> {
    if (goals.length === 0) return;
    this.ground.removeGoals(goals);
    if (this.#mode === 'running') await this.atRest(async () => {});
  }

  async pause(cause: Cause = { cause: 'halt', reason: 'pause' }): Promise<Stop> {
    if (this.#mode === 'stepping') {
      this.#pauseWanted = true;
      return this.#ledger.next();
    }
    const pause = async () => {
      this.#refuseEnded();
      await this.#still();
      return (this.#mode === 'running' ? undefined : this.#ledger.last) ?? this.#settle(cause);
    };
    return this.#ledger.awaited(() => this.#turns.take(pause));
  }

  /** Many small movements, each started by `slice` until it names a cause to stop; others get their turns in between. */
  paced(wallMs: number, signal: AbortSignal, slice: () => Promise<Cause | undefined>): Promise<Stop> {
    return this.#ledger.awaited(() => this.#paced(performance.now() + wallMs, signal, slice));
  }

  async #paced(end: number, signal: AbortSignal, slice: () => Promise<Cause | undefined>): Promise<Stop> {
    await this.#turns.take(async () => {
      this.#refuseEnded();
      await this.#refuseDead();
      await this.#still();
      if (this.#mode === 'stepping') throw busy();
      this.#mode = 'stepping';
      this.#pauseWanted = false;
    });
    for (;;) {
      while (this.#holds > 0) {
        this.#unheld ??= new Deferred();
        await this.#unheld.promise;
      }
      const round = () => this.#round(end, signal, slice);
      const stop = await this.#turns.take(() => this.#target.qmp.withLateEvents(round));
      if (stop) return stop;
    }
  }

  async #round(end: number, signal: AbortSignal, slice: () => Promise<Cause | undefined>): Promise<Stop | undefined> {
    const turnEnd = performance.now() + sliceMs;
    do {
      let cause: Cause | undefined;
      try {
        cause = this.interruption({ signal, end }) ?? (await slice());
      } catch (error) {
        this.#settle({ cause: 'halt', reason: 'the step failed' });
        throw error;
      }
      if (cause) {
        await this.#look();
        return this.#settle(cause);
      }
    } while (performance.now() < turnEnd && this.#holds === 0);
    return undefined;
  }

  /** Ends the connection without a trace: detaching lets it run, closing leaves it as it is. */
  async leave(): Promise<void> {
    await this.#turns.take(async () => {
      if (this.#mode === 'ended') return;
      await this.#still();
      const stands = this.#mode === 'stopped';
      await this.ground.disarm();
      this.#mode = 'ended';
      if (stands) this.#gdb.close();
      else await this.#gdb.detach();
    });
  }

  threadNamed(name: string): string {
    return threadNamed(this.#threads, name);
  }

  /** Says who is meant by registers, stepping and the call stack, unless another is named. */
  async select(thread: string): Promise<void> {
    await this.atRest(async () => {
      this.#target.focus(thread);
      await this.#look();
    });
  }

  /** At rest. False when no processor came to run. */
  async retranslate(): Promise<boolean> {
    const places = new Set<bigint>();
    for (const thread of this.#threads) places.add(await this.#target.on(thread, () => this.#target.pc()));
    try {
      return await this.ground.retranslate([...places]);
    } finally {
      await this.#look();
    }
  }

  /** Looks again, since the monitor may have changed what is remembered. At rest. */
  refresh(): Promise<void> {
    return this.#look();
  }

  /** The registers are others than before: after a reset, a restored snapshot, a written register. */
  async replaced(): Promise<void> {
    this.ground.forgetSeen();
    await this.#look();
  }

  forgetStop(): void {
    if (this.#mode === 'stopped') this.#ledger.forgetLast();
  }

  async #still(): Promise<void> {
    const flight = this.#flight;
    if (!flight) return;
    const reply = await this.#motion.interrupt(flight);
    this.#flight = undefined;
    if (reply.signal !== interruptSignal || this.ground.isAccess(reply)) await this.#consider(reply);
    await this.#look();
  }

  async #letGo(): Promise<void> {
    if (this.#mode !== 'running' || this.#holds > 0 || this.#flight) return;
    const cause = (await this.ground.wayOn()) ?? (await this.ground.depart()) ?? (await this.ground.wayOn());
    if (cause) {
      await this.#look();
      this.#settle(cause);
      return;
    }
    const flight = this.#motion.continue();
    this.#flight = flight;
    flight.then(
      (reply) => this.#turns.take(() => this.#landed(flight, reply)).catch(() => undefined),
      (error: Error) => {
        if (this.#flight !== flight || this.#gdb.closed) return;
        this.#flight = undefined;
        this.#settle({ cause: 'fault', reason: `QEMU did not let it run: ${error.message}` });
      },
    );
  }

  async #landed(flight: Promise<StopReply>, reply: StopReply): Promise<void> {
    if (this.#flight !== flight) return;
    this.#flight = undefined;
    this.#target.forget();
    await this.#consider(reply);
    await this.#letGo();
  }

  async #consider(reply: StopReply): Promise<void> {
    const own = await this.#ownStop(reply.signal);
    if (own) {
      await this.#look();
      if (own === resetStop && this.#isFirmware) {
        await this.#reset();
        await this.replaced();
        return;
      }
      this.#settle(own);
      return;
    }
    if (reply.signal === interruptSignal) return this.#stoppedFromOutside();
    const thread = this.#threads.find((each) => reply.thread && cpuIndexOf(each) === cpuIndexOf(reply.thread));
    if (thread) this.#target.focus(thread);
    const { known, cause } = await this.ground.arrive(reply);
    await this.#look();
    if (cause) this.#settle(cause);
    else if (!known) this.#settle({ cause: 'halt', reason: `stopped by something else (signal ${reply.signal})` });
  }

  get #isFirmware(): boolean {
    return this.#target.isX86 && this.#pc >= firmwareStart && this.#pc <= firmwareEnd;
  }

  /** A stop that is QEMU's own doing. */
  async #ownStop(signal: number): Promise<Cause | undefined> {
    if (signal === noSignal) {
      const status = await this.#motion.status();
      return ownValue(otherStops, status) ?? { cause: 'halt', reason: `QEMU stopped it (${status})` };
    }
    if (signal === shutDown) {
      // Whoever asks hears of everything that came before.
      await this.#motion.status();
      if (this.#wasReset) return resetStop;
    }
    const own = ownStops[signal];
    if (signal !== diskError || !own || this.#diskTrouble === undefined) return own;
    return { ...own, reason: `${this.#diskTrouble}; run tries it again` };
  }

  /** Somebody used the monitor. It may already run again, as after a snapshot. */
  async #stoppedFromOutside(): Promise<void> {
    const status = await this.#motion.status();
    await this.#look();
    if (status === 'running') return;
    this.#settle((await this.ground.wayOn()) ?? { cause: 'halt', reason: 'stopped through the monitor' });
  }

  /** It runs and nobody here did that: it is ours from now on. */
  #adopt(): void {
    const adopt = async () => {
      if (this.#mode !== 'stopped' || (await this.#motion.status()) !== 'running') return;
      await this.#motion.seize();
      this.#mode = 'running';
      this.ground.markSeen();
      await this.#letGo();
    };
    if (this.#mode === 'stopped') this.#turns.take(adopt).catch(() => undefined);
  }

  async #look(): Promise<void> {
    this.#target.forget();
    this.#pc = await this.#target.pc();
  }

  /** Why something that takes long should end before its end. */
  interruption({ signal, end }: { signal?: AbortSignal | undefined; end: number }): Cause | undefined {
    if (this.#pauseWanted) return { cause: 'halt', reason: 'pause' };
    if (signal?.aborted) return { cause: 'halt', reason: 'the call was cancelled' };
    return performance.now() >= end ? { cause: 'limit', reason: 'time limit' } : undefined;
  }

  #settle(cause: Cause): Stop {
    if (this.#mode !== 'ended') this.#mode = 'stopped';
    this.#pauseWanted = false;
    this.ground.removeGoals();
    return this.#ledger.enter(cause);
  }

  #end(): void {
    if (this.#mode === 'ended') return;
    this.#before = this.state;
    this.#settle({ cause: 'halt', reason: 'QEMU has ended' });
    this.#mode = 'ended';
    this.#unheld?.resolve();
  }

  /** States out of which only a reset leads; the stub says nothing and does nothing. */
  async #refuseDead(): Promise<void> {
    const status = await this.#motion.status();
    if (status !== 'shutdown' && status !== 'internal-error') return;
    throw new MachineError(
      'WRONG_STATE',
      `The virtual machine is in state ${status}.`,
      advice`Reset it with ${call('machine_reset')}.`,
    );
  }

  #refuseEnded(): void {
    if (this.#mode !== 'ended') return;
    throw new MachineError(
      'WRONG_STATE',
      'QEMU has ended.',
      advice`Start a new machine with ${call('machine_start')}.`,
    );
  }
}

function describeTrouble(data: Readonly<Record<string, unknown>>): string {
  const where = String(data.device || data['node-name'] || 'a disk').slice(0, 60);
  const space =
    data.nospace === true ? 'there is no space left where its file lies' : String(data.reason).slice(0, 200);
  return `a ${String(data.operation).slice(0, 20)} of the guest on ${where} failed: ${space}`;
}

function busy(): MachineError {
  return new MachineError('BUSY', 'It is being stepped by another call.', advice`Call ${call('pause')} first.`);
}
