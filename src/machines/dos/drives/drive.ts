import type { SavedDrive } from './saved-drive.ts';
/** Directory names from the root down, each in the 11-byte form of directory entries (`README  TXT`). */
export type DrivePath = readonly string[];

/** Attribute bits of a directory entry. */
export const attributes = {
  readOnly: 0x01,
  hidden: 0x02,
  system: 0x04,
  label: 0x08,
  directory: 0x10,
  archive: 0x20,
} as const;

export interface DirectoryEntry {
  /** Stays the same while the file exists: what read, write and update take. */
  readonly id: number;
  /** Where in its directory it stands; scanning goes on after it. */
  readonly slot: number;
  /** 11 bytes, one character each, in the machine's code page. */
  readonly name: string;
  readonly attributes: number;
  /** DOS date in the upper word, DOS time in the lower. */
  readonly stamp: number;
  readonly size: number;
  /** First cluster, or what stands for it. For a directory: what scan takes. */
  readonly start: number;
}

export interface DriveSpace {
  readonly bytesPerSector: number;
  readonly sectorsPerCluster: number;
  readonly clusters: number;
  readonly freeClusters: number;
}

/** Where a volume keeps what, in sectors: for programs that read it on their own. */
export interface DriveLayout {
  readonly reserved: number;
  readonly fats: number;
  readonly sectorsPerFat: number;
  readonly rootEntries: number;
  readonly rootSector: number;
  readonly dataSector: number;
}

export interface EntryChange {
  readonly attributes?: number;
  readonly stamp?: number;
}

/** A file system with a drive letter. Whatever cannot be done throws a DosError. */
export interface Drive {
  readonly kind: 'folder' | 'zip' | 'image' | 'driver' | 'cdrom';
  readonly removable: boolean;
  /** Media descriptor: F8h hard disk, F0h/F9h/FDh… floppies. */
  readonly media: number;
  readonly serial: number;
  /** 11 bytes, or '' without a label. */
  label(): string;
  setLabel(label: string, stamp: number): void;
  /** Undefined where the last name does not exist; throws where a directory on the way does not. */
  lookup(path: DrivePath): DirectoryEntry | undefined;
  /** What scan takes for this directory. */
  directory(path: DrivePath): number;
  /** The first entry at or after a slot: `.`, `..` and the label included. */
  scan(directory: number, slot: number): DirectoryEntry | undefined;
  /** A new empty file, or an old one cut to nothing. */
  create(path: DrivePath, attributes: number, stamp: number): DirectoryEntry;
  entry(id: number): DirectoryEntry;
  /** Shorter than asked at the end of the file. */
  read(id: number, position: number, length: number): Uint8Array;
  /** How many bytes found room. A gap before the position is filled. */
  write(id: number, position: number, bytes: Uint8Array, stamp: number): number;
  truncate(id: number, size: number, stamp: number): void;
  update(id: number, change: EntryChange): void;
  delete(path: DrivePath): void;
  rename(from: DrivePath, to: DrivePath): void;
  makeDirectory(path: DrivePath, stamp: number): void;
  removeDirectory(path: DrivePath): void;
  /** What was written to this file is to survive now. */
  commit(id: number): void;
  space(): DriveSpace;
  /** What was written has taken in memory so far, given back or not. Not of an image: its disk knows. */
  readonly copiedBytes?: number;
  /** Names of files that were written to memory alone. */
  readonly unsaved?: readonly string[];
  /** Only where the drive has sectors. */
  readonly sectors?: SectorAccess;
  readonly layout?: DriveLayout;
  save(): SavedDrive;
  /** Of a drive of the same kind. */
  restore(saved: SavedDrive): void;
}

/** A volume by sectors of 512 bytes or what its boot sector says. */
export interface SectorAccess {
  readonly bytesPerSector: number;
  readonly count: number;
  read(sector: number): Uint8Array;
  write(sector: number, bytes: Uint8Array): void;
}
