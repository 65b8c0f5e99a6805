import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { ownValue } from '../../formats/own-value.ts';
import type { TiedProcess } from '../../links/tied-process.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import type { ReportedEvent } from '../../machine/events.ts';
import type { Host } from '../../machine/host.ts';
import { CountsFile } from './counted/counts-file.ts';
import type { CrashLog } from './debug/crash/qemu-crash.ts';
import { linkFailure } from './debug/link-failure.ts';
import { QemuDebugger } from './debug/qemu-debugger.ts';
import { nodeOver } from './disk/block-node.ts';
import { BlockNodes } from './disk/block-nodes.ts';
import { type LaunchPlan, logItemsOf, stateNode } from './launch/command-line.ts';
import { type Helper, launch } from './launch/launch.ts';
import type { QemuLog, TripleFault } from './launch/qemu-log.ts';
import { MachineEvents } from './machine-events.ts';
import type { QemuSession } from './qemu-session.ts';
import type { HostCalls } from './semihosting/host-calls.ts';
import { BootTimes } from './serial/boot-times.ts';
import type { LogWire } from './serial/log-wire.ts';
import type { SerialWire } from './serial/serial-wire.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface EngineOptions {
  readonly program: string;
  readonly host: Host;
  readonly wires: readonly SerialWire[];
  readonly session: QemuSession;
  readonly env: Readonly<Record<string, string>>;
  readonly log: QemuLog;
  /** Of a machine whose log can be read as a console. */
  readonly logWire?: LogWire | undefined;
  /** Of a machine with semihosting. */
  readonly calls?: HostCalls | undefined;
  /** Called when the last process has ended: there will be no other. */
  whenOver(): void;
}

const attachMs = 20_000;
/** The last words of a dead process are in the kernel's hands and are read at once. */
const lastWordsMs = 1000;
const quitMs = 3000;
const diesWithinMs = 1000;
const faultsEveryMs = 10_000;
const helperEnds = {
  swtpm: { type: 'tpm_ended', lost: 'TPM' },
  virtiofsd: { type: 'share_ended', lost: 'shared folder' },
};

/** The QEMU process with everything connected to it, from power-on to power-off, and through power cycles. */
export class QemuEngine {
  readonly session: QemuSession;
  readonly clock = new VirtualClock();
  /** What the plugin counts, if the machine was asked for with one. */
  readonly counts: CountsFile | undefined;
  readonly boot = new BootTimes(() => ({
    guestMs: this.clock.nowMs,
    hostMs: performance.now(),
    ...(this.counts && { instructions: this.counts.instructions }),
  }));
  readonly blockNodes: BlockNodes;
  /** The protocol looks at eight characters only. */
  readonly vncPassword = randomBytes(6).toString('base64url');
  readonly #options: EngineOptions;
  #plan: LaunchPlan;
  #process: TiedProcess | undefined;
  #debugger: QemuDebugger | undefined;
  #shutdownReason: string | undefined;
  /** Why it had to be ended. */
  #lostLink: string | undefined;
  #lastFault: string | undefined;
  #faultToldMs = 0;
  #cycling = false;
  #sparing = false;
  #closing = false;
  #end: string | undefined;
  #over: Promise<void> = Promise.resolve();
  readonly #timeBreaks = new Set<() => Promise<void>>();
  readonly #powerOns = new Set<() => Promise<void>>();
  readonly #powerOffs = new Set<() => Promise<void>>();

  constructor(plan: LaunchPlan, options: EngineOptions) {
    this.#plan = plan;
    this.#options = options;
    this.session = options.session;
    this.counts = plan.counter === undefined ? undefined : new CountsFile(plan.paths.counts);
    this.blockNodes = new BlockNodes(this.session, !options.host.settings.allowCommands);
    const events = new MachineEvents((event) => this.#report(event));
    options.log.onTripleFault((fault) => this.#tripleFault(fault));
    this.session.onEvent((event) => {
      this.clock.event(event);
      if (event.name === 'RESUME') this.boot.ran();
      if (event.name === 'RESET') this.#beginBoot();
      if (event.name === 'SHUTDOWN') this.#shutdown(String(event.data.reason));
      if (!this.#cycling) events.event(event);
    });
  }

  #beginBoot(): void {
    this.boot.begin();
    if (this.#debugger?.status().state === 'RUNNING') this.boot.ran();
  }

  /** One that pauses at a reset would also stay when the guest powers off. */
  #shutdown(reason: string): void {
    const pauses = this.#plan.options.on_reset === 'pause';
    if (pauses && reason === 'guest-reset') return;
    this.#shutdownReason ??= reason;
    if (pauses && reason === 'guest-shutdown') void this.session.execute('quit').catch(() => undefined);
  }

  get plan(): LaunchPlan {
    return this.#plan;
  }

  get debugger(): QemuDebugger {
    if (this.#debugger) return this.#debugger;
    throw new Error('the engine has not been started');
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** What the process said on its standard error. */
  get complaints(): string {
    return this.#process?.complaints ?? '';
  }

  /** The end of what it logs. */
  logTail(chars: number): string {
    return this.#options.log.tail(chars);
  }

  /** Where the processor was when it last reset itself, if it did. */
  get lastTripleFault(): string | undefined {
    return this.#lastFault;
  }

  /** Between off and on again. */
  get isCycling(): boolean {
    return this.#cycling;
  }

  /** How it ended, once it has. */
  get end(): string | undefined {
    return this.#end;
  }

  /** Waits until it is known how it ended, of a process whose connections have ended. */
  async ending(): Promise<string | undefined> {
    if (await this.hasDied()) await this.#over;
    return this.#end;
  }

  /** Calls back before the guest's time ends or jumps, or right after it has ended on its own. */
  onTimeBreak(listener: () => Promise<void>): void {
    this.#timeBreaks.add(listener);
  }

  /** Calls back when a new process is connected, before its guest runs. */
  onPowerOn(listener: () => Promise<void>): void {
    this.#powerOns.add(listener);
  }

  /** Called when its process is gone and another one will follow. */
  onPowerOff(listener: () => Promise<void>): void {
    this.#powerOffs.add(listener);
  }

  async breakTime(): Promise<void> {
    for (const listener of this.#timeBreaks) await listener();
  }

  /** Starts the process and connects everything; the guest has not run an instruction. */
  async powerOn(signal: AbortSignal, before?: QemuDebugger): Promise<void> {
    const { program, host, wires, env } = this.#options;
    const how = {
      env,
      guard: (pid: number) => host.guardProcessGroup(pid),
      tpmFailed: once(() => this.#tpmFailed()),
      helperEnded: (helper: Helper, why: string) => this.#helperEnded(helper, why),
    };
    await this.counts?.renew();
    const { process, qmp } = await launch(program, this.#plan, how, signal);
    this.#process = process;
    this.#closing = false;
    this.#shutdownReason = undefined;
    this.#lostLink = undefined;
    this.session.attach(qmp);
    this.#over = process.ended.then(() => this.#ended(process));
    try {
      await this.blockNodes.check(nodesOf(this.#plan));
      const attaching = QemuDebugger.attach({
        gdbPath: this.#plan.paths.gdb,
        qmp,
        arch: this.#plan.options.arch,
        // That it stops with the process is told by the end of the process.
        report: (event) => {
          if (!this.#closing) this.#report(event);
        },
        before,
        crashes: () => this.crashes(),
        pausesOnReset: this.#plan.options.on_reset === 'pause',
        recording: this.#plan.replay?.recording,
        calls: this.#options.calls,
        timeoutMs: attachMs,
        signal,
      });
      [this.#debugger] = await Promise.all([attaching, ...wires.map((wire) => wire.connect(signal))]);
      if (this.#plan.options.vnc) {
        await this.session.execute('set_password', { protocol: 'vnc', password: this.vncPassword });
      }
      for (const listener of this.#powerOns) await listener();
    } catch (error) {
      await process.kill();
      throw linkFailure(error);
    }
    qmp.onClose(({ message }) => this.#lost(process, `the connection to its monitor is gone (${message})`));
    this.#debugger.onClose((reason) => this.#lost(process, `the connection to its debugger is gone (${reason})`));
  }

  /** What QEMU has logged of exceptions. */
  async crashes(): Promise<CrashLog> {
    await this.#options.log.synced();
    const { all, past, count } = this.#options.log.exceptions;
    return { exceptions: all, past, count, isOn: logItemsOf(this.#plan.options).includes('int') };
  }

  #tripleFault({ address, cr2, idt, registers }: TripleFault): void {
    if (!this.#debugger) return;
    const { addresses } = this.#debugger;
    const name = addresses.symbols.describe(address);
    const where = `${addresses.format(address)}${name === undefined ? '' : ` ${name}`}`;
    const now = performance.now();
    // One that boots into it again and again is told now and then.
    if (this.#lastFault === where && now - this.#faultToldMs < faultsEveryMs) return;
    this.#lastFault = where;
    this.#faultToldMs = now;
    const fault = cr2 === 0n ? '' : `, last page fault at ${addresses.format(cr2)}`;
    const text = `triple fault at ${where}: no exception could be delivered, and the processor reset itself (IDT ${idt}${fault})`;
    this.#report({ type: 'triple_fault', text, data: { address: addresses.format(address), registers } });
  }

  #tpmFailed(): void {
    const { workDir } = this.#plan.paths;
    const text = `the TPM (swtpm) could not write its state to ${workDir} and fails whatever the guest asks of it: is the disk full? Make room, then reset the machine (hard)`;
    this.#report({ type: 'tpm_failed', text, data: { folder: workDir } });
  }

  #helperEnded(helper: Helper, why: string): void {
    const { type, lost } = helperEnds[helper];
    const text = `${helper} ${why}: the guest cannot use its ${lost} until the machine is reset (hard)`;
    this.#report({ type, text, data: { why } });
  }

  /** A process that nobody can talk to any more is no machine: it is ended, unless it is ending anyway. */
  #lost(process: TiedProcess, why: string): void {
    if (this.#closing || process !== this.#process) return;
    const end = async () => {
      if (await process.endsWithin(diesWithinMs)) return;
      this.#lostLink ??= why;
      await process.kill();
    };
    // Killing fails for nothing but a process that is gone.
    void end();
  }

  /** Off and on again, with another plan if there is one. Breakpoints and symbols stay. The guest is stopped. */
  async powerCycle(plan: LaunchPlan = this.#plan, whenConnected = async () => {}): Promise<void> {
    // Everything that stands on it has been told that it is over.
    if (this.#end !== undefined) {
      const fix = [
        advice`Stop it with ${call('machine_stop')} and start another.`,
        advice`What its consoles said can still be read.`,
      ];
      throw new MachineError('WRONG_STATE', `The machine is off: ${this.#end}.`, fix, { execution_state: 'OFF' });
    }
    const before = this.debugger;
    await this.breakTime();
    this.#cycling = true;
    try {
      this.#closing = true;
      before.close();
      await this.#quit();
      await this.#over;
      for (const listener of this.#powerOffs) await listener();
      this.#plan = plan;
      for (const wire of this.#options.wires) wire.muted = plan.replay?.mode === 'replay';
      this.clock.set(0);
      this.boot.begin();
      await this.powerOn(this.#options.host.signal, before);
      await whenConnected();
    } finally {
      this.#cycling = false;
      if (!this.#sparing && this.#process?.end) this.#announce(this.#process);
    }
  }

  /** While this goes on, the end of the process is not that of the machine: whoever asked for it starts another. */
  async sparing<T>(action: () => Promise<T>): Promise<T> {
    this.#sparing = true;
    try {
      return await action();
    } finally {
      this.#sparing = false;
      if (this.#process?.end) await this.#over.then(() => this.#process && this.#announce(this.#process));
    }
  }

  /** Whether the process is gone; what it leaves may be noticed before its end. */
  async hasDied(): Promise<boolean> {
    return (await this.#process?.endsWithin(diesWithinMs)) ?? true;
  }

  /** Ends it: the guest may shut down on its own first if there is time for that. */
  async powerOff(powerdownMs: number): Promise<void> {
    const process = this.#process;
    if (process && !process.end) {
      const stands = this.debugger.status().state !== 'RUNNING';
      // Before its first instruction it has nothing to put away.
      if (powerdownMs > 0 && !(stands && this.clock.nowMs === 0)) {
        await this.#clearTheWay();
        if (stands) await this.debugger.release().catch(() => {});
        await this.session.execute('system_powerdown').catch(() => {});
        await process.endsWithin(powerdownMs);
      }
      await this.breakTime();
      this.#closing = true;
      this.#debugger?.close();
      await this.#quit();
    }
    await this.#over;
  }

  /** From a breakpoint on the way down nobody would let it go on. */
  async #clearTheWay(): Promise<void> {
    const { breakpoints } = this.debugger;
    for (const { id, enabled } of await breakpoints.list()) {
      if (enabled) await breakpoints.change(id, { enabled: false }).catch(() => {});
    }
  }

  /** Not killed at once: what is in its buffers belongs to disks and recordings. */
  async #quit(): Promise<void> {
    const process = this.#process;
    if (!process || process.end) return;
    const heard = await this.session.execute('quit', {}, { timeoutMs: quitMs }).then(
      () => true,
      (error: unknown) => !(error instanceof MachineError) || error.type !== 'UNAVAILABLE',
    );
    if (!heard || !(await process.endsWithin(quitMs))) await process.kill();
  }

  async #ended(process: TiedProcess): Promise<void> {
    const drained = Promise.all(this.#options.wires.map((wire) => wire.drained()));
    await Promise.race([drained, setTimeout(lastWordsMs, undefined, { ref: false })]);
    this.#debugger?.close();
    if (this.#cycling || this.#sparing) return;
    await this.breakTime();
    this.#announce(process);
  }

  #announce(process: TiedProcess): void {
    const { code = null, signal = null, text = 'ended' } = process.end ?? {};
    const reason = this.#shutdownReason;
    const lost = this.#lostLink === undefined ? undefined : `QEMU was ended: ${this.#lostLink.slice(0, 200)}`;
    const left = this.#options.calls?.exitCode;
    const how =
      left === undefined
        ? describeEnd(code === 0, reason, text)
        : `the guest has ended it by semihosting, with code ${left}`;
    this.#end = lost ?? how;
    this.clock.event({ name: 'STOP', data: {}, at: Date.now() });
    this.session.end(this.#end);
    for (const wire of this.#options.wires) wire.finish(this.#end);
    this.#options.logWire?.finish(this.#end);
    this.#options.calls?.wire.finish(this.#end);
    this.#options.whenOver();
    const complaints = process.complaints.slice(-1000);
    this.#report({
      type: 'machine_off',
      text: code === 0 || complaints === '' ? this.#end : `${this.#end}: ${complaints}`,
      data: { code, signal, ...(reason !== undefined && { reason }), ...(complaints !== '' && { complaints }) },
    });
  }

  #report(event: ReportedEvent): void {
    this.#options.host.report(event);
  }
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}

function describeEnd(isGood: boolean, reason: string | undefined, text: string): string {
  return isGood && reason !== undefined ? (ownValue(shutdowns, reason) ?? reason) : `QEMU ${text}`;
}

function nodesOf({ drives, replay }: LaunchPlan) {
  const states = replay ? [nodeOver(stateNode, null, replay.stateFile)] : [];
  return [...drives.flatMap(({ medium }) => (medium ? [medium.node] : [])), ...states];
}

const shutdowns: Readonly<Record<string, string>> = {
  'guest-shutdown': 'the guest has powered off',
  'guest-reset': 'the guest has reset itself, which ends it with -no-reboot',
  'guest-panic': 'the guest has panicked',
  'host-qmp-quit': 'it was ended through the monitor',
  'host-signal': 'QEMU was ended by a signal',
};
