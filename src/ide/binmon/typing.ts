import type { ToolHost } from '../../api/tool-host.ts';
import { failure } from '../../links/vice/wire.ts';
import type { DebuggedMachine } from '../debugged-machine.ts';
import { Refusal } from './wire.ts';

const mostWaiting = 4096;

/** Text on its way into the machine's keyboard buffer: whenever that is empty, as much as fits. */
export class Typing {
  readonly #host: ToolHost;
  readonly #machine: DebuggedMachine;
  #waiting: number[] = [];
  #end: (() => void) | undefined;
  #isFeeding = false;

  constructor(host: ToolHost, machine: DebuggedMachine) {
    this.#host = host;
    this.#machine = machine;
  }

  async add(codes: Uint8Array): Promise<void> {
    if (this.#waiting.length + codes.length > mostWaiting) throw new Refusal(failure.failed);
    this.#waiting.push(...codes);
    await this.#feed();
    if (this.#waiting.length === 0) return;
    this.#end ??= this.#host.moments(this.#machine.handle, { types: ['frame'], everyFrames: 1 }, () => {
      this.#feed().catch(() => this.end());
    });
  }

  end(): void {
    this.#waiting = [];
    this.#end?.();
    this.#end = undefined;
  }

  async #feed(): Promise<void> {
    if (this.#isFeeding || this.#waiting.length === 0) return;
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
