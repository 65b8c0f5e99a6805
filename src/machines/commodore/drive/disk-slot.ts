import { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import { DiskError } from '../../../formats/commodore/media/disk-error.ts';
import { SectorImage } from '../../../formats/commodore/media/sector-image.ts';
import type { DiskRevision, DiskShelf } from './disk-shelf.ts';
import { type DriveWords, driveFields as f } from './drive-state.ts';

/** The disk in a drive: a copy of the image it was given, which the drive writes to. */
export class DiskSlot {
  readonly #words: DriveWords;
  readonly #shelf: DiskShelf;
  /** The contents that the words name, ready to be worked with: a cache, rebuilt by `restored`. */
  #mounted: { readonly revision: DiskRevision; readonly disk: CommodoreDisk } | undefined;

  constructor(words: DriveWords, shelf: DiskShelf) {
    this.#words = words;
    this.#shelf = shelf;
  }

  /** Throws a RangeError when the bytes are no D64, D71 or D81. */
  insert(image: Uint8Array, readOnly: boolean): void {
    const disk = new CommodoreDisk(new SectorImage(new Uint8Array(image)));
    this.#mounted = { revision: this.#shelf.keep(disk.image.bytes), disk };
    this.#words[f.readOnly] = readOnly ? 1 : 0;
    this.#name();
  }

  eject(): void {
    this.#mounted = undefined;
    this.#words[f.readOnly] = 0;
    this.#name();
  }

  /** The bytes of the image as they are now. */
  bytes(): Uint8Array | undefined {
    return this.#mounted?.disk.image.bytes.slice();
  }

  get revision(): DiskRevision | undefined {
    return this.#mounted?.revision;
  }

  get disk(): CommodoreDisk {
    if (!this.#mounted) throw new DiskError(74);
    return this.#mounted.disk;
  }

  /** The disk for those who want to write to it; `changed` has to follow. */
  get writable(): CommodoreDisk {
    const { disk } = this;
    if (this.#words[f.readOnly] !== 0) throw new DiskError(26);
    return disk;
  }

  changed(): void {
    if (!this.#mounted) return;
    const { disk, revision } = this.#mounted;
    this.#mounted = { disk, revision: this.#shelf.keep(disk.image.bytes, revision) };
    this.#name();
  }

  /** After somebody wrote to the words. Contents nobody here has ever seen make an empty drive. */
  restored(): void {
    const words = this.#words;
    const revision = words[f.hasDisk] === 0 ? undefined : this.#shelf.find(words[f.diskLow], words[f.diskHigh]);
    if (revision === this.#mounted?.revision) return;
    this.#mounted = revision && {
      revision,
      disk: new CommodoreDisk(new SectorImage(this.#shelf.bytesOf(revision))),
    };
    this.#name();
  }

  /** Writes the words anew, as after they were all cleared: the disk stays in the drive. */
  kept(readOnly: boolean): void {
    this.#words[f.readOnly] = readOnly ? 1 : 0;
    this.#name();
  }

  #name(): void {
    const revision = this.#mounted?.revision;
    this.#words[f.hasDisk] = revision ? 1 : 0;
    this.#words[f.diskLow] = revision?.low ?? 0;
    this.#words[f.diskHigh] = revision?.high ?? 0;
  }
}
