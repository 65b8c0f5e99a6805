import { latin, long, MediaError, word } from './byte-fields.ts';
import { decodeTrack, encodeTrack, speedZone, trackBytes } from './gcr.ts';
import type { SectorImage } from './sector-image.ts';

export interface G64Track {
  /** In half tracks from 2 (track 1) on. */
  readonly halfTrack: number;
  readonly bytes: Uint8Array;
  /** One zone for the whole track, or one for each four bytes packed in two bits. */
  readonly zone: number | Uint8Array;
}

export interface G64 {
  readonly version: number;
  readonly maximumTrackBytes: number;
  readonly tracks: readonly G64Track[];
}

const signature = 'GCR-1541';
const headerLength = 12;
const mostTracks = 84;
/** What passes the head of a drive in one turn, and a third more. */
const mostTrackBytes = 10_240;

export const isG64 = (file: Uint8Array): boolean => latin(file, 0, 8) === signature;

export function readG64(file: Uint8Array): G64 {
  if (!isG64(file)) throw new MediaError('no G64 image: its signature is missing');
  const count = file[9] ?? 0;
  const tracks: G64Track[] = [];
  for (let index = 0; index < count; index++) {
    const offset = long(file, headerLength + index * 4);
    if (offset === 0) continue;
    const length = word(file, offset);
    if (length > mostTrackBytes || tracks.length === mostTracks) {
      throw new MediaError(`a G64 image has at most ${mostTracks} half tracks of ${mostTrackBytes} bytes`);
    }
    const bytes = file.subarray(offset + 2, offset + 2 + length);
    if (bytes.length < length) throw new MediaError(`half track ${index + 2} of the G64 image is cut short`);
    const speed = long(file, headerLength + (count + index) * 4);
    const zone = speed <= 3 ? speed : file.subarray(speed, speed + Math.ceil(length / 4));
    tracks.push({ halfTrack: index + 2, bytes, zone });
  }
  return { version: file[8] ?? 0, maximumTrackBytes: word(file, 10), tracks };
}

/** A G64 image of a D64 disk. */
export function writeG64(image: SectorImage): Uint8Array {
  const tracks = Array.from({ length: image.geometry.tracks }, (_, index) => ({
    halfTrack: (index + 1) * 2,
    bytes: encodeTrack(image, index + 1),
    zone: speedZone(index + 1),
  }));
  return writeG64Tracks(tracks);
}

/** A G64 image of these half tracks, each of one zone. */
export function writeG64Tracks(
  tracks: readonly { readonly halfTrack: number; readonly bytes: Uint8Array; readonly zone: number }[],
): Uint8Array {
  const maximum = Math.max(Math.max(...trackBytes) + 236, ...tracks.map(({ bytes }) => bytes.length));
  const tables = headerLength + mostTracks * 8;
  const file = new Uint8Array(tables + tracks.length * (2 + maximum));
  const view = new DataView(file.buffer);
  file.set([...signature].map((character) => character.charCodeAt(0)));
  file[9] = mostTracks;
  view.setUint16(10, maximum, true);
  for (const [index, { halfTrack, bytes, zone }] of tracks.entries()) {
    const offset = tables + index * (2 + maximum);
    view.setUint32(headerLength + (halfTrack - 2) * 4, offset, true);
    view.setUint32(headerLength + (mostTracks + halfTrack - 2) * 4, zone, true);
    view.setUint16(offset, bytes.length, true);
    file.set(bytes, offset + 2);
  }
  return file;
}

/** Copies all readable sectors of a G64 image onto a disk and says which could not be read. */
export function sectorsOfG64({ tracks }: G64, image: SectorImage): readonly { track: number; sector: number }[] {
  const missing: { track: number; sector: number }[] = [];
  for (let track = 1; track <= image.geometry.tracks; track++) {
    const bytes = tracks.find(({ halfTrack }) => halfTrack === track * 2)?.bytes;
    const found = new Map(
      (bytes ? decodeTrack(bytes) : []).filter(({ dataOk }) => dataOk).map((entry) => [entry.sector, entry.data]),
    );
    for (let sector = 0; sector < image.geometry.sectorsIn(track); sector++) {
      const data = found.get(sector);
      if (data) image.sector(track, sector).set(data);
      else missing.push({ track, sector });
    }
  }
  return missing;
}
