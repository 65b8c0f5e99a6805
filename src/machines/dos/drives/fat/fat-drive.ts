import { DosError } from '../dos-error.ts';
import {
  attributes,
  type DirectoryEntry,
  type Drive,
  type DrivePath,
  type DriveSpace,
  type EntryChange,
  type SectorAccess,
} from '../drive.ts';
import type { SavedDrive } from '../saved-drive.ts';
import { AllocationTable } from './allocation-table.ts';
import { FatDirectories } from './fat-directory.ts';
import { FatFiles } from './fat-files.ts';
import type { VolumeDisk } from './sector-store.ts';
import type { VolumeLayout } from './volume-layout.ts';

const dot = '.'.padEnd(11);
const dotDot = '..'.padEnd(11);

/** In a boot sector: the byte that says that a serial number follows, and that number. */
const markAt = 0x26;
const serialAt = 0x27;

/** A FAT12 or FAT16 volume of a disk. */
export class FatDrive implements Drive {
  readonly kind = 'image';
  readonly removable: boolean;
  readonly media: number;
  readonly sectors: SectorAccess;
  readonly #disk: VolumeDisk;
  readonly layout: VolumeLayout;
  readonly #table: AllocationTable;
  readonly #directories: FatDirectories;
  readonly #files: FatFiles;

  constructor(disk: VolumeDisk, layout: VolumeLayout) {
    this.#disk = disk;
    this.layout = layout;
    this.removable = disk.floppy;
    this.media = layout.media;
    this.#table = new AllocationTable(disk, layout);
    this.#directories = new FatDirectories(disk, layout, this.#table);
    this.#files = new FatFiles(disk, layout, this.#table, this.#directories);
    this.sectors = {
      bytesPerSector: layout.bytesPerSector,
      count: layout.sectors,
      read: (sector) => disk.read(layout.firstSector + sector),
      write: (sector, bytes) => disk.write(layout.firstSector + sector, bytes),
    };
  }

  /** Programs may write another one into the boot sector. */
  get serial(): number {
    const boot = this.sectors.read(0);
    if (boot[markAt] !== 0x29 && boot[markAt] !== 0x28) return 0;
    return new DataView(boot.buffer, boot.byteOffset, boot.byteLength).getUint32(serialAt, true);
  }

  label(): string {
    return this.#labelEntry()?.name ?? '';
  }

  setLabel(label: string, stamp: number): void {
    const old = this.#labelEntry();
    const fields = { name: label, attributes: attributes.label, stamp, start: 0, size: 0 };
    if (label === '') {
      if (old !== undefined) this.#directories.remove(old.id);
    } else if (old !== undefined) this.#directories.write(old.id, fields);
    else this.#directories.add(0, fields);
  }

  lookup(path: DrivePath): DirectoryEntry | undefined {
    const name = path.at(-1);
    if (name === undefined) {
      return { id: 0, slot: 0, name: '', attributes: attributes.directory, stamp: 0, size: 0, start: 0 };
    }
    return this.#find(this.directory(path.slice(0, -1)), name);
  }

  directory(path: DrivePath): number {
    let directory = 0;
    for (const name of path) {
      const entry = this.#find(directory, name);
      if (entry === undefined || !(entry.attributes & attributes.directory)) throw new DosError('pathNotFound');
      directory = entry.start;
    }
    return directory;
  }

  scan(directory: number, slot: number): DirectoryEntry | undefined {
    return this.#directories.scan(directory, slot);
  }

  create(path: DrivePath, attribute: number, stamp: number): DirectoryEntry {
    const directory = this.directory(path.slice(0, -1));
    const name = path.at(-1);
    if (name === undefined) throw new DosError('accessDenied');
    const old = this.#find(directory, name);
    const fields = { name, attributes: attribute | attributes.archive, stamp, start: 0, size: 0 };
    if (old === undefined) return this.entry(this.#directories.add(directory, fields));
    if (old.attributes & (attributes.directory | attributes.readOnly)) throw new DosError('accessDenied');
    this.#files.release(old);
    this.#directories.write(old.id, fields);
    return this.entry(old.id);
  }

  entry(id: number): DirectoryEntry {
    return this.#directories.get(id);
  }

  update(id: number, change: EntryChange): void {
    const entry = this.entry(id);
    const fixed = attributes.directory | attributes.label;
    const wanted = change.attributes ?? entry.attributes;
    const attribute = (wanted & ~fixed) | (entry.attributes & fixed);
    this.#directories.write(id, { ...entry, attributes: attribute, stamp: change.stamp ?? entry.stamp });
  }

  read(id: number, position: number, length: number): Uint8Array {
    return this.#files.read(id, position, length);
  }

  write(id: number, position: number, bytes: Uint8Array, stamp: number): number {
    return this.#files.write(id, position, bytes, stamp);
  }

  truncate(id: number, size: number, stamp: number): void {
    this.#files.truncate(id, size, stamp);
  }

  delete(path: DrivePath): void {
    const entry = this.lookup(path);
    if (entry === undefined) throw new DosError('fileNotFound');
    if (entry.attributes & (attributes.directory | attributes.readOnly)) throw new DosError('accessDenied');
    this.#files.release(entry);
    this.#directories.remove(entry.id);
  }

  rename(from: DrivePath, to: DrivePath): void {
    const entry = from.length === 0 ? undefined : this.lookup(from);
    const name = to.at(-1);
    if (entry === undefined) throw new DosError('fileNotFound');
    const source = this.directory(from.slice(0, -1));
    const target = this.directory(to.slice(0, -1));
    if (name === undefined || this.#find(target, name) !== undefined) throw new DosError('accessDenied');
    if (source === target) {
      this.#directories.write(entry.id, { ...entry, name });
      return;
    }
    if (entry.attributes & attributes.directory) throw new DosError('accessDenied');
    this.#directories.add(target, { ...entry, name });
    this.#directories.remove(entry.id);
  }

  makeDirectory(path: DrivePath, stamp: number): void {
    const parent = this.directory(path.slice(0, -1));
    const name = path.at(-1);
    if (name === undefined || this.#find(parent, name) !== undefined) throw new DosError('accessDenied');
    const cluster = this.#table.allocate(1);
    if (cluster === undefined) throw new DosError('diskFull');
    this.#directories.clearCluster(cluster);
    const fields = { attributes: attributes.directory, stamp, size: 0 };
    try {
      this.#directories.add(parent, { ...fields, name, start: cluster });
    } catch (error) {
      this.#table.free([cluster]);
      throw error;
    }
    this.#directories.add(cluster, { ...fields, name: dot, start: cluster });
    this.#directories.add(cluster, { ...fields, name: dotDot, start: parent });
  }

  removeDirectory(path: DrivePath): void {
    const entry = path.length === 0 ? undefined : this.lookup(path);
    if (entry === undefined || !(entry.attributes & attributes.directory)) throw new DosError('pathNotFound');
    for (let inside = this.scan(entry.start, 0); inside; inside = this.scan(entry.start, inside.slot + 1)) {
      if (inside.name !== dot && inside.name !== dotDot) throw new DosError('accessDenied');
    }
    this.#files.release(entry);
    this.#directories.remove(entry.id);
  }

  commit(): void {}

  space(): DriveSpace {
    const { bytesPerSector, sectorsPerCluster, clusters } = this.layout;
    return { bytesPerSector, sectorsPerCluster, clusters, freeClusters: this.#table.freeCount() };
  }

  save(): SavedDrive {
    return this.#disk.save();
  }

  restore(saved: SavedDrive): void {
    this.#disk.restore(saved);
  }

  #labelEntry(): DirectoryEntry | undefined {
    for (let entry = this.scan(0, 0); entry; entry = this.scan(0, entry.slot + 1)) {
      if (entry.attributes & attributes.label) return entry;
    }
    return undefined;
  }

  #find(directory: number, name: string): DirectoryEntry | undefined {
    for (let entry = this.scan(directory, 0); entry; entry = this.scan(directory, entry.slot + 1)) {
      if (entry.name === name && !(entry.attributes & attributes.label)) return entry;
    }
    return undefined;
  }
}
