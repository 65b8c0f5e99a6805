import { setImmediate } from 'node:timers/promises';

const mostMs = 20;

/** In long work: lets others have their turn now and then, and ends it when nobody wants it any more. */
export class Breaths {
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Rejects once the signal says so. */
  async take(): Promise<void> {
    if (performance.now() - this.#since > mostMs) {
      await setImmediate();
      this.#since = performance.now();
    }
    this.#signal?.throwIfAborted();
  }
}
