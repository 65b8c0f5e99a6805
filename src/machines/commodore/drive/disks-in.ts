import type { DiskShelf } from './disk-shelf.ts';
import { driveUnits, driveFields as f, wordsOfDrive } from './drive-state.ts';

/** The disks that were in the drives when this copy of their words was made, as far as the shelf knows them. */
export function disksIn(words: Int32Array, shelf: DiskShelf): readonly Uint8Array[] {
  return driveUnits.flatMap((unit) => {
    const own = wordsOfDrive(words, unit);
    if (own[f.hasDisk] === 0) return [];
    const contents = shelf.find(own[f.diskLow], own[f.diskHigh]);
    const source = own[f.real] === 0 ? undefined : shelf.find(own[f.sourceLow], own[f.sourceHigh]);
    return [contents, source].flatMap((revision) => (revision ? [shelf.bytesOf(revision)] : []));
  });
}
