import type { DirectoryEntry, Drive, DrivePath, DriveSpace, EntryChange, SectorAccess } from '../../drives/drive.ts';
import { FatDrive } from '../../drives/fat/fat-drive.ts';
import type { VolumeLayout } from '../../drives/fat/volume-layout.ts';
import type { SavedDrive, SavedGuestDisk } from '../../drives/saved-drive.ts';
import type { GuestDisk } from './guest-disk.ts';

/** A drive whose driver the guest has brought. Services use it as any other; each use asks the driver what it must. */
export class GuestDrive implements Drive {
  readonly kind = 'driver';
  readonly removable = false;
  readonly disk: GuestDisk;
  #volume: FatDrive;

  constructor(disk: GuestDisk) {
    this.disk = disk;
    this.#volume = new FatDrive(disk, disk.layout);
  }

  get media(): number {
    return this.disk.layout.media;
  }

  get layout(): VolumeLayout {
    return this.disk.layout;
  }

  get serial(): number {
    return this.#ready().serial;
  }

  get sectors(): SectorAccess {
    const { layout, disk } = this;
    return {
      bytesPerSector: layout.bytesPerSector,
      count: layout.sectors,
      read: (sector) => this.#ready().sectors.read(sector),
      write: (sector, bytes) => disk.write(sector, bytes),
    };
  }

  label(): string {
    return this.#ready().label();
  }

  setLabel(label: string, stamp: number): void {
    this.#change((volume) => volume.setLabel(label, stamp));
  }

  lookup(path: DrivePath): DirectoryEntry | undefined {
    return this.#ready().lookup(path);
  }

  directory(path: DrivePath): number {
    return this.#ready().directory(path);
  }

  scan(directory: number, slot: number): DirectoryEntry | undefined {
    return this.#ready().scan(directory, slot);
  }

  create(path: DrivePath, attributes: number, stamp: number): DirectoryEntry {
    return this.#change((volume) => volume.create(path, attributes, stamp));
  }

  entry(id: number): DirectoryEntry {
    return this.#ready().entry(id);
  }

  read(id: number, position: number, length: number): Uint8Array {
    return this.#ready().read(id, position, length);
  }

  write(id: number, position: number, bytes: Uint8Array, stamp: number): number {
    return this.#change((volume) => volume.write(id, position, bytes, stamp));
  }

  truncate(id: number, size: number, stamp: number): void {
    this.#change((volume) => volume.truncate(id, size, stamp));
  }

  update(id: number, change: EntryChange): void {
    this.#change((volume) => volume.update(id, change));
  }

  delete(path: DrivePath): void {
    this.#change((volume) => volume.delete(path));
  }

  rename(from: DrivePath, to: DrivePath): void {
    this.#change((volume) => volume.rename(from, to));
  }

  makeDirectory(path: DrivePath, stamp: number): void {
    this.#change((volume) => volume.makeDirectory(path, stamp));
  }

  removeDirectory(path: DrivePath): void {
    this.#change((volume) => volume.removeDirectory(path));
  }

  /** Nothing waits to be written. */
  commit(): void {}

  space(): DriveSpace {
    return this.#ready().space();
  }

  save(): SavedGuestDisk {
    return this.disk.save();
  }

  restore(saved: SavedDrive): void {
    this.disk.restore(saved);
  }

  #ready(): FatDrive {
    this.disk.check();
    if (this.#volume.layout !== this.disk.layout) this.#volume = new FatDrive(this.disk, this.disk.layout);
    return this.#volume;
  }

  #change<T>(action: (volume: FatDrive) => T): T {
    const volume = this.#ready();
    return this.disk.change(() => action(volume));
  }
}
