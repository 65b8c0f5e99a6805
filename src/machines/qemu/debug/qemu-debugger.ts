import { GdbClient } from '../../../links/gdb/gdb-client.ts';
import type { QmpClient } from '../../../links/qmp/qmp-client.ts';
import type { QmpEvent } from '../../../links/qmp/qmp-message.ts';
import type { AddressCapability } from '../../../machine/addresses.ts';
import type { ChipsCapability } from '../../../machine/chips.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { ReportedEvent } from '../../../machine/events.ts';
import type { Status } from '../../../machine/state.ts';
import { piecesOf, processorsOf } from '../core/core-processors.ts';
import type { CoreState } from '../core/core-state.ts';
import { QemuLinux } from '../linux/qemu-linux.ts';
import { qmpAnswer } from '../qmp-answers.ts';
import { QemuSource } from '../source/qemu-source.ts';
import { QemuVariables } from '../source/qemu-variables.ts';
import { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { SymbolLoader } from '../symbols/symbol-loader.ts';
import { BoardTime } from './board-time.ts';
import { BreakpointsSet } from './breakpoints-set.ts';
import { BulkMemory } from './bulk-memory.ts';
import { QemuControl } from './control.ts';
import { type CrashLog, QemuCrash } from './crash/qemu-crash.ts';
import { evaluate } from './evaluate.ts';
import { Execution } from './execution.ts';
import { described, guestAddresses } from './guest-addresses.ts';
import { Judge } from './judge.ts';
import { linkFailure } from './link-failure.ts';
import { LiveTarget } from './live-target.ts';
import type { GuestCalls } from './motion.ts';
import { QemuPaging } from './paging/qemu-paging.ts';
import { Playback } from './playback.ts';
import { ProcessorChip } from './processor-chip.ts';
import { QemuBreakpoints } from './qemu-breakpoints.ts';
import { QemuCpu } from './qemu-cpu.ts';
import { QemuMemory } from './qemu-memory.ts';
import { QemuProcessors } from './qemu-processors.ts';
import type { Recording } from './recording.ts';
import { ReplayRewind } from './replay-rewind.ts';
import { TargetVocabulary } from './target-vocabulary.ts';

export interface DebuggerOptions {
  readonly gdbPath: string;
  readonly qmp: QmpClient;
  /** The name after `qemu-system-`. */
  readonly arch: string;
  readonly report: (event: ReportedEvent) => void;
  /** What QEMU has logged of exceptions. */
  readonly crashes?: (() => Promise<CrashLog>) | undefined;
  /** A guest that resets itself is paused instead. */
  readonly pausesOnReset?: boolean;
  /** What a reset does while the target is stopped; `system_reset` unless told. */
  readonly reset?: ((mode: 'soft' | 'hard') => Promise<void>) | undefined;
  /** The debugger of the process before: its symbols and breakpoints stay, stops are counted on. */
  readonly before?: QemuDebugger | undefined;
  /** Who answers what the guest asks of this computer. */
  readonly calls?: GuestCalls | undefined;
  /** The one that is played, if so. */
  readonly recording?: Recording | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const resetMs = 5000;

/** The debugger of a virtual machine, and from its first moment on the only one that runs and stops it. */
export class QemuDebugger {
  readonly control: QemuControl;
  readonly cpu: QemuCpu;
  readonly processors: QemuProcessors;
  readonly chips: ChipsCapability;
  readonly memory: QemuMemory;
  readonly paging: QemuPaging;
  readonly crash: QemuCrash;
  readonly source: QemuSource;
  readonly variables: QemuVariables;
  readonly linux: QemuLinux;
  readonly breakpoints: QemuBreakpoints;
  readonly addresses: AddressCapability;
  readonly symbols: SymbolLoader;
  readonly rewind: ReplayRewind;
  readonly #execution: Execution;
  readonly #target: LiveTarget;
  readonly #gdb: GdbClient;
  readonly #boardTime: BoardTime;
  readonly #table: BreakpointsSet;

  /** To a QEMU that is stopped (`-S`), or to one that runs: it is stopped for a moment and goes on. */
  static async attach(options: DebuggerOptions): Promise<QemuDebugger> {
    const { qmp, gdbPath, timeoutMs, signal } = options;
    const { running: runs } = qmpAnswer('query-status', await qmp.execute('query-status'));
    const gdb = await GdbClient.connect(gdbPath, { timeoutMs, signal }).catch((error: unknown) => {
      throw linkFailure(error);
    });
    try {
      const threads = await gdb.threads();
      const [first] = threads;
      if (first === undefined) {
        throw new MachineError('UNAVAILABLE', 'QEMU names no processors.', 'Start a machine that has one.');
      }
      const attached = new QemuDebugger(options, gdb, first, threads);
      await attached.#execution.atRest(() => attached.#execution.replaced());
      if (runs) await attached.#execution.go([]);
      return attached;
    } catch (error) {
      gdb.close();
      throw linkFailure(error);
    }
  }

  private constructor(options: DebuggerOptions, gdb: GdbClient, first: string, threads: readonly string[]) {
    const { qmp, arch, report } = options;
    this.#gdb = gdb;
    this.symbols = options.before?.symbols ?? new SymbolLoader(new QemuSymbols());
    const { names } = this.symbols;
    const target = new LiveTarget(gdb, qmp, arch, first);
    this.#target = target;
    const vocabulary = new TargetVocabulary(target, names);
    const table = new BreakpointsSet(vocabulary, options.before ? options.before.#table : undefined);
    this.#table = table;
    const judge = new Judge(target, table, vocabulary, report, (address) => this.#describe(address));
    const execution = new Execution(target, table, judge, threads, report, {
      stopsBefore: options.before?.stops ?? 0,
      replays: options.recording !== undefined,
      calls: options.calls,
      reset: () => systemReset(qmp, options.pausesOnReset ?? false),
    });
    const digits = (target.names.pc?.bits ?? 64) / 4;
    this.#execution = execution;
    this.addresses = guestAddresses(execution, target, names, vocabulary);
    this.#boardTime = new BoardTime(target, arch);
    const playback = options.recording && new Playback(options.recording, execution, target, this.#boardTime);
    this.rewind = new ReplayRewind(execution, target, vocabulary, playback);
    const reset = options.reset ?? (() => systemReset(qmp, options.pausesOnReset ?? false));
    this.control = new QemuControl(execution, target, names, vocabulary, this.rewind, reset);
    const bulk = new BulkMemory(target, options.gdbPath);
    const wires = { name: gdb.description.architecture || arch, execution, target, symbols: names };
    this.cpu = new QemuCpu(wires);
    this.processors = new QemuProcessors({
      ...wires,
      bulk,
      addresses: this.addresses,
      evaluate: (text) => evaluate(text, vocabulary, target.names),
    });
    this.chips = { chips: [new ProcessorChip(this.cpu)] };
    this.memory = new QemuMemory(execution, target, bulk);
    this.paging = new QemuPaging(execution, target);
    const stopped = { execution, target, symbols: names };
    this.source = new QemuSource(stopped);
    this.variables = new QemuVariables(stopped, this.memory, this.cpu);
    this.linux = new QemuLinux(execution, target, bulk, names);
    this.crash = new QemuCrash(
      execution,
      target,
      names,
      options.crashes ?? (async () => ({ exceptions: [], past: [], count: 0, isOn: false })),
    );
    this.breakpoints = new QemuBreakpoints(execution, table, 1n << BigInt(digits * 4));
  }

  status(): Pick<Status, 'state' | 'where' | 'stop' | 'notes'> {
    const { state, stop, pc, threads } = this.#execution;
    if (state === 'RUNNING' || state === 'OFF') return { state };
    return {
      state,
      where: this.#describe(pc),
      ...(stop && { stop }),
      ...(threads.length > 1 && { notes: [`vcpu ${this.cpu.vcpu} of ${threads.length}`] }),
    };
  }

  /** As `status` until its connection has ended, and from then on what it was before. */
  get lastState(): Status['state'] {
    return this.#execution.lastState;
  }

  /** How many processors there are. */
  get vcpus(): number {
    return this.#execution.threads.length;
  }

  /** How often it has stopped. */
  get stops(): number {
    return this.#execution.stops;
  }

  #describe(address: bigint): string {
    return described(this.addresses, address);
  }

  /** Lets a machine that waits at its start go, without anybody waiting for it. */
  async release(): Promise<void> {
    await this.#execution.go([]);
  }

  /**
   * Does something that needs the machine to be stopped, such as loading a snapshot; afterwards it is what that made
   * of it, running if it ran.
   */
  replace<T>(action: () => Promise<T>): Promise<T> {
    return this.#execution.atRest(async () => {
      try {
        return await action();
      } finally {
        this.#execution.forgetStop();
        await this.#execution.replaced();
      }
    });
  }

  /** Does something while the guest is stopped; a running one goes on afterwards. */
  atRest<T>(action: () => Promise<T>): Promise<T> {
    return this.#execution.atRest(action);
  }

  /** All that a core file should have beside memory. Inside `atRest`. */
  async coreState(): Promise<Pick<CoreState, 'description' | 'processors' | 'pieces' | 'selected'>> {
    const { description, cpuIndex: selected } = this.#target;
    const processors = await processorsOf(this.#target, this.#execution.threads);
    return { description, selected, processors, pieces: await piecesOf(this.#target) };
  }

  /** QEMU forgets what it has translated of the guest's code. Inside `atRest`; false when the processors sleep. */
  retranslate(): Promise<boolean> {
    return this.#execution.retranslate();
  }

  /** What has to be kept beside a state that QEMU saves, for `load`. */
  boardTime(): Promise<readonly string[]> {
    return this.#execution.atRest(() => this.#boardTime.read());
  }

  /** Replaces the present state by one that was saved. */
  load(action: () => Promise<void>, boardTime: readonly string[]): Promise<void> {
    return this.replace(async () => {
      await this.#execution.ground.load(action);
      await this.#boardTime.write(boardTime);
    });
  }

  /** Events that only say that the debugger moved the machine; there is a pair for every step. */
  static isNoise({ name }: QmpEvent): boolean {
    return name === 'STOP' || name === 'RESUME';
  }

  /** Leaves the machine running if it runs, and stopped if it is stopped, with no breakpoint in it. */
  async detach(): Promise<void> {
    await this.#execution.leave();
  }

  /** Calls back with the reason when the stub cannot be talked to any more. */
  onClose(listener: (reason: string) => void): void {
    this.#gdb.onClose(({ message }) => listener(message));
  }

  /** For a QEMU that is about to end. */
  close(): void {
    this.#gdb.close();
  }
}

/** QEMU resets in its main loop and says so when it has. */
async function systemReset(qmp: QmpClient, pausesOnReset: boolean): Promise<void> {
  // Otherwise this one would pause it, too.
  if (pausesOnReset) await qmp.execute('set-action', { reboot: 'reset' });
  try {
    await resetAndWait(qmp);
  } finally {
    if (pausesOnReset) await qmp.execute('set-action', { reboot: 'shutdown' });
  }
}

async function resetAndWait(qmp: QmpClient): Promise<void> {
  let off = () => {};
  const done = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, resetMs);
    off = qmp.onEvent(({ name }) => {
      if (name !== 'RESET') return;
      clearTimeout(timer);
      resolve();
    });
  });
  await qmp.execute('system_reset');
  await done;
  off();
}
