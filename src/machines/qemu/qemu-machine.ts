import type { OpenPort } from '../../console/open-console-port.ts';
import type { ConsoleCapability } from '../../machine/console.ts';
import type { CoverageCapability } from '../../machine/coverage.ts';
import type { CrashCapability } from '../../machine/crash.ts';
import type { Host } from '../../machine/host.ts';
import type { Machine } from '../../machine/machine.ts';
import type { MonitorCapability } from '../../machine/monitor.ts';
import type { Status } from '../../machine/state.ts';
import { MonitorCommands } from '../shared/monitor-commands.ts';
import { QemuAgent } from './agent/qemu-agent.ts';
import { CountedCoverage } from './counted/counted-coverage.ts';
import { currentPart } from './current-part.ts';
import { writeCore } from './debug/crash/core-dump.ts';
import { withLinux } from './debug/crash/linux-crash.ts';
import type { QemuDebugger } from './debug/qemu-debugger.ts';
import { QemuKeyboard } from './input/qemu-keyboard.ts';
import { QemuMouse } from './input/qemu-mouse.ts';
import { networkCardsOf } from './launch/network-arguments.ts';
import type { QemuLog } from './launch/qemu-log.ts';
import type { QemuMedia } from './media/qemu-media.ts';
import { QemuMonitor } from './monitor/qemu-monitor.ts';
import type { CaptureSource } from './network/capture-source.ts';
import { FilterDump } from './network/filter-dump.ts';
import { QemuNetwork } from './network/qemu-network.ts';
import { TcpdumpCapture } from './network/tcpdump-capture.ts';
import { PowerControl } from './power-control.ts';
import type { QemuEngine } from './qemu-engine.ts';
import { Replay } from './replay.ts';
import { QemuScreen } from './screen/qemu-screen.ts';
import type { QemuSnapshots } from './snapshots/qemu-snapshots.ts';
import { QemuCoverage } from './translated/qemu-coverage.ts';

export interface MachineParts {
  readonly engine: QemuEngine;
  readonly ports: readonly OpenPort[];
  readonly log: QemuLog;
  readonly media: QemuMedia;
  readonly snapshots: QemuSnapshots;
  readonly host: Host;
  readonly introduction: readonly string[];
  /** Removes its files and frees its locks. */
  clear(): Promise<void>;
}

/** With drives that are really written, a guest gets this long to put everything there. */
const powerdownMs = 5000;

/** A virtual machine under QEMU. */
export class QemuMachine implements Machine {
  readonly kind = 'qemu';
  readonly console: ConsoleCapability;
  readonly screen: QemuScreen;
  readonly keyboard: QemuKeyboard;
  readonly mouse: QemuMouse;
  readonly monitor?: MonitorCapability;
  readonly control: PowerControl;
  readonly media: QemuMedia;
  readonly snapshots: QemuSnapshots;
  readonly network?: QemuNetwork;
  readonly cpu: QemuDebugger['cpu'];
  readonly processors: QemuDebugger['processors'];
  readonly chips: QemuDebugger['chips'];
  readonly memory: QemuDebugger['memory'];
  readonly paging: QemuDebugger['paging'];
  readonly crash: CrashCapability;
  readonly source: QemuDebugger['source'];
  readonly variables: QemuDebugger['variables'];
  readonly linux: QemuDebugger['linux'];
  readonly guestAgent?: QemuAgent;
  readonly breakpoints: QemuDebugger['breakpoints'];
  readonly symbols: QemuDebugger['symbols'];
  readonly addresses: QemuDebugger['addresses'];
  readonly coverage: CoverageCapability;
  readonly #replay: Replay;
  readonly #engine: QemuEngine;
  readonly #parts: MachineParts;

  constructor(parts: MachineParts) {
    const { engine, ports, host } = parts;
    const { options, paths, board } = engine.plan;
    const { session } = engine;
    this.#parts = parts;
    this.#engine = engine;
    const { share: path, share_writable: writable } = options;
    this.console = { ports, boot: engine.boot, ...(path !== undefined && { share: { tag: 'share', path, writable } }) };
    this.cpu = currentPart(() => engine.debugger.cpu);
    this.processors = currentPart(() => engine.debugger.processors);
    this.chips = currentPart(() => engine.debugger.chips);
    this.memory = currentPart(() => engine.debugger.memory);
    this.paging = currentPart(() => engine.debugger.paging);
    this.crash = {
      explain: async () => withLinux(await engine.debugger.crash.explain(), engine.debugger.linux),
      dump: (path) => writeCore(engine, host.files, path),
    };
    this.source = currentPart(() => engine.debugger.source);
    this.variables = currentPart(() => engine.debugger.variables);
    this.linux = currentPart(() => engine.debugger.linux);
    this.breakpoints = currentPart(() => engine.debugger.breakpoints);
    this.symbols = currentPart(() => engine.debugger.symbols);
    this.addresses = currentPart(() => engine.debugger.addresses);
    this.coverage = engine.counts ? new CountedCoverage(engine, engine.counts) : new QemuCoverage(engine, parts.log);
    this.#replay = new Replay(engine);
    this.media = parts.media;
    this.snapshots = parts.snapshots;
    if (networkCardsOf(options).length > 0) {
      const network = openNetwork(engine, host);
      engine.onTimeBreak(() => network.stopAll());
      this.network = network;
    }
    if (options.guest_agent) {
      const agent = new QemuAgent(session, paths.agent, options.write_policy);
      engine.onTimeBreak(async () => agent.close());
      this.guestAgent = agent;
    }
    this.control = new PowerControl(engine, this.media, this.#replay);
    const isRunning = () => this.status().state === 'RUNNING';
    this.screen = new QemuScreen({
      session,
      paths,
      hasVga: board.isPc && options.gpu !== 'none',
      vgaOnly: ['auto', 'on', 'std', 'cirrus'].includes(options.gpu),
      hold: () => this.control.hold(),
    });
    this.keyboard = new QemuKeyboard(options.keyboard_layout, { session, isRunning });
    this.mouse = new QemuMouse({ session, isRunning, size: () => this.screen.size() });
    if (options.monitor !== 'off') {
      const { allowMonitor = false, monitorCommands } = host.settings;
      const allowed = new MonitorCommands(monitorCommands);
      const { control } = this;
      const readable = (text: string) => engine.plan.files.readable(text);
      const log = (chars: number) => engine.logTail(chars);
      const { monitor: mode } = options;
      this.monitor = new QemuMonitor({ session, mode, allowMonitor, allowed, control, isRunning, readable, log });
    }
  }

  /** Of the process that runs now. */
  get pid(): number {
    return this.#engine.pid;
  }

  status(): Status {
    const { end, clock } = this.#engine;
    const time = `${((this.#replay.playedMs ?? clock.nowMs) / 1000).toFixed(1)} s`;
    if (end !== undefined) return { state: 'OFF', time, notes: [end] };
    if (this.#engine.isCycling) return { state: 'RESET', passes: true, time };
    const status = this.#engine.debugger.status();
    // Its last words are still being read: it is off when that can be said together with why.
    if (status.state === 'OFF') return { state: this.#engine.debugger.lastState, time };
    const recording = this.#replay.describe(status.state !== 'RUNNING');
    const { lastTripleFault: fault } = this.#engine;
    const notes = [
      ...(status.notes ?? []),
      ...(recording === undefined ? [] : [recording]),
      ...(fault === undefined ? [] : [`a triple fault at ${fault} has reset it`]),
    ];
    return { ...status, time, ...(notes.length > 0 && { notes }) };
  }

  introduction(): readonly string[] {
    return this.#parts.introduction;
  }

  inUse(): boolean {
    return this.#parts.ports.some((port) => port.humans.watching > 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { options, drives } = this.#engine.plan;
    const written = drives.some(({ medium }) => medium && !medium.overlay && !medium.node['read-only']);
    await this.#engine.powerOff(options.powerdown_ms ?? (written ? powerdownMs : 0));
    await Promise.all(this.#parts.ports.map((port) => port.close()));
    this.#engine.counts?.close();
    await this.#parts.clear();
  }
}

function openNetwork({ plan, session, clock }: QemuEngine, host: Host): QemuNetwork {
  const sources = networkCardsOf(plan.options).map(({ netdev, network, tap, capture }): [string, CaptureSource] => [
    netdev,
    network === 'tap' && tap !== undefined && capture === 'tcpdump'
      ? new TcpdumpCapture(tap, (pid) => host.guardProcessGroup(pid))
      : new FilterDump(session, clock, netdev),
  ]);
  return new QemuNetwork(new Map(sources), plan.paths, plan.files, host);
}
