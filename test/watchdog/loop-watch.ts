import { readFileSync } from 'node:fs';

/** What a server was like while it was watched. */
export interface Watched {
  /** The longest time in which the server's main thread worked and answered no ping, in milliseconds of its own processor time. */
  readonly longestBlockMs: number;
  /** The same on the clock on the wall, which also counts what others did on this computer. */
  readonly longestGapMs: number;
  readonly pings: number;
  /** The most memory it had, in MB. */
  readonly residentMb: number;
}

/**
 * Pings a server without a pause and looks at how much processor time its main thread uses between a ping and its
 * answer. Processor time, because on a busy computer a ping may wait long for a server that does not block.
 */
export class LoopWatch {
  readonly #pid: number;
  readonly #ping: () => Promise<unknown>;
  #longestBlockMs = 0;
  #longestGapMs = 0;
  #pings = 0;
  #residentMb = 0;
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(pid: number, ping: () => Promise<unknown>) {
    this.#pid = pid;
    this.#ping = ping;
    this.#done = this.#watch();
    this.#done.catch(() => {});
  }

  async end(): Promise<Watched> {
    this.#isOver = true;
    await this.#done;
    return {
      longestBlockMs: this.#longestBlockMs,
      longestGapMs: this.#longestGapMs,
      pings: this.#pings,
      residentMb: this.#residentMb,
    };
  }

  async #watch(): Promise<void> {
    do {
      const [cpu, wall] = [mainThreadMs(this.#pid), performance.now()];
      await this.#ping();
      this.#longestBlockMs = Math.max(this.#longestBlockMs, mainThreadMs(this.#pid) - cpu);
      this.#longestGapMs = Math.max(this.#longestGapMs, performance.now() - wall);
      this.#residentMb = Math.max(this.#residentMb, residentMb(this.#pid));
      this.#pings++;
    } while (!this.#isOver);
  }
}

/** Processor time of a process's first thread so far. */
function mainThreadMs(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

function residentMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes ?? 0) / 1024;
}
