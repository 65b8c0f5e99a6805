import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { ScreenText, StyledScreen } from '../../machine/console.ts';
import type { FromWorker, ToWorker } from './screen-messages.ts';

const startMs = 20_000;
const pingMs = 250;
const maxSilentPings = 8;

/** One screen's half on the server's thread. */
export interface ScreenClient {
  /** The worker has drawn that many bytes. */
  drawn(bytes: number): void;
  /** The worker is gone, and with it everything it held of this screen. */
  lost(): void;
}

interface Pending {
  resolve(text: ScreenText | StyledScreen): void;
  reject(error: Error): void;
}

/**
 * The thread in which screens are drawn: one for all of them, since each would cost 10 MB and 50 ms. It is started
 * when the first screen is wanted, watched while an answer is awaited, and replaced when it stops answering.
 */
export class ScreenHost {
  readonly #entry: URL;
  readonly #clients = new Map<number, ScreenClient>();
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #ready: Promise<void> | undefined;
  #watch: NodeJS.Timeout | undefined;
  #silentPings = 0;
  #lastNumber = 0;

  constructor(entry: URL = new URL(`./screen-worker${sourceExtension()}`, import.meta.url)) {
    this.#entry = entry;
  }

  join(client: ScreenClient): number {
    this.#lastNumber += 1;
    this.#clients.set(this.#lastNumber, client);
    return this.#lastNumber;
  }

  async leave(screen: number): Promise<void> {
    this.post({ type: 'close', screen });
    this.#clients.delete(screen);
    if (this.#clients.size > 0) return;
    const worker = this.#worker;
    this.#lose('all screens were closed');
    await worker?.terminate();
  }

  /** Resolves when the worker listens; rejects with the reason when it does not come up. */
  start(): Promise<void> {
    this.#ready ??= this.#launch();
    return this.#ready;
  }

  post(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }

  /** A number for a request; `answer` settles when the worker has answered it, or is lost. */
  request(): { readonly request: number; readonly answer: Promise<ScreenText | StyledScreen> } {
    this.#lastNumber += 1;
    const request = this.#lastNumber;
    const answer = new Promise<ScreenText | StyledScreen>((resolve, reject) => {
      if (!this.#worker) reject(new Error('the screen worker is not running'));
      else this.#pending.set(request, { resolve, reject });
    });
    this.#watch ??= setInterval(() => this.#ping(), pingMs).unref();
    return { request, answer };
  }

  #launch(): Promise<void> {
    const worker = startWorker(this.#entry);
    this.#worker = worker;
    this.#silentPings = 0;
    const mine = (action: () => void) => () => {
      if (this.#worker === worker) action();
    };
    return new Promise((resolve, reject) => {
      const fail = (reason: string) => {
        clearTimeout(deadline);
        reject(new Error(reason));
        mine(() => this.#lose(reason))();
      };
      const deadline = setTimeout(() => {
        void worker.terminate();
        fail(`the screen worker did not start within ${startMs / 1000} s`);
      }, startMs);
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'ready') {
          clearTimeout(deadline);
          resolve();
        }
        mine(() => this.#receive(message))();
      });
      worker.on('error', (error: Error) => fail(`the screen worker failed: ${error.message}`));
      worker.on('exit', () => fail('the screen worker ended'));
      // A screen that somebody may look at later is no reason to stay alive. A listener added later would be one.
      worker.unref();
    });
  }

  #receive(message: FromWorker): void {
    this.#silentPings = 0;
    if (message.type === 'drawn') this.#clients.get(message.screen)?.drawn(message.bytes);
    if (message.type !== 'answer') return;
    this.#pending.get(message.request)?.resolve(message.text);
    this.#pending.delete(message.request);
    if (this.#pending.size === 0) this.#endWatch();
  }

  /** Counts pings rather than time: a thread of ours that was held up itself must not blame the worker. */
  #ping(): void {
    if (this.#silentPings >= maxSilentPings) {
      const worker = this.#worker;
      this.#lose(`the screen worker did not answer for ${(pingMs * maxSilentPings) / 1000} s`);
      void worker?.terminate();
      return;
    }
    this.#silentPings += 1;
    this.post({ type: 'ping' });
  }

  #lose(reason: string): void {
    this.#worker = undefined;
    this.#ready = undefined;
    this.#endWatch();
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const client of this.#clients.values()) client.lost();
    for (const { reject } of pending) reject(new Error(reason));
  }

  #endWatch(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
  }
}

/** The worker's file has the extension of ours: `.js` once compiled, `.ts` when run from source. */
function sourceExtension(): string {
  return import.meta.url.endsWith('.ts') ? '.ts' : '.js';
}

function startWorker(entry: URL): Worker {
  // The worker's stdout would be the server's, which belongs to the protocol.
  const options: WorkerOptions = { execArgv: [], stdout: true, resourceLimits: { maxOldGenerationSizeMb: 256 } };
  if (!entry.pathname.endsWith('.ts')) return new Worker(entry, options);
  // Node 20 does not take loaders from a worker's execArgv, so source is imported through tsx's own function.
  const tsx = import.meta.resolve('tsx/esm/api');
  const code =
    'const { tsx, entry } = require("node:worker_threads").workerData;' +
    'import(tsx).then(({ tsImport }) => tsImport(entry, entry));';
  return new Worker(code, { ...options, eval: true, workerData: { tsx, entry: entry.href } });
}
