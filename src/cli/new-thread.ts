import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A thread that loads what machines need, and then waits to be told which server it is for: its first message is `ThreadData`. */
export function newThread(): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = new URL(isSource ? './machines-worker.ts' : './machines-worker.js', import.meta.url);
  // The worker's stdout would be the server's, which belongs to the protocol.
  const options: WorkerOptions = { execArgv: [], stdout: true };
  if (!isSource) return new Worker(entry, options);
  // Node 20 does not take loaders from a worker's execArgv, so source is imported through tsx's own function.
  const code =
    'const { tsx, entry } = require("node:worker_threads").workerData;' +
    'import(tsx).then(({ tsImport }) => tsImport(entry, entry));';
  const workerData = { tsx: import.meta.resolve('tsx/esm/api'), entry: entry.href };
  return new Worker(code, { ...options, eval: true, workerData });
}

/** A thread that loads while the server does. */
export class EarlyThread {
  #worker: Worker | undefined = newThread();

  constructor() {
    // A server that does not get as far as to need it ends all the same.
    this.#worker?.unref();
    const gone = () => {
      this.#worker = undefined;
    };
    this.#worker?.once('error', gone).once('exit', gone);
  }

  /** Once; undefined if it has ended. */
  take(): Worker | undefined {
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.ref();
    return worker;
  }
}
