import type { Drive, DriveLayout, DriveSpace } from '../../drives/drive.ts';
import type { Dos } from './dos.ts';
import { linear, packFar } from './far-pointer.ts';
import { at, dosSegment, drivesMax, sizes } from './layout.ts';

/** For drives that have no sectors: something that adds up. */
const noLayout: DriveLayout = {
  reserved: 1,
  fats: 2,
  sectorsPerFat: 1,
  rootEntries: 512,
  rootSector: 3,
  dataSector: 35,
};

/** Writes a drive's parameter block, one of the chain that the list of lists starts. */
export function writeDriveParameters({ memory, devices, drives }: Dos, drive: number): void {
  const address = linear(dosSegment, at.drives + drive * sizes.drive);
  const last = drive === drivesMax - 1;
  const found = drives.find(drive);
  const guest = drives.guest(drive);
  const space = guest?.layout ?? ownSpace(found) ?? { bytesPerSector: 512, sectorsPerCluster: 1, clusters: 0 };
  memory.write(address, new Uint8Array(sizes.drive));
  memory.write8(address, drive);
  memory.write8(address + 1, guest?.disk.unit.unit ?? drive);
  memory.write16(address + 0x02, space.bytesPerSector);
  memory.write8(address + 0x04, space.sectorsPerCluster - 1);
  memory.write8(address + 0x05, Math.log2(space.sectorsPerCluster));
  const layout = found?.layout ?? noLayout;
  memory.write16(address + 0x06, layout.reserved);
  memory.write8(address + 0x08, layout.fats);
  memory.write16(address + 0x09, layout.rootEntries);
  memory.write16(address + 0x0b, layout.dataSector);
  memory.write16(address + 0x0d, space.clusters + 1);
  memory.write16(address + 0x0f, layout.sectorsPerFat);
  memory.write16(address + 0x11, layout.rootSector);
  memory.write32(address + 0x13, guest?.disk.unit.driver ?? packFar(devices.blockDriver()));
  memory.write8(address + 0x17, found?.media ?? 0xf8);
  memory.write8(address + 0x18, 0xff);
  const next = { segment: dosSegment, offset: at.drives + (drive + 1) * sizes.drive };
  memory.write32(address + 0x19, last ? 0xffff_ffff : packFar(next));
  memory.write16(address + 0x1d, 2);
  memory.write16(address + 0x1f, 0xffff);
}

/** Not to be asked of a drive of the guest: its driver would have to run first. */
function ownSpace(drive: Drive | undefined): DriveSpace | undefined {
  // A CD-ROM drive may be empty, and programs ask MSCDEX for it.
  return drive?.kind === 'cdrom' ? undefined : drive?.space();
}
