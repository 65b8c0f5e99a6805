import type { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import type { DirectoryEntry } from '../../../formats/commodore/media/directory-entry.ts';
import { DiskError } from '../../../formats/commodore/media/disk-error.ts';
import { type BlockPlace, blocksOf } from './file-chain.ts';

const dataBytes = 254;
const blocksOfSide = 120;
const mostSides = 6;
const tableStart = 16;
const emptyRecord = 0xff;
const relativeType = 0x84;
const entryBytes = 32;

/** A REL file: records of one length, found through side sectors that list its blocks. Everything is read from the disk itself. */
export class RelativeFile {
  readonly #disk: CommodoreDisk;
  readonly #entry: Uint8Array;

  constructor(disk: CommodoreDisk, { track, sector, index }: DirectoryEntry['place']) {
    this.#disk = disk;
    this.#entry = disk.image.sector(track, sector).subarray(index * entryBytes, (index + 1) * entryBytes);
  }

  /** A new one, with as many empty records as its first block holds. */
  static create(disk: CommodoreDisk, name: Uint8Array, recordLength: number): DirectoryEntry {
    if (disk.freeBlocks < 2) throw new DiskError(72);
    const entry = disk.write(name, new Uint8Array(), 'USR');
    const file = new RelativeFile(disk, entry.place);
    const side = disk.map.after(entry.track, entry.sector, disk.image.geometry.interleave);
    if (!side) throw new DiskError(72);
    disk.map.allocate(side.track, side.sector);
    file.#entry[2] = relativeType;
    file.#entry.set([side.track, side.sector, recordLength], 21);
    file.#writeSides([side], [entry]);
    file.#fillRecords(0, [entry]);
    return { ...entry, type: 'REL', recordLength, sideTrack: side.track, sideSector: side.sector };
  }

  get recordLength(): number {
    return this.#entry[23] ?? 0;
  }

  get recordCount(): number {
    const blocks = this.#blocks();
    const last = blocks.at(-1);
    if (!last) return 0;
    const used = (this.#disk.image.sector(last.track, last.sector)[1] ?? 1) - 1;
    return Math.floor(((blocks.length - 1) * dataBytes + used) / this.recordLength);
  }

  read(record: number): Uint8Array {
    const blocks = this.#blocks();
    const start = record * this.recordLength;
    return Uint8Array.from({ length: this.recordLength }, (_, index) => {
      const { bytes, at } = this.#place(blocks, start + index);
      return bytes[at] ?? 0;
    });
  }

  /** Puts bytes into a record that exists, from a position on. */
  write(record: number, position: number, bytes: ArrayLike<number>): void {
    const blocks = this.#blocks();
    const start = record * this.recordLength + position;
    for (let index = 0; index < bytes.length; index++) {
      const { bytes: block, at } = this.#place(blocks, start + index);
      block[at] = bytes[index] ?? 0;
    }
  }

  /** Adds empty records, a block full at a time, until this one exists. */
  extendTo(record: number): void {
    const before = this.recordCount;
    if (record < before) return;
    const blocks = this.#blocks();
    const sides = this.#sides();
    const wanted = Math.ceil(((record + 1) * this.recordLength) / dataBytes);
    if (wanted > mostSides * blocksOfSide) throw new DiskError(52);
    const wantedSides = Math.ceil(wanted / blocksOfSide);
    if (this.#disk.freeBlocks < wanted - blocks.length + wantedSides - sides.length) throw new DiskError(72);
    while (blocks.length < wanted) blocks.push(this.#allocateAfter(blocks.at(-1)));
    while (sides.length < wantedSides) sides.push(this.#allocateAfter(blocks.at(-1)));
    for (const [index, { track, sector }] of blocks.entries()) {
      const next = blocks[index + 1];
      if (next) this.#disk.image.sector(track, sector).set([next.track, next.sector]);
    }
    this.#writeSides(sides, blocks);
    this.#fillRecords(before, blocks);
  }

  #allocateAfter(last: BlockPlace | undefined): BlockPlace {
    const { map, image } = this.#disk;
    const next = last ? map.after(last.track, last.sector, image.geometry.interleave) : map.first();
    if (!next) throw new DiskError(72);
    map.allocate(next.track, next.sector);
    image.sector(next.track, next.sector).fill(0);
    return next;
  }

  #sides(): BlockPlace[] {
    return blocksOf(this.#disk, { track: this.#entry[21] ?? 0, sector: this.#entry[22] ?? 0 });
  }

  #blocks(): BlockPlace[] {
    return this.#sides().flatMap(({ track, sector }) => {
      const side = this.#disk.image.sector(track, sector);
      const end = side[0] === 0 ? (side[1] ?? 0) : 255;
      const places: BlockPlace[] = [];
      for (let at = tableStart; at < end; at += 2) places.push({ track: side[at] ?? 0, sector: side[at + 1] ?? 0 });
      return places;
    });
  }

  #place(blocks: readonly BlockPlace[], offset: number): { readonly bytes: Uint8Array; readonly at: number } {
    const block = blocks[Math.floor(offset / dataBytes)];
    if (!block) throw new DiskError(50);
    return { bytes: this.#disk.image.sector(block.track, block.sector), at: (offset % dataBytes) + 2 };
  }

  /** Each side sector has its number, the record length, the places of all of them, and those of 120 blocks. */
  #writeSides(sides: readonly BlockPlace[], blocks: readonly BlockPlace[]): void {
    const places = sides.flatMap(({ track, sector }) => [track, sector]);
    for (const [index, { track, sector }] of sides.entries()) {
      const own = blocks.slice(index * blocksOfSide, (index + 1) * blocksOfSide);
      const next = sides[index + 1];
      const link = next ? [next.track, next.sector] : [0, tableStart + own.length * 2 - 1];
      const side = this.#disk.image.sector(track, sector);
      side.fill(0).set([...link, index, this.recordLength, ...places]);
      side.set(
        own.flatMap((block) => [block.track, block.sector]),
        tableStart,
      );
    }
    const count = sides.length + blocks.length;
    this.#entry.set([count & 255, count >> 8], 30);
  }

  /** Empty records from this number on to the end of the last block. */
  #fillRecords(first: number, blocks: readonly BlockPlace[]): void {
    const length = this.recordLength;
    const count = Math.floor((blocks.length * dataBytes) / length);
    const last = blocks.at(-1);
    if (!last) return;
    const used = count * length - (blocks.length - 1) * dataBytes;
    this.#disk.image.sector(last.track, last.sector).set([0, used + 1]);
    for (let record = first; record < count; record++) {
      for (let index = 0; index < length; index++) {
        const { bytes, at } = this.#place(blocks, record * length + index);
        bytes[at] = index === 0 ? emptyRecord : 0;
      }
    }
  }
}
