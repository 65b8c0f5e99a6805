import type { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import { DiskError, type DiskErrorCode } from '../../../formats/commodore/media/disk-error.ts';

/** What the controller's job codes mean to the DOS. */
const jobErrors: Readonly<Record<number, DiskErrorCode>> = {
  2: 20,
  3: 21,
  4: 22,
  5: 23,
  6: 24,
  7: 25,
  8: 26,
  9: 27,
  10: 28,
  11: 29,
  15: 74,
};

/** A block as the controller reads it: with the error that the image notes for it. */
export function readBlock(disk: CommodoreDisk, track: number, sector: number): Uint8Array {
  const bytes = disk.image.sector(track, sector);
  const code = jobErrors[disk.image.errorOf(track, sector)];
  if (code !== undefined) throw new DiskError(code, track, sector);
  return bytes;
}

export interface BlockPlace {
  readonly track: number;
  readonly sector: number;
}

/** The blocks of a file in order; a file that bites its tail ends in an error. */
export function blocksOf(disk: CommodoreDisk, start: BlockPlace): BlockPlace[] {
  const places: BlockPlace[] = [];
  const seen = new Set<number>();
  for (let { track, sector } = start; track !== 0; ) {
    if (seen.has(track * 256 + sector)) throw new DiskError(71, track, sector);
    seen.add(track * 256 + sector);
    places.push({ track, sector });
    const [nextTrack = 0, nextSector = 0] = disk.image.sector(track, sector);
    [track, sector] = [nextTrack, nextSector];
  }
  return places;
}
