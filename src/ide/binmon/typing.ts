import type { ToolHost } from '../../api/tool-host.ts';
import { failure } from '../../links/vice/wire.ts';
import type { DebuggedMachine } from '../debugged-machine.ts';
import { bootFrames } from './late-start.ts';
import { Refusal } from './wire.ts';

const mostWaiting = 4096;

/** Text on its way into the machine's keyboard buffer: whenever that is empty, as much as fits. */
export class Typing {
  readonly #host: ToolHost;
  readonly #machine: DebuggedMachine;
  #waiting: number[] = [];
  #framesToBoot = 0;
  #end: (() => void) | undefined;
  #isFeeding = false;
  #whenSettled: (() => void)[] = [];

  constructor(host: ToolHost, machine: DebuggedMachine) {
    this.#host = host;
    this.#machine = machine;
  }

  async add(codes: Uint8Array): Promise<void> {
    if (this.#waiting.length + codes.length > mostWaiting) throw new Refusal(failure.failed);
    this.#waiting.push(...codes);
    await this.#feed();
    if (this.#waiting.length > 0) this.#watch();
  }

  /** A system that starts empties its buffer: text waits until it has. */
  waitForBoot(): void {
    this.#framesToBoot = bootFrames;
    this.#watch();
  }

  /** When nothing waits any more. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.length > 0) this.#whenSettled.push(resolve);
      else resolve();
    });
  }

  end(): void {
    this.#waiting = [];
    this.#end?.();
    this.#end = undefined;
    for (const settle of this.#whenSettled.splice(0)) settle();
  }

  #watch(): void {
    this.#end ??= this.#host.moments(this.#machine.handle, { types: ['frame'], everyFrames: 1 }, () => {
      if (this.#framesToBoot > 0) this.#framesToBoot--;
      this.#feed().catch(() => this.end());
    });
  }

  async #feed(): Promise<void> {
    if (this.#isFeeding || this.#framesToBoot > 0) return;
    if (this.#waiting.length === 0) return this.end();
    this.#isFeeding = true;
    try {
      const { taken } = await this.#machine.call('keys_feed', { codes: this.#waiting.slice(0, 10) });
      this.#waiting.splice(0, Number(taken));
    } finally {
      this.#isFeeding = false;
    }
    if (this.#waiting.length === 0) this.end();
  }
}
