import { DosError } from '../../../drives/dos-error.ts';
import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import { hex, linear } from '../far-pointer.ts';
import { deviceInfo } from '../system-files.ts';
import { driveLetter, driveNumber } from './drives.ts';
import { handleText } from './files.ts';

const remote = 0x1000;
const genericForDisks = 0x0842;
const readParameters = 0x60;
const readSerial = 0x66;

const names = [
  'get information of',
  'set information of',
  'read control of',
  'write control of',
  'read control of drive',
  'write control of drive',
  'input status of',
  'output status of',
  'removable?',
  'remote drive?',
  'remote handle?',
  'set retries',
  'generic for',
  'generic for drive',
  'get logical drive',
  'set logical drive',
];
const byDrive = new Set([4, 5, 8, 9, 13, 14, 15]);

/** IOCTL. */
export const ioctl: DosFunction = {
  number: 0x44,
  name: 'IOCTL',
  failure: 'carry',
  describe(guest, dos) {
    const target = byDrive.has(guest.al) ? driveLetter(driveNumber(guest.bl, dos)) : handleText(guest, dos);
    return `${names[guest.al] ?? '?'} ${target}`;
  },
  run(guest, dos) {
    const handler = handlers[guest.al];
    if (handler === undefined) throw new DosError('invalidFunction');
    handler(guest, dos);
    return undefined;
  },
  result: (guest) => `ax=${hex(guest.ax, 4)}h dx=${hex(guest.dx, 4)}h`,
};

const handlers: readonly (((guest: Guest, dos: Dos) => void) | undefined)[] = [
  getInformation,
  setInformation,
  (guest, dos) => control(guest, dos, false),
  (guest, dos) => control(guest, dos, true),
  refuseDrive,
  refuseDrive,
  inputStatus,
  outputStatus,
  removable,
  remoteDrive,
  remoteHandle,
  retries,
  refuseDevice,
  genericDrive,
  logicalDrive,
  logicalDrive,
];

function getInformation(guest: Guest, dos: Dos): void {
  guest.dx = dos.handles.file(guest.bx).info;
  guest.ax = guest.dx;
}

function setInformation(guest: Guest, dos: Dos): void {
  const file = dos.handles.file(guest.bx);
  if (guest.dh !== 0) throw new DosError('invalidData');
  if (!file.isDevice) throw new DosError('invalidFunction');
  file.info = (file.info & 0xff00) | guest.dl | deviceInfo.device;
}

function control(guest: Guest, dos: Dos, writing: boolean): void {
  const file = dos.handles.file(guest.bx);
  if (!file.isDevice) throw new DosError('invalidFunction');
  guest.ax = dos.deviceFiles.control(file, writing, guest.cx, { segment: guest.ds, offset: guest.dx });
}

function refuseDevice(guest: Guest, dos: Dos): void {
  dos.handles.file(guest.bx);
  throw new DosError('invalidFunction');
}

function refuseDrive(guest: Guest, dos: Dos): void {
  existingDrive(guest, dos);
  throw new DosError('invalidFunction');
}

function inputStatus(guest: Guest, dos: Dos): void {
  const file = dos.handles.file(guest.bx);
  const ready = file.isDevice ? dos.deviceFiles.inputReady(file) : file.position < dos.handles.size(file);
  guest.al = ready ? 0xff : 0;
}

function outputStatus(guest: Guest, dos: Dos): void {
  const file = dos.handles.file(guest.bx);
  guest.al = file.isDevice && !dos.deviceFiles.outputReady(file) ? 0 : 0xff;
}

function removable(guest: Guest, dos: Dos): void {
  const drive = existingDrive(guest, dos);
  guest.ax = drive < 2 || dos.drives.get(drive).removable ? 0 : 1;
}

function remoteDrive(guest: Guest, dos: Dos): void {
  const drive = existingDrive(guest, dos);
  const folder = (dos.drives.find(drive)?.sectors ?? undefined) === undefined;
  guest.dx = folder && drive >= 2 ? remote : genericForDisks;
}

function remoteHandle(guest: Guest, dos: Dos): void {
  const file = dos.handles.file(guest.bx);
  guest.dx = file.info;
}

function retries(): void {}

/** Serial number and label, and the parameters that tell what medium this is. */
function genericDrive(guest: Guest, dos: Dos): void {
  const drive = dos.drives.get(existingDrive(guest, dos));
  const target = linear(guest.ds, guest.dx);
  const { memory } = guest;
  if (guest.cl === readSerial) {
    memory.write16(target, 0);
    memory.write32(target + 2, drive.serial);
    const label = (drive.label() || 'NO NAME').padEnd(11);
    const type = drive.media === 0xf8 ? 'FAT16   ' : 'FAT12   ';
    memory.write(
      target + 6,
      Uint8Array.from(label + type, (character) => character.charCodeAt(0)),
    );
    return;
  }
  if (guest.cl !== readParameters) throw new DosError('invalidFunction');
  const space = drive.space();
  const sectors = Math.min(0xffff, space.clusters * space.sectorsPerCluster);
  memory.write8(target + 1, drive.removable ? 7 : 5);
  memory.write16(target + 2, drive.removable ? 0 : 1);
  memory.write16(target + 7, space.bytesPerSector);
  memory.write8(target + 9, space.sectorsPerCluster);
  memory.write16(target + 0x0f, sectors);
  memory.write8(target + 0x11, drive.media);
}

function logicalDrive(guest: Guest, dos: Dos): void {
  existingDrive(guest, dos);
  guest.al = 0;
}

function existingDrive(guest: Guest, dos: Dos): number {
  const drive = driveNumber(guest.bl, dos);
  if (!dos.directories.valid(drive)) throw new DosError('invalidDrive');
  return dos.directories.real(drive);
}
