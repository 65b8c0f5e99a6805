/** A floppy or hard disk by sectors of 512 bytes. */
export interface DiskImage {
  readonly cylinders: number;
  readonly heads: number;
  readonly sectorsPerTrack: number;
  readonly sectors: number;
  readonly readOnly: boolean;
  /** The bytes themselves, or a copy: callers do not change them. */
  read(sector: number): Uint8Array;
  write(sector: number, bytes: Uint8Array): void;
  /** A floppy that was put in since this was last asked. */
  changed?(): boolean;
}

/** Which image is in a drive: 0 and 1 are floppies, 80h on are hard disks. */
export type DiskShelf = (drive: number) => DiskImage | undefined;
