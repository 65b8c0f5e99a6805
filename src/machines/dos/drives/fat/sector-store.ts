import type { SavedDrive } from '../saved-drive.ts';
/** Sectors by number, as a FAT volume uses them. */
export interface SectorStore {
  /** Grows with every write: what was derived from the contents is to be thrown away then. */
  readonly version: number;
  /** Not to be changed by the caller. */
  read(sector: number): Uint8Array;
  write(sector: number, bytes: Uint8Array): void;
}

/** What a FAT volume lies on. */
export interface VolumeDisk extends SectorStore {
  readonly floppy: boolean;
  save(): SavedDrive;
  restore(saved: SavedDrive): void;
}
