import type { ConsolePort } from '../../machine/console.ts';
import { pause } from './pause.ts';

/** Waits for a sign of life of a port. A sign between `reset` and `wait` is not missed. */
export class SignOfLife {
  readonly #signal: AbortSignal | undefined;
  readonly #unsubscribe: () => void;
  #seen = false;
  #onSign: (() => void) | undefined;

  constructor(port: ConsolePort, signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.#unsubscribe = port.onActivity(() => {
      this.#seen = true;
      this.#onSign?.();
    });
  }

  reset(): void {
    this.#seen = false;
  }

  /** Until something happens, the signal aborts, or `ms` have passed. */
  async wait(ms: number): Promise<void> {
    if (this.#seen) return;
    const sign = new AbortController();
    this.#onSign = () => sign.abort();
    await pause(ms, this.#signal ? AbortSignal.any([this.#signal, sign.signal]) : sign.signal);
    this.#onSign = undefined;
  }

  /** Until the signal aborts or `ms` have passed. */
  rest(ms: number): Promise<void> {
    return pause(ms, this.#signal);
  }

  stop(): void {
    this.#unsubscribe();
  }
}
