import type { DiskRevision, DiskShelf } from './disk-shelf.ts';
import { type DriveWords, driveFields as f } from './drive-state.ts';
import { freshTrackBytes, trackStart } from './gcr-image.ts';
import { type MechanicsWords, mechanicsFields as m } from './processor-state.ts';

const pageBytes = 256;
const noBits = new Uint8Array();

/** How what the head sees of a disk comes from an image file, and goes back to it. */
export interface Surface {
  /** Throws a RangeError or MediaError for a file that does not fit. */
  imageOf(file: Uint8Array): Uint8Array;
  /** The file with what has changed since: `changed` says which tracks have. What cannot be read stays. */
  fileOf(image: Uint8Array, source: Uint8Array, changed: (track: number) => boolean): Uint8Array;
  /** The track that a page of 256 bytes belongs to. */
  trackOfPage(page: number): number;
  /** Where on the disk each track begins, as a part of a turn. */
  anglesOf?(file: Uint8Array): Float64Array | undefined;
}

/**
 * The disk in a drive with a processor of its own, as its head sees it. What is on it lies on the machine's shelf and the words name it; the page that is being
 * written lies in the words themselves until another one is.
 */
export class SurfaceSlot {
  readonly #words: DriveWords;
  readonly #mechanics: MechanicsWords;
  readonly #pending: Uint8Array;
  readonly #shelf: DiskShelf;
  readonly #surface: Surface;
  /** The contents as they are now: a cache, equal to the revision but for the page being written. */
  #mounted: { revision: DiskRevision; readonly image: Uint8Array } | undefined;
  #dirtyPage = 0;
  /** Where its tracks begin: a consequence of the file it came from. */
  #angles: Float64Array | undefined;

  constructor(words: DriveWords, mechanics: MechanicsWords, pending: Uint8Array, shelf: DiskShelf, surface: Surface) {
    this.#words = words;
    this.#mechanics = mechanics;
    this.#pending = pending;
    this.#shelf = shelf;
    this.#surface = surface;
  }

  insert(file: Uint8Array, readOnly: boolean): void {
    const image = this.#surface.imageOf(file);
    const source = this.#shelf.keep(file);
    this.#angles = this.#surface.anglesOf?.(file);
    this.#mounted = { revision: this.#shelf.keep(image), image };
    this.#words[f.readOnly] = readOnly ? 1 : 0;
    this.#words[f.sourceLow] = source.low;
    this.#words[f.sourceHigh] = source.high;
    this.#mechanics[m.pendingPage] = 0;
    this.#dirtyPage = 0;
    this.#name();
  }

  eject(): void {
    this.#mounted = undefined;
    this.#words[f.readOnly] = 0;
    this.#mechanics[m.pendingPage] = 0;
    this.#dirtyPage = 0;
    this.#name();
  }

  /** The bits of a half track as they pass under the head; empty where there is nothing. */
  track(halfTrack: number): Uint8Array {
    const image = this.#mounted?.image;
    if (!image) return noBits;
    const start = trackStart(halfTrack);
    const length = (image[start - 2] ?? 0) | ((image[start - 1] ?? 0) << 8);
    return image.subarray(start, start + length);
  }

  /** Where on the disk a half track begins, as a part of a turn. */
  startAngle(halfTrack: number): number {
    return this.#angles?.[halfTrack] ?? 0;
  }

  get image(): Uint8Array | undefined {
    return this.#mounted?.image;
  }

  /** A byte that is written, of a disk that is there. */
  writeByte(at: number, value: number): void {
    const image = this.#mounted?.image;
    if (!image || image[at] === value) return;
    this.#touch(at);
    image[at] = value;
    this.#pending[at % pageBytes] = value;
  }

  /** A bit that the head writes. A track that was never written to gets its length first. */
  writeBit(halfTrack: number, bit: number, value: number): void {
    const { image } = this.#mounted ?? {};
    if (!image) return;
    const start = trackStart(halfTrack);
    if (image[start - 2] === 0 && image[start - 1] === 0) {
      const length = freshTrackBytes(halfTrack);
      this.#touch(start - 2);
      image.set([length & 255, length >> 8], start - 2);
      this.#pending.set(image.subarray(start - 2, start), (start - 2) % pageBytes);
    }
    const at = start + (bit >> 3);
    const mask = 0x80 >> (bit & 7);
    this.#touch(at);
    image[at] = value === 0 ? (image[at] ?? 0) & ~mask : (image[at] ?? 0) | mask;
    this.#pending[at % pageBytes] = image[at] ?? 0;
  }

  /** The page of this byte becomes the one that is being written. */
  #touch(at: number): void {
    const page = Math.floor(at / pageBytes) + 1;
    if (this.#mechanics[m.pendingPage] === page || !this.#mounted) return;
    this.#commit();
    this.#mechanics[m.pendingPage] = page;
    this.#dirtyPage = page;
    this.#pending.set(this.#mounted.image.subarray((page - 1) * pageBytes, page * pageBytes));
  }

  #commit(): void {
    const page = this.#mechanics[m.pendingPage];
    if (page === 0 || !this.#mounted) return;
    this.#mounted.revision = this.#shelf.withPage(this.#mounted.revision, page - 1, this.#pending);
    this.#mechanics[m.pendingPage] = 0;
    this.#dirtyPage = 0;
    this.#name();
  }

  /** The image file as it is now. */
  file(): Uint8Array | undefined {
    const source = this.#shelf.find(this.#words[f.sourceLow], this.#words[f.sourceHigh]);
    if (!this.#mounted || !source) return undefined;
    this.#commit();
    const bytes = this.#shelf.bytesOf(source);
    const original = this.#shelf.keep(this.#surface.imageOf(bytes));
    const changed = new Set<number>();
    this.#mounted.revision.groups.forEach((group, index) => {
      if (group === original.groups[index]) return;
      group.forEach((page, each) => {
        if (page !== original.groups[index]?.[each])
          changed.add(this.#surface.trackOfPage(index * group.length + each));
      });
    });
    return this.#surface.fileOf(this.#mounted.image, bytes, (track) => changed.has(track));
  }

  get revision(): DiskRevision | undefined {
    return this.#mounted?.revision;
  }

  /** After somebody wrote to the words. Contents nobody here has ever seen make an empty drive. */
  restored(): void {
    const words = this.#words;
    const revision = words[f.hasDisk] === 0 ? undefined : this.#shelf.find(words[f.diskLow], words[f.diskHigh]);
    if (revision !== this.#mounted?.revision) {
      this.#mounted = revision && { revision, image: this.#shelf.bytesOf(revision) };
      const source = this.#shelf.find(words[f.sourceLow], words[f.sourceHigh]);
      this.#angles = revision && source && this.#surface.anglesOf?.(this.#shelf.bytesOf(source));
      this.#name();
    } else if (this.#dirtyPage !== 0 && this.#mounted) {
      const page = this.#shelf.page(this.#mounted.revision, this.#dirtyPage - 1);
      if (page) this.#mounted.image.set(page, (this.#dirtyPage - 1) * pageBytes);
    }
    this.#dirtyPage = this.#mechanics[m.pendingPage];
    if (this.#dirtyPage !== 0) this.#mounted?.image.set(this.#pending, (this.#dirtyPage - 1) * pageBytes);
  }

  /** Writes the words anew, as after they were all cleared: the disk stays in the drive. */
  kept(readOnly: boolean, source: { readonly low: number; readonly high: number }): void {
    this.#words[f.readOnly] = readOnly ? 1 : 0;
    this.#words[f.sourceLow] = source.low;
    this.#words[f.sourceHigh] = source.high;
    this.#name();
  }

  /** What was written so far goes to the shelf: the power is about to go. */
  settle(): void {
    this.#commit();
  }

  #name(): void {
    const revision = this.#mounted?.revision;
    this.#words[f.hasDisk] = revision ? 1 : 0;
    this.#words[f.diskLow] = revision?.low ?? 0;
    this.#words[f.diskHigh] = revision?.high ?? 0;
  }
}
