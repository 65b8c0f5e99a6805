import { type DirectoryEntry, fileTypes } from '../../../formats/commodore/media/directory-entry.ts';
import { directoryProgram } from '../../../formats/commodore/media/directory-listing.ts';
import { DiskError } from '../../../formats/commodore/media/disk-error.ts';
import type { DiskSlot } from './disk-slot.ts';
import { bytesOfDrive, type ChannelWords, type DriveWords, driveFields, channelFields as f } from './drive-state.ts';
import { type BlockPlace, blocksOf, readBlock } from './file-chain.ts';
import { bytesOf, directoryFilter, textOf } from './file-name.ts';
import { RelativeFile } from './relative-file.ts';

const closed = 0;
const reading = 1;
const writing = 2;
const listing = 3;
const direct = 4;
const relative = 5;

const basicStart = 0x0401;
/** Marks an entry whose new contents, whose start lies at byte 26, are still being written. */
const replacing = 0x20;

/** One of the drive's channels with the buffer it works in. */
export class DosChannel {
  readonly #drive: DriveWords;
  readonly #words: ChannelWords;
  readonly #slot: DiskSlot;
  /** The listing that the words describe: a cache. */
  #listing: { readonly revision: unknown; readonly pattern: string; readonly bytes: Uint8Array } | undefined;

  constructor(drive: DriveWords, words: ChannelWords, slot: DiskSlot) {
    this.#drive = drive;
    this.#words = words;
    this.#slot = slot;
  }

  get isOpen(): boolean {
    return this.#words[f.kind] !== closed;
  }

  get isWritable(): boolean {
    return [writing, direct, relative].includes(this.#words[f.kind]);
  }

  get isRelative(): boolean {
    return this.#words[f.kind] === relative;
  }

  get isDirect(): boolean {
    return this.#words[f.kind] === direct;
  }

  /** The buffer it holds, or -1. */
  get buffer(): number {
    return this.isOpen ? this.#words[f.buffer] : -1;
  }

  /** The 256 bytes it works in. */
  get bytes(): Uint8Array {
    return bytesOfDrive(this.#drive, driveFields.buffers + this.#words[f.buffer] * 64, 256);
  }

  /** Forgets everything, as when the power goes. */
  drop(): void {
    this.#words.fill(0);
  }

  // ---- opening

  #take(kind: number, buffer: number): void {
    this.#words.fill(0);
    this.#words[f.kind] = kind;
    this.#words[f.buffer] = buffer;
    this.bytes.fill(0);
  }

  openForReading(buffer: number, start: BlockPlace): void {
    const block = readBlock(this.#slot.disk, start.track, start.sector);
    this.#take(reading, buffer);
    this.#fill(block, start);
  }

  openListing(buffer: number, pattern: string): void {
    this.#take(listing, buffer);
    this.bytes.set([pattern.length, ...bytesOf(pattern)]);
    try {
      this.#list();
    } catch (problem) {
      this.drop();
      throw problem;
    }
  }

  openDirect(buffer: number): void {
    this.#take(direct, buffer);
    this.#words[f.last] = 255;
    // The pointer of a fresh buffer is after the byte that B-R takes for the length.
    this.#words[f.pointer] = 1;
  }

  openRelative(buffer: number, { place }: DirectoryEntry): void {
    this.#take(relative, buffer);
    this.#words[f.entryTrack] = place.track;
    this.#words[f.entrySector] = place.sector;
    this.#words[f.entryIndex] = place.index;
  }

  get #relativeFile(): RelativeFile {
    const words = this.#words;
    const place = { track: words[f.entryTrack], sector: words[f.entrySector], index: words[f.entryIndex] };
    return new RelativeFile(this.#slot.disk, place);
  }

  /** Both counted from 0. The record need not exist: it will when it is written to. */
  position(record: number, position: number): void {
    const file = this.#relativeFile;
    if (position >= file.recordLength) throw new DiskError(51);
    this.#words[f.record] = record;
    this.#words[f.pointer] = position;
    this.#words[f.touched] = 0;
    if (record >= file.recordCount) throw new DiskError(50);
  }

  /** `existing` is replaced when the file is closed; its blocks stay allocated until then. */
  openForWriting(
    buffer: number,
    name: Uint8Array,
    type: 'SEQ' | 'PRG' | 'USR',
    existing: DirectoryEntry | undefined,
  ): void {
    const disk = this.#slot.writable;
    const first = existing ? disk.map.first() : disk.write(name, new Uint8Array(), type);
    if (!first) throw new DiskError(72);
    const place = existing?.place ?? (first as DirectoryEntry).place;
    this.#take(writing, buffer);
    this.#beginWriting(place, first, type, 1);
    this.#words[f.pointer] = 2;
    const entry = this.#entry();
    if (existing) {
      disk.map.allocate(first.track, first.sector);
      this.#words[f.replaces] = 1;
      entry[2] = (entry[2] ?? 0) | replacing;
      entry.set([first.track, first.sector], 26);
    } else entry[2] = (entry[2] ?? 0) & 0x7f;
    this.#slot.changed();
  }

  openForAppending(buffer: number, existing: DirectoryEntry): void {
    const disk = this.#slot.writable;
    const last = blocksOf(disk, existing).at(-1);
    if (!last) throw new DiskError(71);
    this.#take(writing, buffer);
    this.#beginWriting(existing.place, last, existing.type, existing.blocks);
    this.bytes.set(disk.image.sector(last.track, last.sector));
    this.#words[f.pointer] = Math.max(2, (this.bytes[1] ?? 1) + 1);
    const entry = this.#entry();
    entry[2] = (entry[2] ?? 0) & 0x7f;
    this.#slot.changed();
  }

  #beginWriting(
    place: DirectoryEntry['place'],
    { track, sector }: BlockPlace,
    type: DirectoryEntry['type'],
    blocks: number,
  ): void {
    Object.assign(this.#words, {
      [f.entryTrack]: place.track,
      [f.entrySector]: place.sector,
      [f.entryIndex]: place.index,
      [f.track]: track,
      [f.sector]: sector,
      [f.type]: 0x80 | fileTypes.indexOf(type),
      [f.blocks]: blocks,
    });
  }

  // ---- reading

  #fill(block: Uint8Array, { track, sector }: BlockPlace): void {
    this.bytes.set(block);
    this.#words[f.track] = track;
    this.#words[f.sector] = sector;
    this.#words[f.pointer] = 2;
    this.#words[f.last] = block[0] === 0 ? (block[1] ?? 0) : 255;
  }

  #list(): Uint8Array {
    const pattern = textOf(this.bytes.subarray(1, 1 + (this.bytes[0] ?? 0)));
    const { disk, revision } = this.#slot;
    if (this.#listing?.revision !== revision || this.#listing?.pattern !== pattern) {
      this.#listing = { revision, pattern, bytes: directoryProgram(disk, basicStart, directoryFilter(pattern)) };
    }
    return this.#listing.bytes;
  }

  /** The byte that a talker would send now, plus $100 with the last one; -1 if there is none. */
  next(): number {
    const words = this.#words;
    switch (words[f.kind]) {
      case reading: {
        if (words[f.pointer] > words[f.last] && !this.#nextBlock()) return -1;
        const { bytes } = this;
        const isLast = words[f.pointer] === words[f.last] && bytes[0] === 0;
        return (bytes[words[f.pointer]] ?? 0) | (isLast ? 0x100 : 0);
      }
      case listing: {
        const bytes = this.#list();
        const at = words[f.pointer];
        return at < bytes.length ? (bytes[at] ?? 0) | (at === bytes.length - 1 ? 0x100 : 0) : -1;
      }
      case relative: {
        const file = this.#relativeFile;
        if (words[f.record] >= file.recordCount) throw new DiskError(50);
        const record = file.read(words[f.record]);
        return (record[words[f.pointer]] ?? 0) | (words[f.pointer] >= lastOf(record) ? 0x100 : 0);
      }
      case direct:
        return (this.bytes[words[f.pointer]] ?? 0) | (words[f.pointer] === words[f.last] ? 0x100 : 0);
      default:
        return -1;
    }
  }

  #nextBlock(): boolean {
    const [track = 0, sector = 0] = this.bytes;
    if (track === 0) return false;
    this.#fill(readBlock(this.#slot.disk, track, sector), { track, sector });
    return this.#words[f.pointer] <= this.#words[f.last];
  }

  /** The byte has reached its listener. */
  taken(): void {
    const words = this.#words;
    if (words[f.kind] === relative) {
      const isLast = words[f.pointer] >= lastOf(this.#relativeFile.read(words[f.record]));
      words[f.record] += isLast ? 1 : 0;
      words[f.pointer] = isLast ? 0 : words[f.pointer] + 1;
    } else if (words[f.kind] !== direct) words[f.pointer] += 1;
    else words[f.pointer] = words[f.pointer] === words[f.last] ? 0 : (words[f.pointer] + 1) & 255;
  }

  // ---- writing

  /** `isLast`: the computer sends no more for now, which ends a record. */
  write(byte: number, isLast = false): void {
    const words = this.#words;
    if (words[f.kind] === relative) {
      this.#writeRecord(byte, isLast);
      return;
    }
    if (words[f.kind] === direct) {
      this.bytes[words[f.pointer]] = byte;
      words[f.pointer] = (words[f.pointer] + 1) & 255;
      return;
    }
    if (words[f.pointer] === 256) this.#flush();
    this.bytes[words[f.pointer]] = byte;
    words[f.pointer] += 1;
  }

  /** What does not fit into the record is lost; what it does not fill becomes 0. */
  #writeRecord(byte: number, isLast: boolean): void {
    const words = this.#words;
    void this.#slot.writable;
    const file = this.#relativeFile;
    if (words[f.touched] === 0) {
      file.extendTo(words[f.record]);
      words[f.touched] = 1;
    }
    const overflows = words[f.pointer] >= file.recordLength;
    if (!overflows) file.write(words[f.record], words[f.pointer], [byte]);
    words[f.pointer] += 1;
    if (isLast) {
      const rest = Math.max(0, file.recordLength - words[f.pointer]);
      file.write(words[f.record], words[f.pointer], new Uint8Array(rest));
      words[f.record] += 1;
      words[f.pointer] = 0;
      words[f.touched] = 0;
    }
    this.#slot.changed();
    if (overflows) throw new DiskError(51);
  }

  /** A full block goes to the disk, and the file goes on in another. */
  #flush(): void {
    const words = this.#words;
    const disk = this.#slot.writable;
    const next = disk.map.after(words[f.track], words[f.sector], disk.image.geometry.interleave);
    if (!next) {
      this.close();
      throw new DiskError(72);
    }
    disk.map.allocate(next.track, next.sector);
    const { bytes } = this;
    bytes.set([next.track, next.sector]);
    disk.image.sector(words[f.track], words[f.sector]).set(bytes);
    this.#slot.changed();
    bytes.fill(0);
    words[f.track] = next.track;
    words[f.sector] = next.sector;
    words[f.pointer] = 2;
    words[f.blocks] += 1;
  }

  close(): void {
    try {
      if (this.#words[f.kind] === writing) this.#finish();
    } finally {
      this.drop();
    }
  }

  #finish(): void {
    const words = this.#words;
    const disk = this.#slot.writable;
    // The DOS has no empty files: they get a carriage return.
    if (words[f.pointer] === 2 && words[f.blocks] === 1) this.write(13);
    const { bytes } = this;
    bytes.set([0, words[f.pointer] - 1]);
    disk.image.sector(words[f.track], words[f.sector]).set(bytes);
    const entry = this.#entry();
    if (words[f.replaces] !== 0) {
      const [track = 0, sector = 0] = entry.subarray(3, 5);
      for (const block of blocksOf(disk, { track, sector })) disk.map.release(block.track, block.sector);
      entry.copyWithin(3, 26, 28);
      entry.fill(0, 26, 28);
    }
    entry[2] = words[f.type];
    entry.set([words[f.blocks] & 255, words[f.blocks] >> 8], 30);
    this.#slot.changed();
  }

  #entry(): Uint8Array {
    const words = this.#words;
    const start = words[f.entryIndex] * 32;
    return this.#slot.disk.image.sector(words[f.entryTrack], words[f.entrySector]).subarray(start, start + 32);
  }

  // ---- commands for single blocks

  setPointer(position: number): void {
    this.#words[f.pointer] = position & 255;
  }

  get pointer(): number {
    return this.#words[f.pointer];
  }

  /** Puts a block into the buffer; readable are the bytes from `pointer` to `last`. */
  load(block: Uint8Array, pointer: number, last: number): void {
    this.bytes.set(block);
    this.#words[f.pointer] = pointer;
    this.#words[f.last] = last;
  }
}

/** The last byte of a record that is sent: zeros after it are padding. */
function lastOf(record: Uint8Array): number {
  let last = record.length - 1;
  while (last > 0 && record[last] === 0) last -= 1;
  return last;
}
