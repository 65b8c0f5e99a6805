import { Worker, type WorkerOptions } from 'node:worker_threads';
import { MachineError } from '../../machine/errors.ts';
import { unlessAborted } from './time-slice.ts';

/** Jobs by name: what each is given and what it gives, all of which can be sent to another thread. */
export type Jobs = Readonly<Record<string, (input: never) => unknown>>;

/** To the thread, and back. */
export interface JobMessage {
  readonly job: string;
  readonly input: unknown;
}
export type JobAnswer = { readonly output: unknown } | { readonly problem: string };

interface Order extends JobMessage {
  readonly signal: AbortSignal;
  resolve(output: unknown): void;
  reject(error: Error): void;
}

/** Longer than anything takes that is meant well, on a busy computer. */
const longestMs = 20_000;
/** A thread that nobody needs any more goes. */
const restMs = 60_000;
const memoryMb = 256;

/**
 * A thread for work on what others wrote, whose end nobody can foresee: sources, tables of symbols. One job at a time; one
 * that takes too long, or too much memory, ends with its thread, and keeps nothing else waiting.
 */
export class Workshop<Known extends Jobs> {
  readonly #entry: URL;
  readonly #longestMs: number;
  readonly #orders: Order[] = [];
  #worker: Worker | undefined;
  #current: Order | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unfollow: () => void = () => {};

  /** `entry` is the file that serves the jobs; see `serveJobs`. */
  constructor(entry: URL, ms = longestMs) {
    this.#entry = entry;
    this.#longestMs = ms;
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
    this.#timer = setTimeout(() => this.#fail(tooMuch(`longer than ${this.#longestMs / 1000} s`)), this.#longestMs);
    this.#worker ??= this.#hire();
    this.#worker.postMessage({ job, input } satisfies JobMessage);
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
      mine((answer: JobAnswer) => this.#done(answer)),
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
