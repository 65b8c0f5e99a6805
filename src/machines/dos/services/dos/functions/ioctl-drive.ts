import { DosError } from '../../../drives/dos-error.ts';
import type { Drive, SectorAccess } from '../../../drives/drive.ts';
import type { Guest, GuestMemory } from '../../guest.ts';
import { linear } from '../far-pointer.ts';
import { writeText } from '../guest-text.ts';

const diskCategory = 0x08;
const fixedDisk = 5;
const otherDisk = 7;
const lockable = 2;
const bootSerial = 0x27;

/** Where a drive keeps what, as programs that format and copy disks want it. */
interface Geometry {
  readonly sectorsPerTrack: number;
  readonly heads: number;
  readonly hidden: number;
}

/** Function 0Dh for the drives of this machine, by CL. */
const actions: Readonly<Record<number, (guest: Guest, drive: Drive, place: number) => void>> = {
  // What is on a disk decides what it is; formatting programs may say it again.
  64: () => {},
  65: (guest, drive, place) => tracks(guest, drive, place, true),
  66: (guest, drive, place) => formatTrack(guest, drive, place),
  70: (guest, drive, place) => setSerial(guest, drive, place),
  71: () => {},
  96: (guest, drive, place) => writeParameters(guest.memory, drive, place),
  97: (guest, drive, place) => tracks(guest, drive, place, false),
  98: (guest, drive, place) => checkTrack(guest.memory, drive, place),
  102: (guest, drive, place) => writeSerial(guest.memory, drive, place),
  103: (guest, _drive, place) => guest.memory.write8(place + 1, 1),
  104: (guest, drive, place) => writeMedium(guest.memory, drive, place),
};

export function supportsGeneric(guest: Guest): boolean {
  return guest.ch === diskCategory && actions[guest.cl] !== undefined;
}

export function genericDrive(guest: Guest, drive: Drive): void {
  if (!supportsGeneric(guest)) throw new DosError('invalidFunction');
  actions[guest.cl]?.(guest, drive, linear(guest.ds, guest.dx));
}

/** The default medium is always the one that is in. */
function writeParameters(memory: GuestMemory, drive: Drive, place: number): void {
  const { sectorsPerTrack, heads, hidden } = geometry(drive);
  const { bytesPerSector, sectorsPerCluster, clusters } = drive.space();
  const { reserved, fats, rootEntries, sectorsPerFat, dataSector } = drive.layout ?? noLayout;
  const sectors = drive.sectors?.count ?? dataSector + clusters * sectorsPerCluster;
  memory.write8(place + 1, drive.removable ? otherDisk : fixedDisk);
  memory.write16(place + 2, drive.removable ? lockable : 1);
  memory.write16(place + 4, Math.min(0xffff, Math.ceil(sectors / (sectorsPerTrack * heads))));
  memory.write8(place + 6, 0);
  memory.write16(place + 7, bytesPerSector);
  memory.write8(place + 9, sectorsPerCluster);
  memory.write16(place + 0x0a, reserved);
  memory.write8(place + 0x0c, fats);
  memory.write16(place + 0x0d, rootEntries);
  memory.write16(place + 0x0f, sectors < 0x10000 ? sectors : 0);
  memory.write8(place + 0x11, drive.media);
  memory.write16(place + 0x12, sectorsPerFat);
  memory.write16(place + 0x14, sectorsPerTrack);
  memory.write16(place + 0x16, heads);
  memory.write32(place + 0x18, hidden);
  memory.write32(place + 0x1c, sectors < 0x10000 ? 0 : sectors);
  memory.write(place + 0x20, new Uint8Array(6));
}

/** As much as all memory below 640 KiB. */
const mostSectors = 1280;

const noLayout = { reserved: 1, fats: 2, rootEntries: 512, sectorsPerFat: 1, dataSector: 35 } as const;

/** Head, cylinder, first sector, count, buffer. */
function tracks(guest: Guest, drive: Drive, place: number, writing: boolean): void {
  const { memory } = guest;
  const access = sectorsOf(drive);
  const first = trackStart(memory, drive, place) + memory.read16(place + 5);
  const count = memory.read16(place + 7);
  const buffer = linear(memory.read16(place + 0x0b), memory.read16(place + 9));
  if (first + count > access.count || count > mostSectors) throw new DosError('sectorNotFound');
  for (let i = 0; i < count; i++) {
    const at = buffer + i * access.bytesPerSector;
    if (writing) access.write(first + i, memory.bytes(at, access.bytesPerSector));
    else memory.write(at, access.read(first + i));
  }
}

function formatTrack({ memory }: Guest, drive: Drive, place: number): void {
  // Bit 0 only asks whether this can be done.
  const asking = memory.read8(place) & 1;
  const access = sectorsOf(drive);
  memory.write8(place, 0);
  if (asking) return;
  const first = trackStart(memory, drive, place);
  const { sectorsPerTrack } = geometry(drive);
  if (first + sectorsPerTrack > access.count) throw new DosError('sectorNotFound');
  const blank = new Uint8Array(access.bytesPerSector).fill(0xf6);
  for (let i = 0; i < sectorsPerTrack; i++) access.write(first + i, blank);
}

function checkTrack(memory: GuestMemory, drive: Drive, place: number): void {
  if (trackStart(memory, drive, place) >= sectorsOf(drive).count) throw new DosError('sectorNotFound');
}

function trackStart(memory: GuestMemory, drive: Drive, place: number): number {
  const { heads, sectorsPerTrack, hidden } = geometry(drive);
  return (memory.read16(place + 3) * heads + memory.read16(place + 1)) * sectorsPerTrack - hidden;
}

function writeSerial(memory: GuestMemory, drive: Drive, place: number): void {
  memory.write16(place, 0);
  memory.write32(place + 2, drive.serial);
  writeText(memory, place + 6, (drive.label() || 'NO NAME').padEnd(11));
  writeText(memory, place + 17, fatName(drive));
}

/** In the boot sector, from where it is read. */
function setSerial({ memory }: Guest, drive: Drive, place: number): void {
  const access = sectorsOf(drive);
  const boot = access.read(0).slice();
  boot.set(memory.bytes(place + 2, 4 + 11 + 8), bootSerial);
  access.write(0, boot);
}

/** Double density 3.5 inch, high, extra high, or none of these. */
function writeMedium(memory: GuestMemory, drive: Drive, place: number): void {
  const type = { 1440: 2, 2880: 7, 5760: 9 }[drive.removable ? (drive.sectors?.count ?? 0) : 0];
  if (type === undefined) throw new DosError('invalidFunction');
  memory.write8(place, 1);
  memory.write8(place + 1, type);
}

export function fatName(drive: Drive): string {
  return drive.space().clusters > 4084 ? 'FAT16   ' : 'FAT12   ';
}

function sectorsOf(drive: Drive): SectorAccess {
  if (drive.sectors === undefined) throw new DosError('invalidFunction');
  return drive.sectors;
}

function geometry({ sectors }: Drive): Geometry {
  if (sectors === undefined) return { sectorsPerTrack: 63, heads: 16, hidden: 0 };
  const boot = sectors.read(0);
  const view = new DataView(boot.buffer, boot.byteOffset, boot.byteLength);
  return {
    sectorsPerTrack: view.getUint16(0x18, true) || 9,
    heads: view.getUint16(0x1a, true) || 2,
    hidden: view.getUint16(0x1c, true),
  };
}
