import { hex } from '../../../../../formats/hex.ts';
import type { Guest } from '../../guest.ts';
import type { FunctionRow, FunctionTable } from '../service-row.ts';
import { type DiskContext, diskStatus, finish, readSector, SECTOR_BYTES, writeSector } from './disk-access.ts';
import type { DiskImage } from './disk-image.ts';

/** As many as the first version of these functions takes. */
const mostBlocks = 127;

const drive = (g: Guest) => `drive ${hex(g.dl, 2)}h`;

/** A transfer described by a packet at DS:SI: size, blocks, buffer, first block. */
function transfer(
  name: string,
  act: ((disk: DiskImage, sector: number, context: DiskContext, at: number) => number) | undefined,
): FunctionRow<DiskContext> {
  return {
    name,
    details: (g) => `${drive(g)} packet at ${hex(g.ds, 4)}:${hex(g.si, 4)}`,
    run(context, guest) {
      const { memory } = context;
      const disk = context.disk(guest.dl);
      if (disk === undefined || (guest.dl & 0x80) === 0) return finish(context, guest, diskStatus.badCommand);
      const packet = (guest.ds << 4) + guest.si;
      const blocks = memory.read16(packet + 2);
      const buffer = (memory.read16(packet + 6) << 4) + memory.read16(packet + 4);
      const first = memory.read32(packet + 8) + memory.read32(packet + 12) * 0x1_0000_0000;
      memory.write16(packet + 2, 0);
      if (blocks > mostBlocks) return finish(context, guest, diskStatus.badCommand);
      for (let i = 0; i < blocks; i++) {
        if (first + i >= disk.sectors) return finish(context, guest, diskStatus.sectorNotFound);
        const status = act?.(disk, first + i, context, buffer + i * SECTOR_BYTES) ?? diskStatus.ok;
        if (status !== diskStatus.ok) return finish(context, guest, status);
        memory.write16(packet + 2, i + 1);
      }
      return finish(context, guest, diskStatus.ok);
    },
  };
}

/** INT 13h AH=41h to 48h: hard disks by block number. */
export const extendedFunctions: FunctionTable<DiskContext> = [
  {
    number: 0x41,
    name: 'extensions',
    details: drive,
    run(context, guest) {
      if (guest.bx !== 0x55aa || (guest.dl & 0x80) === 0 || context.disk(guest.dl) === undefined)
        return finish(context, guest, diskStatus.badCommand);
      finish(context, guest, diskStatus.ok);
      guest.bx = 0xaa55;
      guest.ah = 0x21;
      guest.cx = 1;
      return 'done';
    },
  },
  {
    number: 0x42,
    ...transfer('extended read', (disk, sector, { memory }, at) => readSector(disk, sector, memory, at)),
  },
  {
    number: 0x43,
    ...transfer('extended write', (disk, sector, { memory }, at) => writeSector(disk, sector, memory, at)),
  },
  { number: 0x44, ...transfer('extended verify', undefined) },
  { number: 0x47, ...transfer('extended seek', undefined) },
  {
    number: 0x48,
    name: 'extended parameters',
    details: drive,
    run(context, guest) {
      const { memory } = context;
      const disk = context.disk(guest.dl);
      const at = (guest.ds << 4) + guest.si;
      if (disk === undefined || (guest.dl & 0x80) === 0 || memory.read16(at) < 26)
        return finish(context, guest, diskStatus.badCommand);
      memory.write16(at, 26);
      memory.write16(at + 2, 2);
      memory.write32(at + 4, disk.cylinders);
      memory.write32(at + 8, disk.heads);
      memory.write32(at + 12, disk.sectorsPerTrack);
      memory.write32(at + 16, disk.sectors >>> 0);
      memory.write32(at + 20, 0);
      memory.write16(at + 24, SECTOR_BYTES);
      return finish(context, guest, diskStatus.ok);
    },
  },
];
