import { DosError } from '../../drives/dos-error.ts';
import type { Drive } from '../../drives/drive.ts';
import { drivesMax } from './layout.ts';

/** What is behind each drive letter. */
export class DriveTable {
  readonly #drives: (Drive | undefined)[] = new Array(drivesMax).fill(undefined);

  /** The drive asked for last: the one a failure is about. */
  lastUsed = 0;

  get(drive: number): Drive {
    const found = this.#drives[drive];
    this.lastUsed = drive;
    // A: and B: are there even when nothing is in them.
    if (found === undefined) throw new DosError(drive < 2 ? 'notReady' : 'invalidDrive');
    return found;
  }

  find(drive: number): Drive | undefined {
    return this.#drives[drive];
  }

  set(drive: number, value: Drive | undefined): void {
    this.#drives[drive] = value;
  }

  save(): unknown[] {
    return this.#drives.map((drive) => drive?.save());
  }

  /** The same drives must be in place as when it was saved. */
  restore(saved: readonly unknown[]): void {
    this.#drives.forEach((drive, index) => {
      drive?.restore(saved[index]);
    });
  }
}
