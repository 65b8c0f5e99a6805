import { Worker, type WorkerOptions } from 'node:worker_threads';
import { MachineError } from '../../machine/errors.ts';
import { threadTimeMs } from './thread-time.ts';
import { unlessAborted } from './time-slice.ts';

/** Jobs by name: what each is given and what it gives, all of which can be sent to another thread. */
export type Jobs = Readonly<Record<string, (input: never) => unknown>>;

/** To the thread, and back. */
export interface JobMessage {
  readonly job: string;
  readonly input: unknown;
}
export type JobAnswer = { readonly output: unknown } | { readonly problem: string };
/** What a thread says first: where the system counts its time. */
export interface ThreadGreeting {
  readonly thread: string | undefined;
}

interface Order extends JobMessage {
  readonly signal: AbortSignal;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

/** Of processor time: more than anything takes that is meant well, on a slow computer. A busy one only makes it wait. */
const mostWorkMs = 20_000;
/** So many times as long is waited in all, for a thread that rests or whose time nobody counts. */
const patience = 10;
const shortestLookMs = 100;
/** A thread that nobody needs any more goes. */
const restMs = 60_000;
const memoryMb = 256;

/**
 * A thread for work on what others wrote, whose end nobody can foresee: sources, tables of symbols. One job at a time; one
 * that takes too long, or too much memory, ends with its thread, and keeps nothing else waiting.
 */
export class Workshop<Known extends Jobs> {
  readonly #entry: URL;
  readonly #mostWorkMs: number;
  readonly #orders: Order[] = [];
  #worker: Worker | undefined;
  #thread: string | undefined;
  #hasGreeted = false;
  #current: Order | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unfollow: () => void = () => {};

  /** `entry` is the file that serves the jobs; see `serveJobs`. */
  constructor(entry: URL, workMs = mostWorkMs) {
    this.#entry = entry;
    this.#mostWorkMs = workMs;
  }

  run<Name extends keyof Known & string>(
    job: Name,
    input: Parameters<Known[Name]>[0],
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<Known[Name]>>> {
    return new Promise((resolve, reject) => {
      this.#orders.push({ job, input, signal, resolve: resolve as Order['resolve'], reject });
      if (!this.#current) this.#next();
    });
  }

  #next(): void {
    clearTimeout(this.#timer);
    const order = this.#orders.shift();
    this.#current = order;
    if (!order) {
      this.#timer = setTimeout(() => this.#dismiss(), restMs).unref();
      return;
    }
    const { signal, job, input } = order;
    if (signal.aborted) {
      this.#giveUp();
      return;
    }
    const onAbort = () => this.#giveUp();
    signal.addEventListener('abort', onAbort, { once: true });
    this.#unfollow = () => signal.removeEventListener('abort', onAbort);
    this.#worker ??= this.#hire();
    this.#watch(this.#worked() ?? 0, performance.now());
    this.#worker.postMessage({ job, input } satisfies JobMessage);
  }

  /** Looks whether the job has had its time. */
  #watch(workedBefore: number, began: number): void {
    const elapsed = performance.now() - began;
    const worked = (this.#worked() ?? (this.#hasGreeted ? elapsed : 0)) - workedBefore;
    const left = Math.min(this.#mostWorkMs - worked, this.#mostWorkMs * patience - elapsed);
    if (left <= 0) this.#fail(tooMuch(`longer than ${this.#mostWorkMs / 1000} s of processor time`));
    else this.#timer = setTimeout(() => this.#watch(workedBefore, began), Math.max(left, shortestLookMs));
  }

  /** By the thread, since it began; undefined where that is not known, or not yet. */
  #worked(): number | undefined {
    return this.#thread === undefined ? undefined : threadTimeMs(this.#thread);
  }

  #hire(): Worker {
    const worker = startWorker(this.#entry);
    const mine =
      <T>(act: (value: T) => void) =>
      (value: T) => {
        if (this.#worker === worker) act(value);
      };
    worker.on(
      'message',
      mine((message: JobAnswer | ThreadGreeting) => {
        if ('thread' in message) this.#greeted(message);
        else this.#done(message);
      }),
    );
    worker.on(
      'error',
      mine((error: Error) => this.#fail(isOutOfMemory(error) ? tooMuch('too much memory') : error)),
    );
    worker.on(
      'exit',
      mine(() => this.#fail(new Error('the thread ended'))),
    );
    worker.unref();
    return worker;
  }

  #greeted({ thread }: ThreadGreeting): void {
    this.#thread = thread;
    this.#hasGreeted = true;
  }

  #done(answer: JobAnswer): void {
    const order = this.#end();
    if ('output' in answer) order?.resolve(answer.output);
    else order?.reject(new Error(answer.problem));
    this.#next();
  }

  #fail(error: Error): void {
    this.#dismiss();
    this.#end()?.reject(error);
    this.#next();
  }

  /** Nobody waits for it any more. */
  #giveUp(): void {
    const { signal } = this.#current ?? {};
    try {
      if (signal) unlessAborted(signal)();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #end(): Order | undefined {
    const order = this.#current;
    this.#current = undefined;
    clearTimeout(this.#timer);
    this.#unfollow();
    this.#unfollow = () => {};
    return order;
  }

  #dismiss(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#thread = undefined;
    this.#hasGreeted = false;
    void worker?.terminate();
  }
}

function tooMuch(what: string): MachineError {
  return new MachineError(
    'LIMIT_REACHED',
    `This takes ${what}.`,
    'Look for loops and repetitions without end, or use less.',
  );
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function startWorker(entry: URL): Worker {
  // The worker's stdout would be the server's, which belongs to the protocol.
  const options: WorkerOptions = { execArgv: [], stdout: true, resourceLimits: { maxOldGenerationSizeMb: memoryMb } };
  if (!entry.pathname.endsWith('.ts')) return new Worker(entry, options);
  // Node 20 does not take loaders from a worker's execArgv, so source is imported through tsx's own function.
  const code =
    'const { tsx, entry } = require("node:worker_threads").workerData;' +
    'import(tsx).then(({ tsImport }) => tsImport(entry, entry));';
  const workerData = { tsx: import.meta.resolve('tsx/esm/api'), entry: entry.href };
  return new Worker(code, { ...options, eval: true, workerData });
}
