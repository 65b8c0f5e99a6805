import { hex } from '../../../../../formats/hex.ts';
import { DosError } from '../../../drives/dos-error.ts';
import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import { deviceInfo } from '../system-files.ts';
import { driveLetter, driveNumber } from './drives.ts';
import { handleText } from './files.ts';
import { genericDrive, supportsGeneric } from './ioctl-drive.ts';
import { attributesOf, generic, isRemovable, logicalDrive, transferControl, unitOf } from './ioctl-guest.ts';

const remote = 0x1000;
const genericForDisks = 0x0842;

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
  'can generic for',
  'can generic for drive',
];
const byDrive = new Set([4, 5, 8, 9, 13, 14, 15, 17]);

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
  (guest, dos) => controlDrive(guest, dos, false),
  (guest, dos) => controlDrive(guest, dos, true),
  inputStatus,
  outputStatus,
  removable,
  remoteDrive,
  remoteHandle,
  retries,
  (guest, dos) => genericDevice(guest, dos, false),
  (guest, dos) => genericForDrive(guest, dos, false),
  (guest, dos) => logicalLetter(guest, dos, false),
  (guest, dos) => logicalLetter(guest, dos, true),
  (guest, dos) => genericDevice(guest, dos, true),
  (guest, dos) => genericForDrive(guest, dos, true),
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

function controlDrive(guest: Guest, dos: Dos, writing: boolean): void {
  const unit = unitOf(dos, existingDrive(guest, dos));
  if (unit === undefined) throw new DosError('invalidFunction');
  guest.ax = transferControl(guest, dos, unit, writing);
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
  const unit = unitOf(dos, drive);
  if (dos.drives.find(drive)?.kind === 'cdrom') throw new DosError('invalidFunction');
  const changes = unit === undefined ? drive < 2 || dos.drives.get(drive).removable : isRemovable(dos, unit);
  guest.ax = changes ? 0 : 1;
}

function remoteDrive(guest: Guest, dos: Dos): void {
  const drive = existingDrive(guest, dos);
  const folder = (dos.drives.find(drive)?.sectors ?? undefined) === undefined;
  const unit = unitOf(dos, drive);
  guest.dx = unit !== undefined ? attributesOf(dos, unit) : folder && drive >= 2 ? remote : genericForDisks;
}

function remoteHandle(guest: Guest, dos: Dos): void {
  const file = dos.handles.file(guest.bx);
  guest.dx = file.info;
}

function retries(): void {}

function genericDevice(guest: Guest, dos: Dos, asking: boolean): void {
  const file = dos.handles.file(guest.bx);
  if (!file.isDevice || dos.devices.isOwn(file.driver)) throw new DosError('invalidFunction');
  generic(guest, dos, { driver: file.driver, unit: 0 }, asking);
}

function genericForDrive(guest: Guest, dos: Dos, asking: boolean): void {
  const number = existingDrive(guest, dos);
  const unit = unitOf(dos, number);
  if (unit !== undefined) generic(guest, dos, unit, asking);
  else if (!asking) genericDrive(guest, dos.drives.get(number));
  else if (!supportsGeneric(guest)) throw new DosError('invalidFunction');
}

function logicalLetter(guest: Guest, dos: Dos, setting: boolean): void {
  const unit = unitOf(dos, existingDrive(guest, dos));
  guest.al = unit === undefined ? 0 : logicalDrive(dos, unit, setting);
}

function existingDrive(guest: Guest, dos: Dos): number {
  const drive = driveNumber(guest.bl, dos);
  if (!dos.directories.valid(drive)) throw new DosError('invalidDrive');
  return dos.directories.real(drive);
}
