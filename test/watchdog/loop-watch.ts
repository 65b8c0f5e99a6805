import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchedProgram } from './watched-program.ts';

const pauseMs = 20;

/** What a server was like while it was watched. */
export interface Watched {
  /**
   * The longest time in which the server's main thread worked and looked at no socket, in milliseconds of its own
   * processor time.
   */
  readonly longestBlockMs: number;
  readonly pings: number;
  /** The most memory it had, in MB. */
  readonly residentMb: number;
}

/** Pings a server again and again, and looks at what its event loop did meanwhile. */
export class LoopWatch {
  readonly #program: WatchedProgram;
  readonly #ping: () => Promise<unknown>;
  readonly #position: number;
  #pings = 0;
  #residentMb = 0;
  #isOver = false;
  readonly #done: Promise<unknown>;

  constructor(program: WatchedProgram, ping: () => Promise<unknown>) {
    this.#program = program;
    this.#ping = ping;
    this.#position = program.position;
    this.#done = this.#repeat();
    this.#done.catch(() => {});
  }

  /** Answered so far. */
  get pings(): number {
    return this.#pings;
  }

  async end(): Promise<Watched> {
    this.#isOver = true;
    await this.#done;
    // What has just ended is noted at the end of its turn, and this is another one.
    await this.#ping();
    return {
      longestBlockMs: this.#program.longestTurnMs(this.#position),
      pings: this.#pings,
      residentMb: this.#residentMb,
    };
  }

  async #repeat(): Promise<void> {
    do {
      await this.#ping();
      this.#pings++;
      this.#residentMb = Math.max(this.#residentMb, residentMb(this.#program.pid));
      await sleep(pauseMs);
    } while (!this.#isOver);
  }
}

function residentMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes ?? 0) / 1024;
}
