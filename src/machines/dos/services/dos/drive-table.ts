import { DosError } from '../../drives/dos-error.ts';
import type { Drive } from '../../drives/drive.ts';
import { drivesMax } from './layout.ts';

type SavedDrive = { readonly kind: string; readonly state: unknown } | undefined;

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

  save(): SavedDrive[] {
    return this.#drives.map((drive) => drive && { kind: drive.kind, state: drive.save() });
  }

  /** Drives that were put in or changed for another kind since it was saved stay as they are. */
  restore(saved: readonly SavedDrive[]): void {
    this.#drives.forEach((drive, index) => {
      const entry = saved[index];
      if (drive !== undefined && entry?.kind === drive.kind) drive.restore(entry.state);
    });
  }
}
