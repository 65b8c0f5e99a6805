import { sectors1541 } from '../../../formats/commodore/media/disk-geometry.ts';
import { type G64, isG64, readG64 } from '../../../formats/commodore/media/g64.ts';
import { decodeTrack, encodeTrack, speedZone, trackBytes } from '../../../formats/commodore/media/gcr.ts';
import { SectorImage } from '../../../formats/commodore/media/sector-image.ts';
import type { Surface } from './surface-slot.ts';

/** A disk as the head sees it: for each half track its length in bytes (two bytes), then its bits. */
const slotBytes = 0x2000;
/** The half tracks of the second side follow those of the first. */
export const halfTracks = 84;
const tracksPerSide = 35;
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

/** From a D64 of 35 to 42 tracks, a D71 or a G64. Throws a RangeError or MediaError for anything else. */
function gcrImageOf(file: Uint8Array): Uint8Array {
  if (isG64(file)) {
    const image = new Uint8Array(halfTracks * slotBytes);
    for (const { halfTrack, bytes } of readG64(file).tracks) put(image, halfTrack - 2, bytes);
    return image;
  }
  const disk = new SectorImage(file.slice());
  if (disk.geometry.kind === 'd81') throw new RangeError('a D81 is not a disk for this drive');
  const image = new Uint8Array(halfTracks * slotBytes * (disk.geometry.kind === 'd71' ? 2 : 1));
  for (let track = 1; track <= disk.geometry.tracks; track++)
    put(image, halfTrackOf(disk, track), encodeTrack(disk, track));
  return image;
}

/** A D71 counts on where its first side ends. */
function halfTrackOf({ geometry }: SectorImage, track: number): number {
  const isSecond = geometry.kind === 'd71' && track > tracksPerSide;
  return isSecond ? halfTracks + (track - tracksPerSide - 1) * 2 : (track - 1) * 2;
}

function put(image: Uint8Array, halfTrack: number, bytes: Uint8Array): void {
  if (halfTrack * slotBytes >= image.length) return;
  const length = Math.min(bytes.length, mostTrackBytes);
  image.set([length & 255, length >> 8], halfTrack * slotBytes);
  image.set(bytes.subarray(0, length), halfTrack * slotBytes + 2);
}

function fileOf(image: Uint8Array, source: Uint8Array, changed: (halfTrack: number) => boolean): Uint8Array {
  const file = source.slice();
  if (isG64(file)) {
    patchG64(file, readG64(file), image, changed);
    return file;
  }
  const disk = new SectorImage(file);
  for (let track = 1; track <= disk.geometry.tracks; track++) {
    const halfTrack = halfTrackOf(disk, track);
    if (!changed(halfTrack)) continue;
    for (const { sector, data, dataOk } of decodeTrack(trackOf(image, halfTrack))) {
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
  return trackBytes[speedZone(((halfTrack % halfTracks) >> 1) + 1)] ?? 0;
}

/** The part of a turn that the 1541 takes to step to the next track when it formats. */
const stepTurn = 1 / 2.7;
const sectorBytes = 354;

/**
 * Formatting begins a track where the one before it ended and the head has been moved. An image without that (each track begins with a
 * sector, at its SYNC) gets it; one whose tracks begin anywhere was read with the angles that they have.
 */
function anglesOf(file: Uint8Array): Float64Array | undefined {
  if (isG64(file) && !readG64(file).tracks.every(({ bytes }) => bytes[0] === 0xff)) return undefined;
  const angles = new Float64Array(halfTracks * 2);
  let angle = 0;
  for (let halfTrack = 0; halfTrack < halfTracks; halfTrack += 2) {
    const bytes = freshTrackBytes(halfTrack);
    const count = sectors1541(halfTrack / 2 + 1);
    angle = (angle + (Math.floor(bytes / count) * (count - 1) + sectorBytes) / bytes + stepTurn) % 1;
    angles[halfTrack] = angle;
    angles[halfTracks + halfTrack] = angle;
  }
  return angles;
}

export const gcrSurface: Surface = {
  anglesOf,
  imageOf: gcrImageOf,
  fileOf,
  trackOfPage: (page) => Math.floor((page * 256) / slotBytes),
};
