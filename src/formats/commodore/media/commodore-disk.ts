import { petsciiText } from '../basic/petscii.ts';
import { BlockMap } from './block-map.ts';
import { concatBytes } from './byte-fields.ts';
import {
  type DirectoryEntry,
  decodeEntry,
  type FileType,
  fileTypes,
  matchesName,
  paddedName,
  unpadded,
} from './directory-entry.ts';
import { DiskError } from './disk-error.ts';
import { type DiskKind, diskGeometries } from './disk-geometry.ts';
import { SectorImage } from './sector-image.ts';

interface Block {
  readonly track: number;
  readonly sector: number;
}

const dataBytes = 254;

/** A formatted disk with its files. All changes are made in the image itself; failures are DiskErrors with the DOS's numbers. */
export class CommodoreDisk {
  readonly image: SectorImage;
  readonly map: BlockMap;

  constructor(image: SectorImage) {
    this.image = image;
    this.map = new BlockMap(image);
  }

  /** A new, empty disk. */
  static create(kind: DiskKind, name = '', id = '00'): CommodoreDisk {
    const geometry = diskGeometries.find((candidate) => candidate.kind === kind);
    if (!geometry) throw new RangeError(`no disk format ${kind}`);
    const disk = new CommodoreDisk(SectorImage.blank(geometry));
    disk.format(name, id);
    return disk;
  }

  get #header(): Uint8Array {
    return this.image.sector(this.image.geometry.directoryTrack, 0);
  }

  get name(): string {
    const { nameOffset } = this.image.geometry;
    return petsciiText(unpadded(this.#header.subarray(nameOffset, nameOffset + 16)));
  }

  get id(): string {
    const { idOffset } = this.image.geometry;
    return petsciiText(this.#header.subarray(idOffset, idOffset + 2));
  }

  get freeBlocks(): number {
    return this.map.freeBlocks;
  }

  /** Erases everything. Without an id the old one stays. */
  format(name: string, id: string = this.id): void {
    const { geometry } = this.image;
    const { directoryTrack, directorySector, nameOffset, idOffset, kind } = geometry;
    this.image.bytes.fill(0, 0, this.image.bytes.length - (this.image.bytes.length % 256));
    const header = this.#header;
    header.set([directoryTrack, directorySector, geometry.dosVersion, kind === 'd71' ? 0x80 : 0]);
    header.fill(0xa0, nameOffset, idOffset + 9);
    header.set(paddedName(name), nameOffset);
    header.set(paddedName(id, 2), idOffset);
    header.set(paddedName(geometry.dosType, 2), idOffset + 3);
    if (kind === 'd81') {
      for (const sector of [1, 2]) {
        const map = this.image.sector(directoryTrack, sector);
        map.set([
          sector === 1 ? directoryTrack : 0,
          sector === 1 ? 2 : 0xff,
          0x44,
          0xbb,
          ...paddedName(id, 2),
          0xc0,
          0,
        ]);
      }
    }
    this.image.sector(directoryTrack, directorySector).set([0, 0xff]);
    this.#resetMap();
  }

  /** An empty map: only what the format itself takes is allocated. */
  #resetMap(): void {
    const { directoryTrack, directorySector, kind } = this.image.geometry;
    this.map.clear();
    for (let sector = 0; sector <= directorySector; sector++) this.map.allocate(directoryTrack, sector);
    if (kind === 'd71') for (let sector = 0; sector < 19; sector++) this.map.allocate(53, sector);
  }

  /** The blocks of a chain in order. A chain that bites its tail or leaves the disk ends in an error. */
  *#chain(start: Block): Generator<Block & { readonly bytes: Uint8Array; readonly used: number }> {
    const seen = new Set<number>();
    for (let { track, sector } = start; track !== 0; ) {
      const bytes = this.image.sector(track, sector);
      if (seen.has(track * 256 + sector)) throw new DiskError(71, track, sector);
      seen.add(track * 256 + sector);
      const [next = 0, last = 0] = bytes;
      yield { track, sector, bytes, used: next === 0 ? Math.max(0, last - 1) : dataBytes };
      [track, sector] = [next, last];
    }
  }

  *#slots(): Generator<{ bytes: Uint8Array; place: DirectoryEntry['place'] }> {
    const { directoryTrack: track, directorySector: sector } = this.image.geometry;
    for (const block of this.#chain({ track, sector })) {
      for (let index = 0; index < 8; index++) {
        const place = { track: block.track, sector: block.sector, index };
        yield { bytes: block.bytes.subarray(index * 32, index * 32 + 32), place };
      }
    }
  }

  directory(): DirectoryEntry[] {
    const entries: DirectoryEntry[] = [];
    for (const { bytes, place } of this.#slots()) if (bytes[2] !== 0) entries.push(decodeEntry(bytes, place));
    return entries;
  }

  /** The first file that matches, with the DOS's wildcards. */
  find(pattern: string | Uint8Array, type?: FileType): DirectoryEntry | undefined {
    return this.directory().find((entry) => matchesName(pattern, entry.rawName) && (!type || entry.type === type));
  }

  #required(pattern: string | Uint8Array): DirectoryEntry {
    const entry = this.find(pattern);
    if (!entry) throw new DiskError(62);
    return entry;
  }

  /** The contents of a file; for REL files all records in order. */
  read(file: string | Uint8Array | DirectoryEntry): Uint8Array {
    const entry = typeof file === 'string' || file instanceof Uint8Array ? this.#required(file) : file;
    const parts: Uint8Array[] = [];
    for (const { bytes, used, track, sector } of this.#chain(entry)) {
      const job = this.image.errorOf(track, sector);
      if (job > 1) throw new DiskError(20, track, sector);
      parts.push(bytes.subarray(2, 2 + used));
    }
    return concatBytes(parts);
  }

  /** The records of a REL file. */
  records(file: string | Uint8Array | DirectoryEntry): Uint8Array[] {
    const entry = typeof file === 'string' || file instanceof Uint8Array ? this.#required(file) : file;
    if (entry.type !== 'REL' || entry.recordLength === 0) throw new DiskError(64);
    const bytes = this.read(entry);
    const count = Math.floor(bytes.length / entry.recordLength);
    return Array.from({ length: count }, (_, index) =>
      bytes.slice(index * entry.recordLength, (index + 1) * entry.recordLength),
    );
  }

  /** Writes a file. Nothing changes on the disk when it does not fit. */
  write(
    name: string | Uint8Array,
    bytes: Uint8Array,
    type: Exclude<FileType, 'REL' | 'CBM' | 'DIR'> = 'PRG',
    options: { readonly replace?: boolean } = {},
  ): DirectoryEntry {
    const existing = this.directory().find((entry) => samePadded(name, entry.rawName));
    if (existing && !options.replace) throw new DiskError(63);
    // Of a Buffer, which files are read into, slice() is no copy.
    const before = new Uint8Array(this.image.bytes);
    try {
      if (existing) this.#remove(existing);
      const slot = this.#freeSlot();
      const blocks = this.#writeChain(bytes);
      slot.bytes.fill(0, 2);
      slot.bytes[2] = 0x80 | fileTypes.indexOf(type);
      slot.bytes.set([blocks[0]?.track ?? 0, blocks[0]?.sector ?? 0], 3);
      slot.bytes.set(paddedName(name), 5);
      slot.bytes.set([blocks.length & 255, blocks.length >> 8], 30);
      return decodeEntry(slot.bytes, slot.place);
    } catch (problem) {
      this.image.bytes.set(before);
      throw problem;
    }
  }

  #freeSlot(): { bytes: Uint8Array; place: DirectoryEntry['place'] } {
    const { directoryTrack, directorySector, directoryInterleave } = this.image.geometry;
    let last: Block = { track: directoryTrack, sector: directorySector };
    for (const slot of this.#slots()) {
      if (slot.bytes[2] === 0) return slot;
      last = slot.place;
    }
    const next = this.map.after(last.track, last.sector, directoryInterleave);
    if (!next || next.track !== directoryTrack) throw new DiskError(72);
    this.map.allocate(next.track, next.sector);
    this.image.sector(last.track, last.sector).set([next.track, next.sector]);
    const bytes = this.image.sector(next.track, next.sector);
    bytes.fill(0).set([0, 0xff]);
    return { bytes: bytes.subarray(0, 32), place: { ...next, index: 0 } };
  }

  #writeChain(bytes: Uint8Array): Block[] {
    const blocks: Block[] = [];
    let previous: Uint8Array | undefined;
    let at = 0;
    do {
      const last = blocks.at(-1);
      const block = last ? this.map.after(last.track, last.sector, this.image.geometry.interleave) : this.map.first();
      if (!block) throw new DiskError(72);
      this.map.allocate(block.track, block.sector);
      previous?.set([block.track, block.sector]);
      const part = bytes.subarray(at, at + dataBytes);
      previous = this.image.sector(block.track, block.sector);
      previous.fill(0).set([0, part.length + 1, ...part]);
      blocks.push(block);
      at += dataBytes;
    } while (at < bytes.length);
    return blocks;
  }

  #remove(entry: DirectoryEntry): void {
    for (const start of [entry, { track: entry.sideTrack, sector: entry.sideSector }]) {
      if (start.track === 0) continue;
      for (const { track, sector } of this.#chain(start)) this.map.release(track, sector);
    }
    const { track, sector, index } = entry.place;
    this.image.sector(track, sector)[index * 32 + 2] = 0;
  }

  /** Deletes all unlocked files that match and says how many. */
  scratch(pattern: string | Uint8Array): number {
    const matching = this.directory().filter((entry) => matchesName(pattern, entry.rawName) && !entry.locked);
    for (const entry of matching) this.#remove(entry);
    return matching.length;
  }

  rename(from: string | Uint8Array, to: string | Uint8Array): void {
    if (this.directory().some((entry) => samePadded(to, entry.rawName))) throw new DiskError(63);
    const { track, sector, index } = this.#required(from).place;
    this.image.sector(track, sector).set(paddedName(to), index * 32 + 5);
  }

  /** Builds the map anew from the directory, removes files that were never closed, and says how many. */
  validate(): number {
    const entries = this.directory();
    const { directoryTrack: track, directorySector: sector } = this.image.geometry;
    const chains = entries.map((entry) => ({ entry, blocks: entry.closed ? this.#blocksOf(entry) : [] }));
    this.#resetMap();
    for (const block of this.#chain({ track, sector })) this.map.allocate(block.track, block.sector);
    for (const { entry, blocks } of chains) {
      for (const block of blocks) this.map.allocate(block.track, block.sector);
      if (!entry.closed) this.image.sector(entry.place.track, entry.place.sector)[entry.place.index * 32 + 2] = 0;
    }
    return chains.filter(({ entry }) => !entry.closed).length;
  }

  #blocksOf(entry: DirectoryEntry): Block[] {
    if (entry.type === 'CBM') {
      // A partition of a 1581 is a run of blocks without links.
      const { sectorsIn } = this.image.geometry;
      return Array.from({ length: entry.blocks }, (_, index) => {
        const at = entry.sector + index;
        return { track: entry.track + Math.floor(at / sectorsIn(entry.track)), sector: at % sectorsIn(entry.track) };
      });
    }
    const side = entry.sideTrack === 0 ? [] : [...this.#chain({ track: entry.sideTrack, sector: entry.sideSector })];
    return entry.track === 0 ? side : [...this.#chain(entry), ...side];
  }
}

const samePadded = (name: string | Uint8Array, rawName: Uint8Array): boolean =>
  sameBytes(paddedName(name), paddedName(rawName));

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
