import { type G64, isG64, readG64, writeG64Tracks } from '../../../../formats/commodore/media/g64.ts';
import { encodeTrack, speedZone } from '../../../../formats/commodore/media/gcr.ts';
import { SectorImage } from '../../../../formats/commodore/media/sector-image.ts';

const tracks1541 = 42;
/** What is between two tracks: ones and zeros, which never is a SYNC. */
const between = 0x55;

interface Track {
  readonly halfTrack: number;
  readonly bytes: Uint8Array;
  readonly zone: number;
}

/**
 * The disk as a G64 image on which two emulators cannot disagree: with something on each half track, so that the head has the same way on both, and with tracks that
 * begin anywhere, since each has its own idea of where they would if none did. Throws a RangeError or MediaError for no disk of a 1541.
 */
export function twinDisk(file: Uint8Array): Uint8Array {
  const tracks = isG64(file) ? tracksOfG64(readG64(file)) : tracksOfSectors(new SectorImage(file.slice()));
  const all: Track[] = [];
  for (let halfTrack = 2; halfTrack < (tracks1541 + 1) * 2; halfTrack++) {
    const found = tracks.get(halfTrack);
    const zone = speedZone(halfTrack >> 1);
    const bytes = found ? turned(found) : new Uint8Array(tracks.get(halfTrack & ~1)?.length ?? 6250).fill(between);
    all.push({ halfTrack, bytes, zone });
  }
  return writeG64Tracks(all);
}

function tracksOfG64({ tracks }: G64): ReadonlyMap<number, Uint8Array> {
  return new Map(tracks.map(({ halfTrack, bytes }) => [halfTrack, bytes]));
}

function tracksOfSectors(disk: SectorImage): ReadonlyMap<number, Uint8Array> {
  if (disk.geometry.kind !== 'd64') throw new RangeError('only disks of a 1541 are compared');
  return new Map(
    Array.from({ length: disk.geometry.tracks }, (_, index) => [(index + 1) * 2, encodeTrack(disk, index + 1)]),
  );
}

/** The same bits, from the middle on. */
function turned(bytes: Uint8Array): Uint8Array {
  const half = bytes.length >> 1;
  const result = new Uint8Array(bytes.length);
  result.set(bytes.subarray(half));
  result.set(bytes.subarray(0, half), bytes.length - half);
  return result;
}
