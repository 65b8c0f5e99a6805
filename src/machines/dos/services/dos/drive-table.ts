import { DosError } from '../../drives/dos-error.ts';
import type { Drive } from '../../drives/drive.ts';
import { FatDrive } from '../../drives/fat/fat-drive.ts';
import type { VolumeLayout } from '../../drives/fat/volume-layout.ts';
import type { SavedDrive, SavedGuestDisk } from '../../drives/saved-drive.ts';
import { GuestDrive } from './guest-drive.ts';
import { drivesMax } from './layout.ts';

export type SavedLetter =
  | {
      readonly kind: Drive['kind'];
      readonly state: SavedDrive;
      /** Of a volume on a disk. */
      readonly layout?: VolumeLayout;
    }
  | undefined;

const firstHardDisk = 2;

/** What is behind each drive letter. */
export class DriveTable {
  readonly #drives: (Drive | undefined)[] = new Array(drivesMax).fill(undefined);
  #guests: GuestDrive[] = [];

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
    this.#guests = this.#drives.filter((found) => found instanceof GuestDrive);
  }

  /** Whether this drive's driver is one of the guest. */
  guest(drive: number): GuestDrive | undefined {
    return this.#guests.find(({ disk }) => disk.unit.drive === drive);
  }

  /** For the next unit of a driver: after all others, though the last letter may be taken. */
  nextFree(): number {
    const last = this.#drives.findLastIndex((found, drive) => found !== undefined && drive < drivesMax - 1);
    return Math.max(last + 1, firstHardDisk);
  }

  /** What was written to drives has taken in memory so far, given back or not. */
  get copiedBytes(): number {
    return this.#drives.reduce((sum, drive) => sum + (drive?.copiedBytes ?? 0), 0);
  }

  /** Files that were written to memory alone, by the number of their drive. */
  get unsaved(): readonly (readonly [drive: number, files: readonly string[]])[] {
    return this.#drives.flatMap((drive, number) => {
      const files = drive?.unsaved ?? [];
      return files.length > 0 ? [[number, files] as const] : [];
    });
  }

  /** A call is over. */
  settle(buffers: () => number): void {
    for (const { disk } of this.#guests) disk.settle(buffers());
  }

  /** Drivers of the guest are gone when the machine starts anew. */
  dropGuests(): void {
    for (const { disk } of this.#guests) this.set(disk.unit.drive, undefined);
  }

  save(): SavedLetter[] {
    return this.#drives.map((drive) => {
      if (!drive) return undefined;
      const { kind } = drive;
      return { kind, state: drive.save(), ...(drive instanceof FatDrive && { layout: drive.layout }) };
    });
  }

  /** Drives that were put in or changed for another kind since it was saved stay as they are. */
  restore(saved: readonly SavedLetter[], reopen: (state: SavedGuestDisk) => GuestDrive): void {
    this.dropGuests();
    saved.forEach((entry, index) => {
      if (entry?.state.type === 'driver') this.set(index, reopen(entry.state));
    });
    this.#drives.forEach((drive, index) => {
      const entry = saved[index];
      if (drive !== undefined && entry?.kind === drive.kind) drive.restore(entry.state);
    });
  }
}
