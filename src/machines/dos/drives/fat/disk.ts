import { DosError } from '../dos-error.ts';
import { bytesInMemory, type CopyCount, PagedBytes } from '../paged-bytes.ts';
import { type SavedDrive, type SavedImage, savedAs } from '../saved-drive.ts';
import type { VolumeDisk } from './sector-store.ts';

export const sectorBytes = 512;
/** The largest that drives have written: 2.88 MB. */
const mostFloppySectors = 5760;
const maxBytes = 512 * 1024 * 1024;

interface Geometry {
  readonly cylinders: number;
  readonly heads: number;
  readonly sectorsPerTrack: number;
}

/** Floppies by their number of sectors. */
const floppies: Readonly<Record<number, Geometry>> = {
  320: { cylinders: 40, heads: 1, sectorsPerTrack: 8 },
  360: { cylinders: 40, heads: 1, sectorsPerTrack: 9 },
  640: { cylinders: 40, heads: 2, sectorsPerTrack: 8 },
  720: { cylinders: 40, heads: 2, sectorsPerTrack: 9 },
  1440: { cylinders: 80, heads: 2, sectorsPerTrack: 9 },
  2400: { cylinders: 80, heads: 2, sectorsPerTrack: 15 },
  2880: { cylinders: 80, heads: 2, sectorsPerTrack: 18 },
  3360: { cylinders: 80, heads: 2, sectorsPerTrack: 21 },
  5760: { cylinders: 80, heads: 2, sectorsPerTrack: 36 },
};

export interface DiskOptions {
  readonly readOnly?: boolean;
  /** Where written sectors also go, in order. */
  readonly sink?: (sector: number, bytes: Uint8Array) => void;
}

/** A floppy or hard disk in memory: the image as it came, and over it what was written since. */
export class Disk implements VolumeDisk {
  readonly cylinders: number;
  readonly heads: number;
  readonly sectorsPerTrack: number;
  readonly sectors: number;
  readonly floppy: boolean;
  readonly readOnly: boolean;
  readonly #sink: DiskOptions['sink'];
  readonly #copied: CopyCount = { bytes: 0 };
  #content: PagedBytes;
  /** As it is now, if it was saved and nothing has been written since. */
  #saved: SavedImage | undefined;
  #version = 0;

  constructor(image: Uint8Array, options: DiskOptions = {}) {
    if (image.length > maxBytes) throw new DosError('unknownMedia', `the image is larger than ${maxBytes} bytes`);
    this.#content = new PagedBytes(bytesInMemory(image), this.#copied);
    this.#sink = options.sink;
    this.readOnly = options.readOnly ?? false;
    this.sectors = Math.floor(image.length / sectorBytes);
    if (this.sectors === 0) throw new DosError('unknownMedia', 'the image has not even one sector');
    const floppy = floppyGeometry(image, this.sectors);
    const { cylinders, heads, sectorsPerTrack } = floppy ?? hardDiskGeometry(image, this.sectors);
    this.floppy = floppy !== undefined;
    this.cylinders = cylinders;
    this.heads = heads;
    this.sectorsPerTrack = sectorsPerTrack;
  }

  get version(): number {
    return this.#version;
  }

  read(sector: number): Uint8Array {
    if (sector < 0 || sector >= this.sectors) throw new DosError('sectorNotFound');
    return this.#content.read(sector * sectorBytes, sectorBytes);
  }

  write(sector: number, bytes: Uint8Array): void {
    if (this.readOnly) throw new DosError('writeProtected');
    if (sector < 0 || sector >= this.sectors) throw new DosError('sectorNotFound');
    const copy = new Uint8Array(sectorBytes);
    copy.set(bytes.subarray(0, sectorBytes));
    // First where it may fail.
    this.#sink?.(sector, copy);
    this.#content.write(sector * sectorBytes, copy);
    this.#saved = undefined;
    this.#version++;
  }

  /** Something was written to it that its file does not have. */
  get isUnsaved(): boolean {
    return this.#sink === undefined && this.#copied.bytes > 0;
  }

  /** What was written has taken so far, given back or not. */
  get copiedBytes(): number {
    return this.#copied.bytes;
  }

  save(): SavedImage {
    this.#saved ??= {
      type: 'image',
      content: this.#content.fork(),
      length: this.sectors * sectorBytes,
      readOnly: this.readOnly,
    };
    return this.#saved;
  }

  restore(saved: SavedDrive): void {
    this.#content = savedAs('image', saved).content.fork(this.#copied);
    this.#saved = undefined;
    this.#version++;
  }
}

/** The volume knows how its tracks were written; only a floppy without one is judged by its size. */
function floppyGeometry(image: Uint8Array, sectors: number): Geometry | undefined {
  const word = (at: number) => (image[at] ?? 0) | ((image[at + 1] ?? 0) << 8);
  const [sectorsPerTrack, heads] = [word(0x18), word(0x1a)];
  const isVolume = (image[0] === 0xeb || image[0] === 0xe9) && word(0x0b) === sectorBytes && word(0x13) === sectors;
  const isFloppy = sectors <= mostFloppySectors && (heads === 1 || heads === 2);
  if (!isVolume || !isFloppy || sectorsPerTrack === 0 || sectorsPerTrack > 63) return floppies[sectors];
  return { heads, sectorsPerTrack, cylinders: Math.ceil(sectors / (heads * sectorsPerTrack)) };
}

/** As the partition table's last heads and sectors say, else 16 heads of 63 sectors. */
function hardDiskGeometry(image: Uint8Array, sectors: number): Geometry {
  const marked = image[510] === 0x55 && image[511] === 0xaa && image[0x1c2] !== 0;
  const endSector = (image[0x1c4] ?? 0) & 0x3f;
  const endHead = image[0x1c3] ?? 0;
  const valid = marked && endSector > 0 && endHead > 0 && endHead < 255;
  const heads = valid ? endHead + 1 : 16;
  const sectorsPerTrack = valid ? endSector : 63;
  return { heads, sectorsPerTrack, cylinders: Math.max(1, Math.floor(sectors / (heads * sectorsPerTrack))) };
}
