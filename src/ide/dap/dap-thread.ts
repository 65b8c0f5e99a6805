import type { ToolHost } from '../../api/tool-host.ts';
import { DebuggedMachine, type Debugger, type SeenStop } from '../debugged-machine.ts';

const wallMs = 50_000;

/** What a thread tells its session. */
export interface ThreadEvents {
  stopped(thread: DapThread, stop: SeenStop | undefined): void;
  continued(thread: DapThread): void;
  /** Something about the machine may have changed that is no stop. */
  changed(thread: DapThread): void;
  gone(thread: DapThread): void;
}

/** A machine as a thread of a debug session. Whoever moves it, the session hears of it. */
export class DapThread {
  readonly id: number;
  readonly machine: DebuggedMachine;
  readonly #events: ThreadEvents;
  readonly #unwatch: (() => void)[];
  #isRunning: boolean;
  #seenStop = 0;
  #motion: AbortController | undefined;
  /** How often it was moved: what was seen before a move is no news after it. */
  #moves = 0;
  #starting: Promise<unknown> = Promise.resolve();
  #looking: Promise<void> = Promise.resolve();

  static attach(
    host: ToolHost,
    handle: string,
    id: number,
    who: Debugger,
    events: ThreadEvents,
  ): DapThread | undefined {
    const machine = DebuggedMachine.attach(host, handle, who);
    return machine && new DapThread(host, id, machine, events);
  }

  private constructor(host: ToolHost, id: number, machine: DebuggedMachine, events: ThreadEvents) {
    this.id = id;
    this.machine = machine;
    this.#events = events;
    this.#isRunning = machine.isRunning;
    this.#unwatch = [
      host.onChange((change) => change.machine === machine.handle && change.console === undefined && this.look()),
      host.onListChange(() => machine.summary === undefined && events.gone(this)),
    ];
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Tells what has changed since it was looked at last. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#lookNow()).catch(() => {});
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    const { summary } = this.machine;
    if (!summary || this.#motion || this.machine.isOver) return;
    if (summary.state === 'RUNNING') {
      if (!this.#isRunning) this.#events.continued(this);
      this.#isRunning = true;
      return;
    }
    const moves = this.#moves;
    const stop = await this.machine.stop();
    if (moves !== this.#moves) return;
    const isNews = this.#isRunning || (stop !== undefined && stop.seq !== this.#seenStop);
    this.#isRunning = false;
    this.#seenStop = stop?.seq ?? this.#seenStop;
    if (isNews) this.#events.stopped(this, stop);
    else this.#events.changed(this);
  }

  /** What stopped it so far is known to whoever asked for it. */
  async settle(): Promise<SeenStop | undefined> {
    const stop = this.machine.isRunning ? undefined : await this.machine.stop();
    this.#isRunning = this.machine.isRunning;
    this.#seenStop = stop?.seq ?? this.#seenStop;
    return stop;
  }

  /** Whatever moves it meanwhile is not told. */
  async quietly<T>(action: () => Promise<T>): Promise<T> {
    this.#moves += 1;
    this.#motion = new AbortController();
    try {
      return await action();
    } finally {
      this.#motion = undefined;
    }
  }

  async goOn(pace: 'real' | 'warp'): Promise<void> {
    const starting = this.quietly(() => this.machine.call('run', { detach: pace }));
    this.#starting = starting.catch(() => undefined);
    await starting;
    this.#isRunning = true;
    await this.look();
  }

  async pause(): Promise<void> {
    this.#motion?.abort();
    await this.#starting;
    if (this.machine.isRunning) await this.machine.call('pause');
    await this.look();
  }

  /** Moves it and tells where it came to a stop. */
  async move(tool: string, args: Readonly<Record<string, unknown>>): Promise<void> {
    const motion = new AbortController();
    this.#moves += 1;
    this.#motion = motion;
    this.#isRunning = true;
    try {
      await this.machine.call(tool, { ...args, timeout_ms: wallMs }, motion.signal);
    } finally {
      this.#motion = undefined;
    }
    await this.look();
  }

  leave(): void {
    for (const end of this.#unwatch) end();
    this.machine.leave();
  }
}
