import type { z } from 'zod';
import type { HostEvent, ToolHost } from '../../api/tool-host.ts';
import { MachineError } from '../../machine/errors.ts';
import { type Data, DebuggedMachine, type Debugger, type SeenStop } from '../debugged-machine.ts';
import {
  dataBreakpoints,
  functionBreakpoints,
  instructionBreakpoints,
  lineBreakpoints,
} from './breakpoint-requests.ts';
import { capabilities } from './capabilities.ts';
import { DapBreakpoints } from './dap-breakpoints.ts';
import { prepare, type Start, startArguments } from './dap-launch.ts';
import { attachOptions, checked, type LaunchedMachine, launchOptions } from './dap-options.ts';
import { DapThread } from './dap-thread.ts';
import { DapViews } from './dap-views.ts';
import { ForeignBreakpoints } from './foreign-breakpoints.ts';
import { SourcePaths } from './source-paths.ts';

export interface SessionOutput {
  event(event: string, body: Data): void;
  /** The session is over. */
  end(): void;
}

const longestPath = 4096;

type Handler = (args: Data) => Promise<Data | undefined>;

const reasonOfSort: Readonly<Record<string, string>> = {
  function: 'function breakpoint',
  data: 'data breakpoint',
  instruction: 'instruction breakpoint',
};

/** One debug session: machines as threads. It knows nothing of the wire. */
export class DapSession {
  readonly #host: ToolHost;
  readonly #who: Debugger;
  readonly #out: SessionOutput;
  /** The machine whose port the IDE came in by, if it did. */
  readonly #ownMachine: string | undefined;
  readonly #paths = new SourcePaths();
  readonly #threads = new Map<number, DapThread>();
  readonly #breakpoints = new DapBreakpoints(this.#paths);
  readonly #foreign = new ForeignBreakpoints(this.#breakpoints, this.#paths);
  readonly #views = new DapViews(this.#paths, (id) => this.#thread(id));
  readonly #unwatch: () => void;
  #nextThread = 1;
  #pace: 'real' | 'warp' = 'real';
  #launched: readonly LaunchedMachine[] = [];
  #starts: { readonly thread: DapThread; readonly start: Start }[] = [];
  #stopOnEntry = false;
  #isConfigured = false;

  constructor(host: ToolHost, who: Debugger, out: SessionOutput, ownMachine?: string) {
    this.#host = host;
    this.#who = who;
    this.#out = out;
    this.#ownMachine = ownMachine;
    this.#unwatch = host.onEvent((event) => this.#heard(event));
  }

  /** The body of the answer; rejects with what the person can do about it. */
  async request(command: string, args: Data): Promise<Data | undefined> {
    const handler = Object.hasOwn(this.#handlers, command) ? this.#handlers[command] : undefined;
    if (handler) return handler(args);
    throw new MachineError('INVALID_ARGUMENT', `Unknown request ${command.slice(0, 60)}.`, 'See docs/ide.md.');
  }

  /** Settles when nothing of it is left; machines that it started go, unless they are to stay. */
  async end(keepsMachines = false): Promise<void> {
    this.#unwatch();
    await this.#breakpoints.clear();
    for (const thread of this.#threads.values()) await this.#release(thread, !keepsMachines);
    this.#threads.clear();
  }

  readonly #handlers: Readonly<Record<string, Handler>> = {
    initialize: async () => capabilities,
    launch: async (args) => this.#launch(checked(launchOptions, args)),
    attach: async (args) => this.#attach(args),
    configurationDone: async () => this.#configured(),
    threads: async () => ({
      threads: [...this.#threads.values()].map(({ id, machine: { handle, cpu } }) => ({
        id,
        name: cpu === undefined ? handle : `${handle} ${cpu}`,
      })),
    }),
    setBreakpoints: async ({ source, breakpoints, lines }) => {
      const { path, name } = Object(source) as { path?: string; name?: string };
      const file = String(path ?? name ?? '').slice(0, longestPath);
      const wanted = listOf(breakpoints ?? listOf(lines).map((line) => ({ line })));
      return this.#set(`source ${file}`, lineBreakpoints(file, wanted));
    },
    setFunctionBreakpoints: async ({ breakpoints }) => this.#set('function', functionBreakpoints(listOf(breakpoints))),
    setInstructionBreakpoints: async ({ breakpoints }) =>
      this.#set('instruction', instructionBreakpoints(listOf(breakpoints))),
    setDataBreakpoints: async ({ breakpoints }) => this.#set('data', dataBreakpoints(listOf(breakpoints))),
    setExceptionBreakpoints: async () => ({ breakpoints: [] }),
    dataBreakpointInfo: (args) => this.#views.dataBreakpointInfo(args),
    continue: async ({ threadId }) => {
      const thread = this.#thread(threadId);
      this.#later(thread, () => thread.goOn(this.#pace));
      return { allThreadsContinued: false };
    },
    reverseContinue: async ({ threadId }) => this.#move(threadId, 'run', { back: true }),
    next: async (args) => this.#step(args, 'over', false),
    stepIn: async (args) => this.#step(args, 'into', false),
    stepOut: async (args) => this.#step(args, 'out', false),
    stepBack: async (args) => this.#step(args, 'over', true),
    pause: async ({ threadId }) => {
      await this.#thread(threadId).pause();
      return undefined;
    },
    stackTrace: (args) => this.#views.stackTrace(args),
    scopes: (args) => this.#views.scopes(args),
    variables: (args) => this.#views.variables(args),
    setVariable: (args) => this.#views.setVariable(args),
    setExpression: (args) => this.#views.setExpression(args),
    evaluate: (args) => this.#views.evaluate(args),
    readMemory: (args) => this.#views.readMemory(args, this.#current),
    writeMemory: (args) => this.#views.writeMemory(args, this.#current),
    disassemble: (args) => this.#views.disassemble(args, this.#current),
    restart: async () => this.#restart(),
    terminate: async () => {
      await this.end();
      this.#out.event('terminated', {});
      return undefined;
    },
    disconnect: async ({ terminateDebuggee }) => {
      await this.end(terminateDebuggee === false);
      this.#out.end();
      return undefined;
    },
  };

  /** Memory and code have no thread in the protocol: they are those of the machine that stopped last. */
  #lastStopped: DapThread | undefined;

  get #current(): DebuggedMachine {
    return (this.#lastStopped ?? this.#thread(undefined)).machine;
  }

  async #launch({ machines, stopOnEntry, pace, cwd, ...first }: z.output<typeof launchOptions>): Promise<undefined> {
    if (this.#ownMachine !== undefined) {
      throw new MachineError('DENIED', 'This port only serves running machines.', 'Use "request":"attach".');
    }
    this.#launched = [first, ...machines];
    this.#stopOnEntry = stopOnEntry;
    this.#pace = pace;
    if (cwd !== undefined) this.#paths.folder = cwd;
    for (const each of this.#launched) await this.#startMachine(each);
    this.#out.event('initialized', {});
    return undefined;
  }

  async #startMachine(wanted: LaunchedMachine): Promise<void> {
    const { machine: handle } = await DebuggedMachine.start(this.#host, startArguments(wanted), this.#who);
    const thread = this.#join(handle);
    this.#starts.push({ thread, start: await prepare(thread, wanted) });
    await thread.settle();
    await this.#joinProcessors(thread);
  }

  async #attach(args: Data): Promise<undefined> {
    const { machine = this.#ownMachine, symbols, pace, cwd } = checked(attachOptions, args);
    this.#pace = pace;
    if (cwd !== undefined) this.#paths.folder = cwd;
    const running = this.#host.machines().filter(({ hasControl }) => hasControl);
    const wanted = machine === undefined ? running.map(({ handle }) => handle) : [machine];
    if (wanted.length === 0) throw new MachineError('UNKNOWN_MACHINE', 'No machine is running.', 'Launch one.');
    for (const handle of wanted) {
      const thread = this.#join(handle);
      for (const path of symbols) await thread.machine.call('symbols_load', { path });
      await thread.settle();
      await this.#joinProcessors(thread);
    }
    this.#out.event('initialized', {});
    return undefined;
  }

  /** Of a machine that cannot run, as one from a core file: each of its processors is a thread. */
  async #joinProcessors({ machine }: DapThread): Promise<void> {
    if (machine.summary?.hasControl !== false || machine.cpu !== undefined) return;
    const { processors } = await machine.call('processor_read');
    const [first, ...others] = Array.isArray(processors) ? processors.map(String) : [];
    if (others.length === 0) return;
    machine.cpu = first;
    for (const cpu of others) this.#add(machine.handle).machine.cpu = cpu;
  }

  #join(handle: string): DapThread {
    return [...this.#threads.values()].find(({ machine }) => machine.handle === handle) ?? this.#add(handle);
  }

  #add(handle: string): DapThread {
    const thread = DapThread.attach(this.#host, handle, this.#nextThread++, this.#who, {
      stopped: (each, stop) => this.#stopped(each, stop),
      continued: ({ id }) => this.#tell('continued', { threadId: id, allThreadsContinued: false }),
      changed: (each) => void this.#tellForeign(each),
      gone: (each) => this.#gone(each),
    });
    if (!thread) throw new MachineError('UNKNOWN_MACHINE', `No machine ${handle} is running.`, 'Look at machine_list.');
    this.#threads.set(thread.id, thread);
    this.#tell('thread', { reason: 'started', threadId: thread.id });
    return thread;
  }

  async #configured(): Promise<undefined> {
    this.#isConfigured = true;
    const starts = this.#starts.splice(0);
    for (const { thread, start } of starts) this.#later(thread, () => this.#begin(thread, start));
    const attached = [...this.#threads.values()].filter((each) => !starts.some(({ thread }) => thread === each));
    for (const thread of attached) if (!thread.isRunning) this.#stopped(thread, await thread.settle(), 'entry');
    return undefined;
  }

  async #begin(thread: DapThread, start: Start): Promise<void> {
    const before = (await thread.settle())?.seq;
    const hasBegun = await thread.quietly(() => start(this.#stopOnEntry));
    const stop = await thread.settle();
    const isMet = stop?.cause === 'breakpoint' && stop.seq !== before;
    const canRun = thread.machine.summary?.hasControl !== false;
    if (isMet)
      this.#stopped(thread, stop, this.#breakpoints.idOf(thread, stop.breakpoint?.id ?? 0) ? undefined : 'entry');
    else if ((this.#stopOnEntry && !hasBegun) || !canRun) this.#stopped(thread, stop, 'entry');
    else await thread.goOn(this.#pace);
  }

  async #restart(): Promise<undefined> {
    if (this.#launched.length === 0) {
      for (const { machine } of this.#threads.values()) await machine.call('machine_reset', { mode: 'soft' });
      return undefined;
    }
    this.#isConfigured = false;
    for (const thread of this.#threads.values()) await this.#release(thread, true);
    this.#threads.clear();
    for (const each of this.#launched) await this.#startMachine(each);
    for (const thread of this.#threads.values()) await this.#breakpoints.bindAll(thread);
    return this.#configured();
  }

  async #release(thread: DapThread, stops: boolean): Promise<void> {
    // Told below: not as a machine that has gone on its own, which ends the session.
    this.#threads.delete(thread.id);
    this.#breakpoints.forget(thread);
    if (stops && this.#launched.length > 0) await thread.machine.call('machine_stop').catch(() => {});
    thread.leave();
    this.#tell('thread', { reason: 'exited', threadId: thread.id });
  }

  async #set(sort: string, wanted: Parameters<DapBreakpoints['replace']>[1]): Promise<Data> {
    return { breakpoints: await this.#breakpoints.replace(sort, wanted, [...this.#threads.values()]) };
  }

  async #step({ threadId, granularity }: Data, kind: 'into' | 'over' | 'out', back: boolean): Promise<undefined> {
    const tool = granularity === 'instruction' ? 'step' : 'source_step';
    return this.#move(threadId, tool, { kind, back });
  }

  async #move(threadId: unknown, tool: string, args: Data): Promise<undefined> {
    const thread = this.#thread(threadId);
    this.#later(thread, () => thread.move(tool, args));
    return undefined;
  }

  /** What is done after its request was answered. What fails then is told in the console, and the machine is where it was. */
  #later(thread: DapThread, action: () => Promise<void>): void {
    setImmediate(() => {
      action().catch((error: unknown) => {
        const text = error instanceof MachineError ? `${error.message} ${error.fix}` : String(error);
        this.#tell('output', { category: 'stderr', output: `${text}\n` });
        const settled = thread.settle().then((stop) => !thread.isRunning && this.#stopped(thread, stop));
        // One that is gone cannot be asked; that it ended is announced elsewhere.
        settled.catch((gone: unknown) => {
          if (!(gone instanceof MachineError)) throw gone;
        });
      });
    });
  }

  #stopped(thread: DapThread, stop: SeenStop | undefined, reason?: string): void {
    if (!this.#isConfigured) return;
    this.#lastStopped = thread;
    const own = stop?.breakpoint && this.#breakpoints.idOf(thread, stop.breakpoint.id);
    this.#tell('stopped', {
      reason: reason ?? reasonOf(stop, own?.sort),
      description: stop?.reason ?? 'stopped',
      threadId: thread.id,
      allThreadsStopped: false,
      ...(own && { hitBreakpointIds: [own.id] }),
    });
    void this.#tellForeign(thread);
  }

  /** Breakpoints that an agent, or another debugger, has set or deleted. */
  async #tellForeign(thread: DapThread): Promise<void> {
    if (!this.#isConfigured) return;
    for (const body of await this.#foreign.changes(thread).catch(() => [])) this.#tell('breakpoint', body);
  }

  #gone(thread: DapThread): void {
    if (!this.#threads.delete(thread.id)) return;
    this.#breakpoints.forget(thread);
    thread.leave();
    this.#tell('thread', { reason: 'exited', threadId: thread.id });
    if (this.#threads.size === 0) this.#tell('terminated', {});
  }

  #heard({ machine: handle, type, data }: HostEvent): void {
    const thread = [...this.#threads.values()].find(({ machine }) => machine.handle === handle);
    if (!thread || type !== 'breakpoint' || typeof data?.id !== 'number') return;
    const text = this.#breakpoints.logged(thread, data.id, String(data.logged ?? ''));
    if (text !== undefined) this.#tell('output', { category: 'console', output: `${text}\n` });
  }

  #tell(event: string, body: Data): void {
    this.#out.event(event, body);
  }

  #thread(id: unknown): DapThread {
    const thread = typeof id === 'number' ? this.#threads.get(id) : [...this.#threads.values()][0];
    if (thread) return thread;
    throw new MachineError('UNKNOWN_MACHINE', `No thread ${String(id).slice(0, 20)}.`, 'Ask for the threads again.');
  }
}

function reasonOf(stop: SeenStop | undefined, sort: string | undefined): string {
  switch (stop?.cause) {
    case 'breakpoint':
      return reasonOfSort[sort ?? ''] ?? 'breakpoint';
    case 'step':
      return 'step';
    case 'fault':
      return 'exception';
    default:
      return 'pause';
  }
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.slice(0, 1000).map((each) => Object(each)) : [];
}
