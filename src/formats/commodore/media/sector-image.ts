import { DiskError } from './disk-error.ts';
import { type DiskGeometry, geometryOf, sectorCount } from './disk-geometry.ts';

/** A disk as numbered sectors of 256 bytes. */
export class SectorImage {
  readonly bytes: Uint8Array;
  readonly geometry: DiskGeometry;
  readonly #errors: Uint8Array | undefined;
  readonly #firstSector: readonly number[];

  /** Throws a RangeError when the length is that of no known format. The bytes are used in place. */
  constructor(bytes: Uint8Array) {
    const known = geometryOf(bytes.length);
    if (!known) throw new RangeError(`${bytes.length} bytes are not a D64, D71 or D81 image`);
    this.bytes = bytes;
    this.geometry = known.geometry;
    this.#errors = known.hasErrors ? bytes.subarray(sectorCount(known.geometry) * 256) : undefined;
    const firstSector = [0, 0];
    for (let track = 1; track < this.geometry.tracks; track++) {
      firstSector.push((firstSector[track] ?? 0) + this.geometry.sectorsIn(track));
    }
    this.#firstSector = firstSector;
  }

  static blank(geometry: DiskGeometry): SectorImage {
    return new SectorImage(new Uint8Array(sectorCount(geometry) * 256));
  }

  has(track: number, sector: number): boolean {
    return track >= 1 && track <= this.geometry.tracks && sector >= 0 && sector < this.geometry.sectorsIn(track);
  }

  #indexOf(track: number, sector: number): number {
    if (!this.has(track, sector)) throw new DiskError(66, track, sector);
    return (this.#firstSector[track] ?? 0) + sector;
  }

  /** The sector itself, not a copy: writing to it changes the disk. */
  sector(track: number, sector: number): Uint8Array {
    const start = this.#indexOf(track, sector) * 256;
    return this.bytes.subarray(start, start + 256);
  }

  /** The controller's job code for a sector: 1 is in order, as for images without error information (0 counts as 1). */
  errorOf(track: number, sector: number): number {
    return this.#errors?.[this.#indexOf(track, sector)] || 1;
  }
}
