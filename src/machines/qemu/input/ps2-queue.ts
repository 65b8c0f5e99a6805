import { setTimeout } from 'node:timers/promises';
import { MachineError } from '../../../machine/errors.ts';
import type { QemuSession } from '../qemu-session.ts';

const lookAgainMs = 5;
const patienceMs = 5000;
/** Port 64h, bit 0: the controller has a byte for the guest. Reading it changes nothing. */
const statusPort = 'i /xb 0x64';
const outputFull = 1;

/**
 * Sixteen bytes between a PC's keyboard and its driver. A guest that is not given the time to read them loses keys
 * without a word, so whoever types waits until they have been taken.
 */
export class Ps2Queue {
  /** So many keys always fit, pressed and released. */
  static readonly keysAtOnce = 3;
  readonly #session: QemuSession;

  /** Undefined where keys go to another keyboard than that of a PC. */
  static of(session: QemuSession, deviceTree: string): Ps2Queue | undefined {
    const isHere = /dev: i8042/.test(deviceTree) && !/dev: (?:usb-kbd|virtio-keyboard)/.test(deviceTree);
    return isHere ? new Ps2Queue(session) : undefined;
  }

  private constructor(session: QemuSession) {
    this.#session = session;
  }

  /** `taken` says in an error what has arrived so far. */
  async emptied(signal: AbortSignal, taken: () => string): Promise<void> {
    const end = performance.now() + patienceMs;
    while (await this.#isFull()) {
      if (performance.now() >= end) {
        throw new MachineError(
          'WRONG_STATE',
          `The guest does not read its keyboard: ${taken()}`,
          'Wait until it has booted a driver for it (run with screen_text), or use its console: console_send.',
        );
      }
      await setTimeout(lookAgainMs, undefined, { signal });
    }
  }

  async #isFull(): Promise<boolean> {
    const status = /= (0x[0-9a-f]+)/i.exec(await this.#session.hmp(statusPort))?.[1];
    return status !== undefined && (Number(status) & outputFull) !== 0;
  }
}
