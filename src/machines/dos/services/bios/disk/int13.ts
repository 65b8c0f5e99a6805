import { hex } from '../../../../../formats/hex.ts';
import type { Guest, GuestMemory } from '../../guest.ts';
import { bda } from '../data-area.ts';
import { romTables } from '../rom-layout.ts';
import { type FunctionRow, type FunctionTable, rowByAh, type ServiceRow } from '../service-row.ts';
import { type DiskContext, diskStatus, finish, readSector, SECTOR_BYTES, writeSector } from './disk-access.ts';
import type { DiskImage } from './disk-image.ts';
import { extendedFunctions } from './extended-functions.ts';

const place = (g: Guest) =>
  `drive ${hex(g.dl, 2)}h cylinder ${g.ch | ((g.cl & 0xc0) << 2)} head ${g.dh} sector ${g.cl & 63}`;
const transferDetails = (g: Guest) => `${g.al} sectors, ${place(g)}, ${hex(g.es, 4)}:${hex(g.bx, 4)}`;

function transfer(name: string, act: (disk: DiskImage, sector: number, memory: GuestMemory, at: number) => number) {
  const row: FunctionRow<DiskContext> = {
    name,
    details: transferDetails,
    result: (g) => (g.carry ? `status ${hex(g.ah, 2)}h after ${g.al} sectors` : `${g.al} sectors`),
    run(context, guest) {
      const disk = context.disk(guest.dl);
      const wanted = guest.al;
      guest.al = 0;
      if (disk === undefined) return finish(context, guest, diskStatus.notReady);
      const cylinder = guest.ch | ((guest.cl & 0xc0) << 2);
      const sector = guest.cl & 0x3f;
      if (sector === 0 || sector > disk.sectorsPerTrack || guest.dh >= disk.heads || cylinder >= disk.cylinders)
        return finish(context, guest, diskStatus.sectorNotFound);
      if (disk.changed?.() === true) return finish(context, guest, diskStatus.changed);
      const first = (cylinder * disk.heads + guest.dh) * disk.sectorsPerTrack + sector - 1;
      for (let i = 0; i < wanted; i++) {
        if (first + i >= disk.sectors) return finish(context, guest, diskStatus.sectorNotFound);
        const at = (guest.es << 4) + ((guest.bx + i * SECTOR_BYTES) & 0xffff);
        const status = act(disk, first + i, context.memory, at);
        if (status !== diskStatus.ok) return finish(context, guest, status);
        guest.al = i + 1;
      }
      return finish(context, guest, diskStatus.ok);
    },
  };
  return row;
}

const accepted = (name: string): FunctionRow<DiskContext> => ({
  name,
  details: (g) => `drive ${hex(g.dl, 2)}h`,
  run: (context, guest) =>
    finish(context, guest, context.disk(guest.dl) === undefined ? diskStatus.notReady : diskStatus.ok),
});

/** CMOS types of floppy drives by sectors on a track and cylinders. */
function floppyType(disk: DiskImage): number {
  if (disk.sectorsPerTrack <= 9) return disk.cylinders > 42 ? 3 : 1;
  return disk.sectorsPerTrack === 15 ? 2 : disk.sectorsPerTrack > 18 ? 5 : 4;
}

const functions: FunctionTable<DiskContext> = [
  {
    number: 0x00,
    name: 'reset',
    details: (g) => `drive ${hex(g.dl, 2)}h`,
    run: (context, guest) => finish(context, guest, diskStatus.ok),
  },
  {
    number: 0x01,
    name: 'status',
    run({ memory }, guest) {
      guest.ah = memory.read8((guest.dl & 0x80) !== 0 ? bda.hardDiskStatus : bda.diskStatus);
      guest.carry = guest.ah !== 0;
      return 'done';
    },
  },
  { number: 0x02, ...transfer('read', readSector) },
  { number: 0x03, ...transfer('write', writeSector) },
  { number: 0x04, ...transfer('verify', () => diskStatus.ok) },
  {
    number: 0x05,
    name: 'format track',
    details: place,
    run(context, guest) {
      const disk = context.disk(guest.dl);
      if (disk === undefined) return finish(context, guest, diskStatus.notReady);
      if (disk.readOnly) return finish(context, guest, diskStatus.writeProtected);
      const first = ((guest.ch | ((guest.cl & 0xc0) << 2)) * disk.heads + guest.dh) * disk.sectorsPerTrack;
      const blank = new Uint8Array(SECTOR_BYTES).fill(0xf6);
      for (let i = 0; i < disk.sectorsPerTrack && first + i < disk.sectors; i++) disk.write(first + i, blank);
      return finish(context, guest, diskStatus.ok);
    },
  },
  {
    number: 0x08,
    name: 'drive parameters',
    details: (g) => `drive ${hex(g.dl, 2)}h`,
    run(context, guest) {
      const { memory } = context;
      const drive = guest.dl;
      const disk = context.disk(drive);
      const hard = (drive & 0x80) !== 0;
      const count = hard ? memory.read8(bda.hardDisks) : floppyDrives(memory);
      if (disk === undefined) {
        if (hard || (drive & 0x7f) >= count) return finish(context, guest, diskStatus.badCommand);
        // An empty floppy drive has the parameters of its own kind.
        setGeometry(guest, { cylinders: 80, heads: 2, sectorsPerTrack: 18 });
        guest.bx = 4;
      } else {
        setGeometry(guest, disk);
        guest.bx = hard ? guest.bx : floppyType(disk);
      }
      guest.dl = count;
      guest.al = 0;
      if (!hard) {
        guest.es = 0xf000;
        guest.di = romTables.diskParameters;
      }
      guest.ah = 0;
      guest.carry = false;
      return 'done';
    },
  },
  { number: 0x09, ...accepted('set hard disk parameters') },
  { number: 0x0c, ...accepted('seek') },
  { number: 0x0d, ...accepted('reset hard disk') },
  { number: 0x10, ...accepted('drive ready') },
  { number: 0x11, ...accepted('recalibrate') },
  { number: 0x14, ...accepted('controller test') },
  {
    number: 0x15,
    name: 'drive type',
    details: (g) => `drive ${hex(g.dl, 2)}h`,
    run(context, guest) {
      const disk = context.disk(guest.dl);
      guest.carry = false;
      if ((guest.dl & 0x80) === 0) guest.ah = guest.dl < floppyDrives(context.memory) ? 2 : 0;
      else if (disk === undefined) guest.ah = 0;
      else {
        guest.ah = 3;
        guest.cx = disk.sectors >>> 16;
        guest.dx = disk.sectors & 0xffff;
      }
      return 'done';
    },
  },
  {
    number: 0x16,
    name: 'floppy changed',
    details: (g) => `drive ${hex(g.dl, 2)}h`,
    run(context, guest) {
      const disk = context.disk(guest.dl);
      if (disk === undefined) return finish(context, guest, diskStatus.notReady);
      return finish(context, guest, disk.changed?.() === true ? diskStatus.changed : diskStatus.ok);
    },
  },
  { number: 0x17, ...accepted('set floppy type') },
  {
    number: 0x18,
    name: 'set media type',
    details: (g) => `drive ${hex(g.dl, 2)}h`,
    run(context, guest) {
      guest.es = 0xf000;
      guest.di = romTables.diskParameters;
      return finish(context, guest, context.disk(guest.dl) === undefined ? diskStatus.notReady : diskStatus.ok);
    },
  },
  ...extendedFunctions,
];

const floppyDrives = (memory: GuestMemory) => {
  const equipment = memory.read16(bda.equipment);
  return (equipment & 1) === 0 ? 0 : ((equipment >> 6) & 3) + 1;
};

function setGeometry(guest: Guest, disk: Pick<DiskImage, 'cylinders' | 'heads' | 'sectorsPerTrack'>): void {
  const last = Math.min(disk.cylinders, 1024) - 1;
  guest.ch = last & 0xff;
  guest.cl = disk.sectorsPerTrack | ((last >> 2) & 0xc0);
  guest.dh = disk.heads - 1;
}

/** INT 13h. */
export const diskService = (context: DiskContext): ServiceRow =>
  rowByAh(0x13, 'disk', context, functions, (guest) => {
    finish(context, guest, diskStatus.badCommand);
  });
