import { crcOfMarks, withByte } from '../../../chips/wd1770/crc.ts';
import { mark } from '../../../chips/wd1770/marks.ts';
import { bytesPerTurn } from '../../../chips/wd1770/wd1770.ts';
import { SectorImage } from '../../../formats/commodore/media/sector-image.ts';
import type { Surface } from './surface-slot.ts';

/** A disk as a 1581's head sees it: for each track of each side its bytes, then a bit for each that is a mark. */
const slotBytes = 0x2000;
const marksStart = 0x1c00;
const cylinders = 80;
const sectorsPerTrack = 10;
const sectorBytes = 512;
/** 128 bytes, twice doubled. */
const sectorSize = 2;

const gap = 0x4e;
const leadGap = 32;
const headerGap = 22;
const sectorGap = 35;

/** Where a track begins in the image; -1 where the disk has none. */
export function mfmTrackStart(cylinder: number, side: number): number {
  return cylinder < cylinders ? (cylinder * 2 + side) * slotBytes : -1;
}

/** The byte at a place of the track, with `mark` where it is one. */
export function mfmByte(image: Uint8Array, start: number, place: number): number {
  const isMark = ((image[start + marksStart + (place >> 3)] ?? 0) >> (place & 7)) & 1;
  return (image[start + place] ?? 0) | (isMark === 0 ? 0 : mark);
}

/** Where the bit lies that says so, and which it is. */
export function mfmMark(start: number, place: number): { readonly at: number; readonly mask: number } {
  return { at: start + marksStart + (place >> 3), mask: 1 << (place & 7) };
}

export const mfmSurface: Surface = {
  imageOf(file) {
    const disk = new SectorImage(file.slice());
    if (disk.geometry.kind !== 'd81') throw new RangeError('a 1581 reads D81');
    const image = new Uint8Array(cylinders * 2 * slotBytes);
    for (let cylinder = 0; cylinder < cylinders; cylinder++) {
      for (const side of [0, 1]) new TrackWriter(image, mfmTrackStart(cylinder, side)).write(disk, cylinder, side);
    }
    return image;
  },

  fileOf(image, source, changed) {
    const file = source.slice();
    const disk = new SectorImage(file);
    for (let cylinder = 0; cylinder < cylinders; cylinder++) {
      for (const side of [0, 1]) {
        if (!changed(cylinder * 2 + side)) continue;
        for (const [sector, data] of sectorsOn(image, cylinder, side)) {
          disk.sector(...blockOf(cylinder, side, sector)).set(data.subarray(0, 256));
          disk.sector(...blockOf(cylinder, side, sector, 1)).set(data.subarray(256));
        }
      }
    }
    return file;
  },

  trackOfPage: (page) => Math.floor((page * 256) / slotBytes),
};

/** The block of the DOS, of which two make a sector. */
function blockOf(cylinder: number, side: number, sector: number, half = 0): [track: number, block: number] {
  return [cylinder + 1, (side * sectorsPerTrack + sector - 1) * 2 + half];
}

class TrackWriter {
  readonly #image: Uint8Array;
  readonly #start: number;
  #place = 0;
  #crc = 0;

  constructor(image: Uint8Array, start: number) {
    this.#image = image;
    this.#start = start;
  }

  /** As the 1581 formats it. */
  write(disk: SectorImage, cylinder: number, side: number): void {
    this.#image.fill(gap, this.#start, this.#start + bytesPerTurn);
    this.#place = leadGap;
    for (let sector = 1; sector <= sectorsPerTrack; sector++) {
      this.#field([0xfe, cylinder, side, sector, sectorSize]);
      this.#place += headerGap;
      const halves = [0, 1].map((half) => disk.sector(...blockOf(cylinder, side, sector, half)));
      this.#field([0xfb, ...halves.flatMap((bytes) => [...bytes])]);
      this.#place += sectorGap;
    }
  }

  #field(bytes: readonly number[]): void {
    this.#crc = crcOfMarks;
    for (let count = 0; count < 12; count++) this.#put(0);
    for (let count = 0; count < 3; count++) {
      const { at, mask } = mfmMark(this.#start, this.#place);
      this.#image[at] = (this.#image[at] ?? 0) | mask;
      this.#put(0xa1);
    }
    for (const byte of bytes) {
      this.#crc = withByte(this.#crc, byte);
      this.#put(byte);
    }
    this.#put(this.#crc >> 8);
    this.#put(this.#crc & 0xff);
  }

  #put(byte: number): void {
    this.#image[this.#start + this.#place] = byte;
    this.#place += 1;
  }
}

/** The sectors of a track that can be read and are the DOS's own. */
function sectorsOn(image: Uint8Array, cylinder: number, side: number): Map<number, Uint8Array> {
  const start = mfmTrackStart(cylinder, side);
  const byte = (place: number) => mfmByte(image, start, place % bytesPerTurn);
  const found = new Map<number, Uint8Array>();
  let header = -1;
  for (let place = 0; place < bytesPerTurn; place++) {
    if (byte(place) !== (mark | 0xa1) || (byte(place + 1) & mark) !== 0) continue;
    const kind = byte(place + 1);
    const length = kind === 0xfe ? 4 : kind === 0xfb || kind === 0xf8 ? sectorBytes : 0;
    const bytes = Uint8Array.from({ length: length + 2 }, (_, index) => byte(place + 2 + index));
    const isRight = length > 0 && bytes.reduce(withByte, withByte(crcOfMarks, kind)) === 0;
    if (kind === 0xfe) {
      const [track, head, sector = 0, size] = bytes;
      const isOwn = track === cylinder && head === side && sector >= 1 && sector <= sectorsPerTrack;
      header = isRight && isOwn && size === sectorSize ? sector : -1;
    } else {
      if (isRight && header > 0) found.set(header, bytes.subarray(0, sectorBytes));
      header = -1;
    }
  }
  return found;
}
