import type { ToolHost } from '../../api/tool-host.ts';

/** About as long as a C64 takes to its prompt. */
export const bootFrames = 100;

/** A program that is to start when the machine has run for a while. While a monitor is open, it does not run. */
export class LateStart {
  readonly #host: ToolHost;
  readonly #handle: string;
  readonly #whenBooted: (start: () => Promise<unknown>) => void;
  #forget: (() => void) | undefined;
  #whenSettled: (() => void)[] = [];

  constructor(host: ToolHost, handle: string, whenBooted: (start: () => Promise<unknown>) => void) {
    this.#host = host;
    this.#handle = handle;
    this.#whenBooted = whenBooted;
  }

  /** Instead of one that still waits. */
  after(start: () => Promise<unknown>): void {
    this.cancel();
    let frames = 0;
    this.#forget = this.#host.moments(this.#handle, { types: ['frame'], everyFrames: 1 }, () => {
      if (++frames < bootFrames) return;
      this.cancel();
      this.#whenBooted(start);
    });
  }

  cancel(): void {
    this.#forget?.();
    this.#forget = undefined;
    for (const settle of this.#whenSettled.splice(0)) settle();
  }

  /** When none waits any more. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#forget) this.#whenSettled.push(resolve);
      else resolve();
    });
  }
}
