import { setTimeout } from 'node:timers/promises';
import { MachineError } from '../../../machine/errors.ts';
import type { InputOptions } from './input-options.ts';

const lookAgainMs = 5;
const patienceMs = 5000;
/** Port 64h, bit 0: the controller has a byte for the guest. Reading it changes nothing. */
const statusPort = 'i /xb 0x64';
const outputFull = 1;

/**
 * Sixteen bytes between a PC's keyboard or mouse and its driver. A guest that is not given the time to read them loses
 * keys without a word, so whoever types waits until they have been taken.
 */
export class Ps2Queue {
  /** So many keys always fit, pressed and released. */
  static readonly keysAtOnce = 3;
  /** Of a mouse, each with four bytes. */
  static readonly packetsAtOnce = 3;
  readonly #options: InputOptions;

  constructor(options: InputOptions) {
    this.#options = options;
  }

  /** `taken` says in an error what has arrived so far. */
  async emptied(what: 'keyboard' | 'mouse', taken: () => string, signal?: AbortSignal): Promise<void> {
    const end = performance.now() + patienceMs;
    while (await this.#isFull()) {
      if (!this.#options.isRunning()) {
        throw new MachineError('WRONG_STATE', `The machine stopped meanwhile: ${taken()}`, 'Call run and go on there.');
      }
      if (performance.now() >= end) {
        throw new MachineError(
          'WRONG_STATE',
          `The guest does not read its ${what}: ${taken()}`,
          'Wait until it has booted a driver for it (run with screen_text), or use its console: console_send.',
        );
      }
      await setTimeout(lookAgainMs, undefined, { signal });
    }
  }

  async #isFull(): Promise<boolean> {
    const status = /= (0x[0-9a-f]+)/i.exec(await this.#options.session.hmp(statusPort))?.[1];
    return status !== undefined && (Number(status) & outputFull) !== 0;
  }
}
