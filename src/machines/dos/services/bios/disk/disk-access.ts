import type { Guest, GuestMemory } from '../../guest.ts';
import { bda } from '../data-area.ts';
import type { DiskImage, DiskShelf } from './disk-image.ts';

export interface DiskContext {
  readonly memory: GuestMemory;
  readonly disk: DiskShelf;
}

export const diskStatus = {
  ok: 0x00,
  badCommand: 0x01,
  writeProtected: 0x03,
  sectorNotFound: 0x04,
  changed: 0x06,
  boundary: 0x09,
  noMedium: 0x31,
  notReady: 0x80,
} as const;

export const SECTOR_BYTES = 512;

/** Puts the status where programs look for it. */
export function finish({ memory }: DiskContext, guest: Guest, status: number): 'done' {
  guest.ah = status;
  guest.carry = status !== diskStatus.ok;
  memory.write8((guest.dl & 0x80) !== 0 ? bda.hardDiskStatus : bda.diskStatus, status);
  return 'done';
}

export function readSector(disk: DiskImage, sector: number, memory: GuestMemory, at: number): number {
  memory.write(at, disk.read(sector));
  return diskStatus.ok;
}

export function writeSector(disk: DiskImage, sector: number, memory: GuestMemory, at: number): number {
  if (disk.readOnly) return diskStatus.writeProtected;
  disk.write(sector, memory.bytes(at, SECTOR_BYTES));
  return diskStatus.ok;
}
