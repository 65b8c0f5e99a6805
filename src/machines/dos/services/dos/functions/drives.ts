import { DosError } from '../../../drives/dos-error.ts';
import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import { linear } from '../far-pointer.ts';
import { at, dosSegment, drivesMax, sizes } from '../layout.ts';

const mediaOffset = 0x17;

const reset: DosFunction = {
  number: 0x0d,
  name: 'flush disks',
  failure: 'none',
  run(_guest, dos) {
    for (const file of dos.files.open()) dos.handles.commit(file);
    return undefined;
  },
};

const select: DosFunction = {
  number: 0x0e,
  name: 'select drive',
  failure: 'none',
  describe: (guest) => driveLetter(guest.dl),
  run(guest, dos) {
    if (dos.directories.valid(guest.dl)) dos.area.currentDrive = guest.dl;
    guest.al = drivesMax;
    return undefined;
  },
};

const current: DosFunction = {
  number: 0x19,
  name: 'get current drive',
  failure: 'none',
  run(guest, dos) {
    guest.al = dos.area.currentDrive;
    return undefined;
  },
  result: (guest) => driveLetter(guest.al),
};

const allocationDefault: DosFunction = {
  number: 0x1b,
  name: 'get allocation of current drive',
  failure: 'al',
  run: (guest, dos) => allocationInfo(guest, dos, 0),
  result: clusterText,
};

const allocation: DosFunction = {
  number: 0x1c,
  name: 'get allocation of drive',
  failure: 'al',
  describe: driveOfDl,
  run: (guest, dos) => allocationInfo(guest, dos, guest.dl),
  result: clusterText,
};

const parametersDefault: DosFunction = {
  number: 0x1f,
  name: 'get parameters of current drive',
  failure: 'al',
  run: (guest, dos) => parameterBlock(guest, dos, 0),
};

const parameters: DosFunction = {
  number: 0x32,
  name: 'get parameters of drive',
  failure: 'al',
  describe: driveOfDl,
  run: (guest, dos) => parameterBlock(guest, dos, guest.dl),
};

const space: DosFunction = {
  number: 0x36,
  name: 'get free space',
  failure: 'none',
  describe: driveOfDl,
  run(guest, dos) {
    const drive = driveNumber(guest.dl, dos);
    if (!dos.directories.valid(drive)) {
      guest.ax = 0xffff;
      return undefined;
    }
    const info = dos.realDrive(drive).space();
    guest.ax = info.sectorsPerCluster;
    guest.bx = info.freeClusters;
    guest.cx = info.bytesPerSector;
    guest.dx = info.clusters;
    return undefined;
  },
  result: (guest) => (guest.ax === 0xffff ? 'invalid drive' : `${guest.ax * guest.bx * guest.cx} bytes`),
};

export const driveFunctions = [
  reset,
  select,
  current,
  allocationDefault,
  allocation,
  parametersDefault,
  parameters,
  space,
] as const;

/** 0 means the current drive, 1 is A:. */
export function driveNumber(code: number, dos: Dos): number {
  return code === 0 ? dos.area.currentDrive : code - 1;
}

export function driveLetter(drive: number): string {
  return drive < drivesMax ? `${String.fromCharCode(0x41 + drive)}:` : `drive ${drive}`;
}

function driveOfDl(guest: Guest, dos: Dos): string {
  return driveLetter(driveNumber(guest.dl, dos));
}

function allocationInfo(guest: Guest, dos: Dos, code: number): undefined {
  const drive = driveNumber(code, dos);
  if (!dos.directories.valid(drive)) throw new DosError('invalidDrive');
  const info = dos.realDrive(drive).space();
  const media = linear(dosSegment, at.drives + dos.directories.real(drive) * sizes.drive + mediaOffset);
  guest.ax = info.sectorsPerCluster;
  guest.cx = info.bytesPerSector;
  guest.dx = info.clusters;
  guest.bx = (media & 15) + 0x20;
  guest.ds = (media - guest.bx) >> 4;
  return undefined;
}

function parameterBlock(guest: Guest, dos: Dos, code: number): undefined {
  const drive = driveNumber(code, dos);
  if (!dos.directories.valid(drive)) throw new DosError('invalidDrive');
  if (dos.realDrive(drive).kind === 'cdrom') throw new DosError('invalidDrive');
  guest.ds = dosSegment;
  guest.bx = at.drives + dos.directories.real(drive) * sizes.drive;
  guest.al = 0;
  return undefined;
}

function clusterText(guest: Guest): string {
  return `${guest.dx} clusters of ${guest.al * guest.cx} bytes`;
}
