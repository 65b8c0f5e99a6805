import { type G64, isG64, readG64 } from '../../../formats/commodore/media/g64.ts';
import { decodeTrack, encodeTrack, speedZone, trackBytes } from '../../../formats/commodore/media/gcr.ts';
import { SectorImage } from '../../../formats/commodore/media/sector-image.ts';

/** A disk as the head sees it: for each half track its length in bytes (two bytes), then its bits. */
const slotBytes = 0x2000;
const halfTracks = 84;
export const gcrImageBytes = halfTracks * slotBytes;
const mostTrackBytes = slotBytes - 2;

/** The bits of a half track (0 is track 1); empty where the disk has none. */
export function trackOf(image: Uint8Array, halfTrack: number): Uint8Array {
  const start = halfTrack * slotBytes;
  const length = (image[start] ?? 0) | ((image[start + 1] ?? 0) << 8);
  return image.subarray(start + 2, start + 2 + length);
}

/** Where a half track's bits begin in the image. */
export function trackStart(halfTrack: number): number {
  return halfTrack * slotBytes + 2;
}

/** From a D64 of 35 to 42 tracks or a G64. Throws a RangeError or MediaError for anything else. */
export function gcrImageOf(file: Uint8Array): Uint8Array {
  const image = new Uint8Array(gcrImageBytes);
  if (isG64(file)) {
    for (const { halfTrack, bytes } of readG64(file).tracks) put(image, halfTrack - 2, bytes);
    return image;
  }
  const disk = new SectorImage(file.slice());
  if (disk.geometry.kind !== 'd64') throw new RangeError('a 1541 reads D64 and G64');
  for (let track = 1; track <= disk.geometry.tracks; track++) put(image, (track - 1) * 2, encodeTrack(disk, track));
  return image;
}

function put(image: Uint8Array, halfTrack: number, bytes: Uint8Array): void {
  if (halfTrack >= halfTracks) return;
  const length = Math.min(bytes.length, mostTrackBytes);
  image.set([length & 255, length >> 8], halfTrack * slotBytes);
  image.set(bytes.subarray(0, length), halfTrack * slotBytes + 2);
}

/** The file it came from with what has changed since: `changed` says which half tracks have. Sectors that cannot be read stay. */
export function fileOf(image: Uint8Array, source: Uint8Array, changed: (halfTrack: number) => boolean): Uint8Array {
  const file = source.slice();
  if (isG64(file)) {
    patchG64(file, readG64(file), image, changed);
    return file;
  }
  const disk = new SectorImage(file);
  for (let track = 1; track <= disk.geometry.tracks; track++) {
    if (!changed((track - 1) * 2)) continue;
    for (const { sector, data, dataOk } of decodeTrack(trackOf(image, (track - 1) * 2))) {
      if (data && dataOk && disk.has(track, sector)) disk.sector(track, sector).set(data);
    }
  }
  return file;
}

/** The tracks that the file has are written over in place; those that it has not stay away. */
function patchG64(file: Uint8Array, { tracks }: G64, image: Uint8Array, changed: (halfTrack: number) => boolean): void {
  for (const { halfTrack, bytes } of tracks) {
    const index = halfTrack - 2;
    if (index < halfTracks && changed(index)) {
      file.set(trackOf(image, index).subarray(0, bytes.length), bytes.byteOffset - file.byteOffset);
    }
  }
}

/** The length of a track that nobody has written to yet. */
export function freshTrackBytes(halfTrack: number): number {
  return trackBytes[speedZone((halfTrack >> 1) + 1)] ?? 0;
}

/** The half track that a page of the image belongs to. */
export function halfTrackOfPage(page: number): number {
  return Math.floor((page * 256) / slotBytes);
}
