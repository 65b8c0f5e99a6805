import type { ToolHost } from '../../api/tool-host.ts';
import type { DebuggedMachine, SeenStop } from '../debugged-machine.ts';

const wallMs = 50_000;
/** VICE looks for commands once a frame: what is asked for before that has its time. */
const frameMs = 20;

/** What the client is told of the machine's movements. */
export interface MotionNews {
  stopped(stop: SeenStop | undefined): Promise<void>;
  resumed(): Promise<void>;
  gone(): void;
}

/**
 * Whether the machine runs, in the eyes of a client of VICE's monitor: the monitor is open while it is stopped. A client that has asked
 * for nothing yet has not opened it.
 */
export class Motion {
  readonly #machine: DebuggedMachine;
  readonly #news: MotionNews;
  readonly #unwatch: (() => void)[];
  readonly #queue: (task: () => Promise<void>) => void;
  #isOpen = false;
  #hasBegun = false;
  #isBusy = false;
  #seenStop = 0;
  #underWay: AbortController | undefined;
  #wasRunning: boolean;

  /** `queue` does one thing after the other. */
  constructor(host: ToolHost, machine: DebuggedMachine, news: MotionNews, queue: (task: () => Promise<void>) => void) {
    this.#machine = machine;
    this.#news = news;
    this.#queue = queue;
    this.#wasRunning = machine.isRunning;
    this.#unwatch = [
      host.onChange((change) => {
        if (change.machine === machine.handle && change.console === undefined) this.#queue(() => this.#look());
      }),
      host.onListChange(() => machine.summary === undefined && news.gone()),
    ];
  }

  /** Every command opens the monitor, which stops the machine. */
  async open(): Promise<void> {
    this.#hasBegun = true;
    if (this.#isOpen) return;
    if (this.#machine.isRunning) await this.#machine.call('pause');
    await this.#tell();
  }

  /** A command has come in; one that takes long ends. */
  interrupt(): void {
    const underWay = this.#underWay;
    if (underWay) setTimeout(() => underWay.abort(), frameMs).unref();
  }

  /** The monitor closes, and the machine runs until something stops it. */
  async resume(pace: 'real' | 'warp'): Promise<void> {
    await this.#news.resumed();
    this.#isOpen = false;
    await this.#quietly(() => this.#machine.call('run', { detach: pace }));
    await this.#look();
  }

  /** Moves it, and tells where it came to a stop. */
  async step(args: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#news.resumed();
    this.#isOpen = false;
    await this.#quietly((signal) => this.#machine.call('step', { ...args, timeout_ms: wallMs }, signal));
    await this.#tell();
  }

  /** Does something to a machine that runs, which no command cuts short. */
  async during(action: () => Promise<unknown>): Promise<void> {
    this.#isBusy = true;
    try {
      await action();
    } finally {
      this.#isBusy = false;
    }
    await this.#look();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Nobody is told how the machine moves meanwhile. */
  async #quietly(action: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const underWay = new AbortController();
    this.#underWay = underWay;
    try {
      await action(underWay.signal);
    } finally {
      this.#underWay = undefined;
    }
  }

  /** A machine that ran before runs on. */
  async end(): Promise<void> {
    for (const end of this.#unwatch) end();
    this.#underWay?.abort();
    if (this.#wasRunning && this.#isOpen && !this.#machine.isRunning)
      await this.#machine.call('run', { detach: 'real' });
  }

  async #look(): Promise<void> {
    const { summary } = this.#machine;
    if (!this.#hasBegun || !summary || this.#underWay || this.#isBusy || this.#machine.isOver) return;
    if (summary.state === 'RUNNING') {
      if (this.#isOpen) await this.#news.resumed();
      this.#isOpen = false;
      return;
    }
    const stop = await this.#machine.stop();
    if (!this.#isOpen) return this.#tell();
    if (stop === undefined || stop.seq === this.#seenStop) return;
    await this.#news.resumed();
    await this.#tell();
  }

  async #tell(): Promise<void> {
    const stop = await this.#machine.stop();
    const isNews = stop !== undefined && stop.seq !== this.#seenStop;
    this.#seenStop = stop?.seq ?? this.#seenStop;
    this.#isOpen = true;
    await this.#news.stopped(isNews ? stop : undefined);
  }
}
