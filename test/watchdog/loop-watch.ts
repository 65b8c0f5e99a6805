import { readFileSync } from 'node:fs';

/** What a server was like while it was watched. */
export interface Watched {
  /**
   * The longest time in which the server's main thread worked and looked at no socket, in milliseconds of its own
   * processor time.
   */
  readonly longestBlockMs: number;
  /** The longest time, counted likewise, that a client waited for the answer to a ping. */
  readonly longestPingMs: number;
  readonly pings: number;
  /** The most memory it had, in MB. */
  readonly residentMb: number;
}

/**
 * Asks a server something without a pause, in two ways, and looks at how much processor time its main thread uses until
 * it answers: a probe that needs no more than a look at the socket, and a ping, which comes back after some turns of the
 * event loop. Processor time, because on a busy computer everybody waits long for a server that does not block.
 */
export class LoopWatch {
  readonly #pid: number;
  #longestBlockMs = 0;
  #longestPingMs = 0;
  #pings = 0;
  #residentMb = 0;
  #isOver = false;
  readonly #done: Promise<unknown>;

  constructor(pid: number, probe: () => Promise<unknown>, ping: () => Promise<unknown>) {
    this.#pid = pid;
    const probes = this.#repeat(probe, (ms) => {
      this.#longestBlockMs = Math.max(this.#longestBlockMs, ms);
      this.#residentMb = Math.max(this.#residentMb, residentMb(pid));
    });
    const pings = this.#repeat(ping, (ms) => {
      this.#longestPingMs = Math.max(this.#longestPingMs, ms);
      this.#pings++;
    });
    this.#done = Promise.all([probes, pings]);
    this.#done.catch(() => {});
  }

  /** Answered so far. */
  get pings(): number {
    return this.#pings;
  }

  async end(): Promise<Watched> {
    this.#isOver = true;
    await this.#done;
    return {
      longestBlockMs: this.#longestBlockMs,
      longestPingMs: this.#longestPingMs,
      pings: this.#pings,
      residentMb: this.#residentMb,
    };
  }

  async #repeat(ask: () => Promise<unknown>, took: (ms: number) => void): Promise<void> {
    do {
      const before = mainThreadMs(this.#pid);
      await ask();
      took(mainThreadMs(this.#pid) - before);
    } while (!this.#isOver);
  }
}

/** Processor time of a process's first thread so far. */
function mainThreadMs(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

export function residentMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes ?? 0) / 1024;
}
