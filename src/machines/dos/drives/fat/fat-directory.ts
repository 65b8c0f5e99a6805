import { DosError } from '../dos-error.ts';
import { attributes, type DirectoryEntry } from '../drive.ts';
import type { AllocationTable } from './allocation-table.ts';
import type { SectorStore } from './sector-store.ts';
import type { VolumeLayout } from './volume-layout.ts';

const entryBytes = 32;
const deleted = 0xe5;
/** How a name starts that really begins with E5h. */
const escapedDeleted = 0x05;
const longName = 0x0f;
/** A directory larger than this is damage. */
const maxSlots = 65_536;

export interface EntryFields {
  readonly name: string;
  readonly attributes: number;
  readonly stamp: number;
  readonly start: number;
  readonly size: number;
}

/** Directory entries of a volume. An entry is known by its place: sector of the volume times entries of a sector, plus index. */
export class FatDirectories {
  readonly #disk: SectorStore;
  readonly #layout: VolumeLayout;
  readonly #table: AllocationTable;
  readonly #entriesPerSector: number;
  /** The directory walked last, good while nothing is written. */
  #walked: { directory: number; version: number; sectors: readonly number[] } = {
    directory: -1,
    version: -1,
    sectors: [],
  };

  constructor(disk: SectorStore, layout: VolumeLayout, table: AllocationTable) {
    this.#disk = disk;
    this.#layout = layout;
    this.#table = table;
    this.#entriesPerSector = layout.bytesPerSector / entryBytes;
  }

  /** The first used entry at or after a slot. Directory 0 is the root. */
  scan(directory: number, slot: number): DirectoryEntry | undefined {
    const sectors = this.#sectors(directory);
    for (let at = slot; at < Math.min(sectors.length * this.#entriesPerSector, maxSlots); at++) {
      const place = this.#place(sectors, at);
      const first = this.#bytes(place)[0];
      if (first === 0) return undefined;
      if (first === deleted) continue;
      const entry = this.#parse(place, at);
      if (entry.attributes !== longName) return entry;
    }
    return undefined;
  }

  get(place: number): DirectoryEntry {
    const { dataSector, rootSector, sectors } = this.#layout;
    const sector = Math.floor(place / this.#entriesPerSector);
    if (sector < Math.min(rootSector, dataSector) || sector >= sectors) throw new DosError('invalidHandle');
    const first = this.#bytes(place)[0];
    if (first === 0 || first === deleted) throw new DosError('invalidHandle');
    return this.#parse(place, 0);
  }

  /** Into the first free slot; subdirectories grow. */
  add(directory: number, fields: EntryFields): number {
    const sectors = this.#sectors(directory);
    for (let slot = 0; slot < sectors.length * this.#entriesPerSector; slot++) {
      const place = this.#place(sectors, slot);
      const first = this.#bytes(place)[0];
      if (first !== 0 && first !== deleted) continue;
      this.write(place, fields);
      return place;
    }
    if (directory === 0) throw new DosError('cannotMakeEntry');
    const place = this.#grow(directory) * this.#entriesPerSector;
    this.write(place, fields);
    return place;
  }

  write(place: number, fields: EntryFields): void {
    const bytes = new Uint8Array(entryBytes);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < 11; i++) bytes[i] = fields.name.charCodeAt(i);
    if (bytes[0] === deleted) bytes[0] = escapedDeleted;
    bytes[11] = fields.attributes;
    view.setUint32(0x16, fields.stamp, true);
    view.setUint16(0x1a, fields.start, true);
    view.setUint32(0x1c, fields.size, true);
    this.#put(place, bytes);
  }

  remove(place: number): void {
    const bytes = this.#bytes(place).slice();
    bytes[0] = deleted;
    this.#put(place, bytes);
  }

  clearCluster(cluster: number): void {
    const zeros = new Uint8Array(this.#layout.bytesPerSector);
    for (let i = 0; i < this.#layout.sectorsPerCluster; i++) this.#write(this.#clusterSector(cluster) + i, zeros);
  }

  #grow(directory: number): number {
    const last = this.#table.chain(directory).at(-1) ?? directory;
    const cluster = this.#table.allocate(last);
    if (cluster === undefined) throw new DosError('cannotMakeEntry');
    this.#table.set(last, cluster);
    this.clearCluster(cluster);
    return this.#clusterSector(cluster);
  }

  #sectors(directory: number): readonly number[] {
    const { version } = this.#disk;
    if (this.#walked.directory !== directory || this.#walked.version !== version) {
      this.#walked = { directory, version, sectors: this.#walk(directory) };
    }
    return this.#walked.sectors;
  }

  #walk(directory: number): number[] {
    const { rootSector, rootSectors, sectorsPerCluster } = this.#layout;
    if (directory === 0) return Array.from({ length: rootSectors }, (_, index) => rootSector + index);
    return this.#table
      .chain(directory)
      .flatMap((cluster) =>
        Array.from({ length: sectorsPerCluster }, (_, index) => this.#clusterSector(cluster) + index),
      );
  }

  #clusterSector(cluster: number): number {
    return this.#layout.dataSector + (cluster - 2) * this.#layout.sectorsPerCluster;
  }

  #bytes(place: number): Uint8Array {
    const start = (place % this.#entriesPerSector) * entryBytes;
    const sector = this.#disk.read(this.#layout.firstSector + Math.floor(place / this.#entriesPerSector));
    return sector.subarray(start, start + entryBytes);
  }

  #put(place: number, bytes: Uint8Array): void {
    const number = Math.floor(place / this.#entriesPerSector);
    const sector = this.#disk.read(this.#layout.firstSector + number).slice();
    sector.set(bytes, (place % this.#entriesPerSector) * entryBytes);
    this.#write(number, sector);
  }

  #write(sector: number, bytes: Uint8Array): void {
    this.#disk.write(this.#layout.firstSector + sector, bytes);
  }

  #parse(place: number, slot: number): DirectoryEntry {
    const bytes = this.#bytes(place);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let name = String.fromCharCode(...bytes.subarray(0, 11));
    if (bytes[0] === escapedDeleted) name = String.fromCharCode(deleted) + name.slice(1);
    const attribute = bytes[11] ?? 0;
    return {
      id: place,
      slot,
      name,
      attributes: attribute,
      stamp: view.getUint32(0x16, true),
      size: attribute & attributes.directory ? 0 : view.getUint32(0x1c, true),
      start: view.getUint16(0x1a, true),
    };
  }

  #place(sectors: readonly number[], slot: number): number {
    const each = this.#entriesPerSector;
    return (sectors[Math.floor(slot / each)] ?? 0) * each + (slot % each);
  }
}
