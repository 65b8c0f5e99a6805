import { Worker } from 'node:worker_threads';
import type { PoolAnswer, PoolOrder, PoolStart, SavedEpisode } from './pool-messages.ts';

type Order = PoolOrder extends infer Each ? (Each extends PoolOrder ? Omit<Each, 'id'> : never) : never;

interface Waiting {
  resolve(saved: SavedEpisode | undefined): void;
  reject(error: Error): void;
  ready?: (index: number) => void;
}

/** A thread has ended that was to do something. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
}

/** A thread of environments, as the one that gives orders sees it. */
export class PoolThread {
  readonly first: number;
  readonly count: number;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #orders = 0;
  #lost: Error | undefined;

  private constructor(start: PoolStart) {
    this.first = start.first;
    this.count = start.count;
    this.#worker = startWorker(start);
    this.#worker.on('message', (answer: PoolAnswer) => this.#answered(answer));
    this.#worker.on('error', (error) => this.#lose(error.message));
    this.#worker.on('exit', () => this.#lose('it has ended'));
  }

  /** Gives up once the signal says so. */
  static async start(start: PoolStart, signal?: AbortSignal): Promise<PoolThread> {
    const thread = new PoolThread(start);
    const giveUp = () => void thread.order({ type: 'close' }).catch(() => undefined);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      await thread.#wait(0);
      return thread;
    } catch (error) {
      // Nobody has it: it would live as long as the process, and the process as long as it.
      await thread.kill();
      throw error;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** Rejects with what was wrong, or that the thread is lost. */
  async order(order: Order, ready?: (index: number) => void): Promise<SavedEpisode | undefined> {
    if (this.#lost) throw this.#lost;
    this.#orders += 1;
    const id = this.#orders;
    const done = this.#wait(id, ready);
    this.#worker.postMessage({ ...order, id });
    return done;
  }

  async close(): Promise<void> {
    if (!this.#lost) await this.order({ type: 'close' }).catch(() => undefined);
    await this.#worker.terminate();
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  #wait(id: number, ready?: (index: number) => void): Promise<SavedEpisode | undefined> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, ...(ready && { ready }) }));
  }

  #answered({ id, ready, saved, problem }: PoolAnswer): void {
    const waiting = this.#waiting.get(id);
    if (ready !== undefined) {
      waiting?.ready?.(ready);
      return;
    }
    this.#waiting.delete(id);
    if (problem === undefined) waiting?.resolve(saved);
    else waiting?.reject(new Error(problem));
  }

  #lose(why: string): void {
    this.#lost ??= new ThreadLost(`A thread of environments was lost: ${why}`);
    for (const { reject } of this.#waiting.values()) reject(this.#lost);
    this.#waiting.clear();
  }
}

function startWorker(start: PoolStart): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = new URL(isSource ? './gym-worker.ts' : './gym-worker.js', import.meta.url);
  if (!isSource) return new Worker(entry, { workerData: start, execArgv: [] });
  // Node 20 does not take loaders from a worker's execArgv, so source is imported through tsx's own function.
  const code =
    'const { tsx, entry } = require("node:worker_threads").workerData;' +
    'import(tsx).then(({ tsImport }) => tsImport(entry, entry));';
  const workerData = { ...start, tsx: import.meta.resolve('tsx/esm/api'), entry: entry.href };
  return new Worker(code, { eval: true, execArgv: [], workerData });
}
