import type { SectorImage } from './sector-image.ts';

interface Entry {
  readonly counts: Uint8Array;
  readonly countAt: number;
  readonly bits: Uint8Array;
  readonly bitsAt: number;
}

/** The block availability map of a disk, in place on the disk. A set bit is a free block. */
export class BlockMap {
  readonly #image: SectorImage;

  constructor(image: SectorImage) {
    this.#image = image;
  }

  #entry(track: number): Entry {
    const { kind } = this.#image.geometry;
    if (kind === 'd81') {
      const sector = this.#image.sector(40, track <= 40 ? 1 : 2);
      const at = 0x10 + ((track - 1) % 40) * 6;
      return { counts: sector, countAt: at, bits: sector, bitsAt: at + 1 };
    }
    const first = this.#image.sector(18, 0);
    if (kind === 'd71' && track > 35) {
      return { counts: first, countAt: 0xdd + track - 36, bits: this.#image.sector(53, 0), bitsAt: (track - 36) * 3 };
    }
    return { counts: first, countAt: track * 4, bits: first, bitsAt: track * 4 + 1 };
  }

  #covers(track: number): boolean {
    return track >= 1 && track <= this.#image.geometry.mappedTracks;
  }

  isFree(track: number, sector: number): boolean {
    if (!this.#covers(track) || !this.#image.has(track, sector)) return false;
    const { bits, bitsAt } = this.#entry(track);
    return ((bits[bitsAt + (sector >> 3)] ?? 0) & (1 << (sector & 7))) !== 0;
  }

  /** Free blocks of a track, as the map's own counter has it. */
  freeIn(track: number): number {
    const { counts, countAt } = this.#entry(track);
    return counts[countAt] ?? 0;
  }

  allocate(track: number, sector: number): void {
    if (this.isFree(track, sector)) this.#flip(track, sector, -1);
  }

  release(track: number, sector: number): void {
    if (this.#covers(track) && this.#image.has(track, sector) && !this.isFree(track, sector))
      this.#flip(track, sector, 1);
  }

  #flip(track: number, sector: number, change: 1 | -1): void {
    const { counts, countAt, bits, bitsAt } = this.#entry(track);
    const at = bitsAt + (sector >> 3);
    bits[at] = (bits[at] ?? 0) ^ (1 << (sector & 7));
    counts[countAt] = ((counts[countAt] ?? 0) + change) & 255;
  }

  /** Marks every block free. */
  clear(): void {
    const { geometry } = this.#image;
    for (let track = 1; track <= geometry.mappedTracks; track++) {
      const { counts, countAt, bits, bitsAt } = this.#entry(track);
      const sectors = geometry.sectorsIn(track);
      const bytes = geometry.kind === 'd81' ? 5 : 3;
      for (let index = 0; index < bytes; index++) {
        bits[bitsAt + index] = (1 << Math.max(0, Math.min(8, sectors - index * 8))) - 1;
      }
      counts[countAt] = sectors;
    }
  }

  /** What the directory shows: tracks of the directory (and of the second side's map) do not count. */
  get freeBlocks(): number {
    const { geometry } = this.#image;
    let free = 0;
    for (let track = 1; track <= geometry.mappedTracks; track++) {
      const reserved = track === geometry.directoryTrack || (geometry.kind === 'd71' && track === 53);
      if (!reserved) free += this.freeIn(track);
    }
    return free;
  }

  /** A free block for the start of a file: on the track closest to the directory. */
  first(): { track: number; sector: number } | undefined {
    const { directoryTrack, mappedTracks } = this.#image.geometry;
    for (let distance = 1; distance < mappedTracks; distance++) {
      for (const track of [directoryTrack - distance, directoryTrack + distance]) {
        const found = this.#onTrack(track, 0);
        if (found) return found;
      }
    }
    return undefined;
  }

  /** The free block the DOS would take after this one. */
  after(track: number, sector: number, interleave: number): { track: number; sector: number } | undefined {
    const { directoryTrack, mappedTracks, sectorsIn } = this.#image.geometry;
    const start = stepped(sector, interleave, sectorsIn(track));
    if (track === directoryTrack) return this.#onTrack(track, start);
    // Away from the directory to the edge, then the other side, then what was skipped.
    const down = Array.from({ length: directoryTrack - 1 }, (_, index) => directoryTrack - 1 - index);
    const up = Array.from({ length: mappedTracks - directoryTrack }, (_, index) => directoryTrack + 1 + index);
    const [own, other] = track < directoryTrack ? [down, up] : [up, down];
    const order = [...own.slice(own.indexOf(track)), ...other, ...own.slice(0, own.indexOf(track))];
    for (const candidate of order) {
      const found = this.#onTrack(candidate, candidate === track ? start : 0);
      if (found) return found;
    }
    return undefined;
  }

  #onTrack(track: number, start: number): { track: number; sector: number } | undefined {
    const { kind, sectorsIn } = this.#image.geometry;
    if (!this.#covers(track) || (kind === 'd71' && track === 53)) return undefined;
    const count = sectorsIn(track);
    for (let index = 0; index < count; index++) {
      const sector = (start + index) % count;
      if (this.isFree(track, sector)) return { track, sector };
    }
    return undefined;
  }
}

/** The DOS goes one sector less far after it passed the end of the track. */
function stepped(sector: number, interleave: number, count: number): number {
  const next = sector + interleave;
  if (next < count) return next;
  const wrapped = next - count;
  return wrapped > 0 ? wrapped - 1 : 0;
}
