import type { AtaDisk } from '../../../chips/ata/ata-channel.ts';
import type { FloppyMedium } from '../../../chips/i8272/i8272.ts';
import { DosError } from '../drives/dos-error.ts';
import type { Disk } from '../drives/fat/disk.ts';

/** A disk image as controllers see it. */
export type BoardDisk = AtaDisk & FloppyMedium;

const known = new WeakMap<Disk, BoardDisk>();

/** The same sectors that BIOS and DOS use. */
export function boardDisk(disk: Disk): BoardDisk {
  const found = known.get(disk);
  if (found) return found;
  const { cylinders, heads, sectorsPerTrack, sectors, readOnly } = disk;
  const made: BoardDisk = {
    ...{ cylinders, heads, sectorsPerTrack, sectors, readOnly },
    read: (sector) => attempt(() => disk.read(sector)),
    write: (sector, bytes) => attempt(() => disk.write(sector, bytes) ?? true) ?? false,
  };
  known.set(disk, made);
  return made;
}

/** What DOS is told as an error shows in a status here. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof DosError) return undefined;
    throw error;
  }
}
