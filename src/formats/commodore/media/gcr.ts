import { DiskError } from './disk-error.ts';
import type { SectorImage } from './sector-image.ts';

/** Five bits on the disk for each nibble: never more than two zeros in a row, never ten ones. */
const encoding = [
  0x0a, 0x0b, 0x12, 0x13, 0x0e, 0x0f, 0x16, 0x17, 0x09, 0x19, 0x1a, 0x1b, 0x0d, 0x1d, 0x1e, 0x15,
] as const;
const decoding = new Int8Array(32).fill(-1);
for (const [nibble, code] of encoding.entries()) decoding[code] = nibble;

const syncBytes = 5;
const headerGap = 9;

/** Bytes that pass under the head in one turn at 300 rpm, by speed zone (0 inside, 3 outside). */
export const trackBytes: readonly number[] = [6250, 6666, 7142, 7692];

/** The zone of a track on a 1541. */
export function speedZone(track: number): number {
  if (track <= 17) return 3;
  if (track <= 24) return 2;
  return track <= 30 ? 1 : 0;
}

/** Encodes bytes, four of them to five. */
export function encodeGcr(bytes: ArrayLike<number>): Uint8Array {
  const out = new Uint8Array(Math.ceil((bytes.length * 5) / 4));
  let bits = 0;
  let count = 0;
  let at = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    bits = ((bits << 10) | ((encoding[byte >> 4] ?? 0) << 5) | (encoding[byte & 15] ?? 0)) & 0x3ffff;
    count += 10;
    while (count >= 8) {
      count -= 8;
      out[at++] = (bits >> count) & 255;
    }
  }
  if (count > 0) out[at] = (bits << (8 - count)) & 255;
  return out;
}

/** Decodes bytes from a bit position of a track that closes upon itself; undefined where a code is illegal. */
export function decodeGcr(track: Uint8Array, bit: number, length: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  const total = track.length * 8;
  const five = (at: number): number => {
    let code = 0;
    for (let index = 0; index < 5; index++) {
      const position = (at + index) % total;
      code = (code << 1) | (((track[position >> 3] ?? 0) >> (7 - (position & 7))) & 1);
    }
    return decoding[code] ?? -1;
  };
  for (let index = 0; index < length; index++) {
    const [high, low] = [five(bit + index * 10), five(bit + index * 10 + 5)];
    if (high < 0 || low < 0) return undefined;
    bytes[index] = (high << 4) | low;
  }
  return bytes;
}

const checksum = (bytes: ArrayLike<number>): number => Array.from(bytes).reduce((sum, byte) => sum ^ byte, 0);

/** A sector as it lies on the track, from its sync mark to the end of its data block. */
export function encodeSector(
  track: number,
  sector: number,
  data: Uint8Array,
  id: readonly [number, number],
): Uint8Array {
  const [id1, id2] = id;
  const header = encodeGcr([0x08, sector ^ track ^ id2 ^ id1, sector, track, id2, id1, 0x0f, 0x0f]);
  const block = encodeGcr([0x07, ...data, checksum(data), 0, 0]);
  const sync = new Array<number>(syncBytes).fill(0xff);
  return Uint8Array.from([...sync, ...header, ...new Array<number>(headerGap).fill(0x55), ...sync, ...block]);
}

/** A whole track of a disk, filled up with gap bytes to its length. */
export function encodeTrack(image: SectorImage, track: number): Uint8Array {
  const header = image.sector(18, 0);
  const id: [number, number] = [header[0xa2] ?? 0, header[0xa3] ?? 0];
  const count = image.geometry.sectorsIn(track);
  // The second side of a D71 counts on after track 35.
  const place = image.geometry.kind === 'd71' && track > 35 ? track - 35 : track;
  const length = trackBytes[speedZone(place)] ?? 0;
  const out = new Uint8Array(length).fill(0x55);
  const pitch = Math.floor(length / count);
  for (let sector = 0; sector < count; sector++)
    out.set(encodeSector(track, sector, image.sector(track, sector), id), sector * pitch);
  return out;
}

export interface DecodedSector {
  readonly track: number;
  readonly sector: number;
  readonly id: readonly [number, number];
  /** Undefined when there is no data block or it cannot be decoded. */
  readonly data: Uint8Array | undefined;
  readonly headerOk: boolean;
  readonly dataOk: boolean;
}

/** Every sector whose header is found on a track. */
export function decodeTrack(track: Uint8Array): DecodedSector[] {
  const syncs = syncEnds(track);
  return syncs.flatMap((at, index): DecodedSector[] => {
    const header = decodeGcr(track, at, 8);
    if (header?.[0] !== 0x08) return [];
    const [, sum = 0, sector = 0, number = 0, id2 = 0, id1 = 0] = header;
    const next = syncs[(index + 1) % syncs.length] ?? 0;
    const block = decodeGcr(track, next, 258);
    const data = block?.[0] === 0x07 ? block.slice(1, 257) : undefined;
    const headerOk = (sum ^ sector ^ number ^ id2 ^ id1) === 0;
    return [
      {
        track: number,
        sector,
        id: [id1, id2],
        data,
        headerOk,
        dataOk: data !== undefined && checksum(data) === block?.[257],
      },
    ];
  });
}

/** The sector of a track by number; fails as the drive would. */
export function sectorOnTrack(track: Uint8Array, number: number, sector: number): Uint8Array {
  const found = decodeTrack(track).find((candidate) => candidate.sector === sector && candidate.headerOk);
  if (!found?.data || !found.dataOk) throw new DiskError(20, number, sector);
  return found.data;
}

/** Bit positions right after a run of ten or more ones. */
function syncEnds(track: Uint8Array): number[] {
  const total = track.length * 8;
  const bit = (at: number) => ((track[(at % total) >> 3] ?? 0) >> (7 - (at & 7))) & 1;
  const ends: number[] = [];
  if (!track.some((byte) => byte !== 0xff)) return ends;
  let start = 0;
  while (bit(start) === 1) start++;
  let ones = 0;
  for (let at = start; at < start + total; at++) {
    if (bit(at) === 1) ones++;
    else {
      if (ones >= 10) ends.push(at % total);
      ones = 0;
    }
  }
  if (ones >= 10) ends.push(start % total);
  return ends.sort((a, b) => a - b);
}
