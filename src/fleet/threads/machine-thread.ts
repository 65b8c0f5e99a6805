import type { Worker } from 'node:worker_threads';
import { MachineError } from '../../machine/errors.ts';
import { subjects } from '../wire/subjects.ts';
import type { PortWire } from './port-wire.ts';

/** How long a thread may take to clear its machines away. */
const closeMs = 5000;

/** A thread with machines, as the one that serves sees it. */
export class MachineThread {
  readonly host: string;
  /** It has said that it is there; rejects if it ends before. */
  readonly ready: Promise<void>;
  /** Machines that are being started there. */
  pending = 0;
  readonly #worker: Worker;
  readonly #exited: Promise<void>;

  constructor(host: string, worker: Worker, wire: PortWire, ended: (why: string) => void) {
    this.host = host;
    this.#worker = worker;
    let why = 'it was ended';
    worker.on('error', (error: unknown) => {
      why = error instanceof Error ? error.message : String(error);
    });
    const disconnect = wire.connect(worker);
    this.#exited = new Promise((resolve) => {
      worker.once('exit', () => {
        disconnect();
        ended(why);
        resolve();
      });
    });
    this.ready = new Promise((resolve, reject) => {
      const stop = wire.subscribe(subjects.beat(host), () => {
        stop();
        resolve();
      });
      worker.once('exit', () => reject(notStarted(why)));
    });
    // Who waits for it is told; with nobody waiting it is in the log.
    this.ready.catch(() => {});
  }

  /** It was told to end. */
  async ending(): Promise<void> {
    const timer = setTimeout(() => void this.#worker.terminate(), closeMs);
    await this.#exited;
    clearTimeout(timer);
  }
}

function notStarted(why: string): MachineError {
  const isOutOfDescriptors = /\bE[MN]FILE\b/.test(why);
  return new MachineError(
    'UNAVAILABLE',
    `No thread could be started for the machine: ${why}.`,
    isOutOfDescriptors
      ? 'Stop machines that are not needed; the user can start the server with a higher limit (ulimit -n).'
      : 'Try again; the user can start the server with --threads 0.',
  );
}
