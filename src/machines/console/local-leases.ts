import { takeLock } from '../../console/shared-lock.ts';
import { MachineError } from '../../machine/errors.ts';
import type { LineLease, LineLeases } from '../../machine/host.ts';

/** Boards and lines that one server of this user has at a time, where there is no fleet. */
export class LocalLeases implements LineLeases {
  readonly isFleet = false;
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async take(what: string): Promise<LineLease> {
    const lock = await takeLock(this.#directory, 'line', what);
    if (!lock) {
      const message = `Another console on this computer is using the ${what}.`;
      throw new MachineError('BUSY', message, 'Use that one, or stop it.');
    }
    let isHeld = true;
    return {
      get isHeld() {
        return isHeld;
      },
      async release() {
        isHeld = false;
        lock.close();
      },
    };
  }
}
