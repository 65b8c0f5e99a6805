import { hex } from '../../../../../formats/hex.ts';
import { DosError } from '../../../drives/dos-error.ts';
import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import { linear } from '../far-pointer.ts';
import { quoted, readAsciz, writeAsciz, writeText } from '../guest-text.ts';
import { at, dosSegment, sizes } from '../layout.ts';
import type { SystemFile } from '../system-files.ts';
import { driveLetter, driveNumber } from './drives.ts';
import { handleText } from './files.ts';
import { fatName } from './ioctl-drive.ts';

const lock: DosFunction = {
  number: 0x5c,
  name: 'lock file',
  failure: 'carry',
  describe: (guest, dos) => {
    const { start, length } = region(guest);
    return `${guest.al === 0 ? 'lock' : 'unlock'} ${handleText(guest, dos)}, ${length} bytes from ${start}`;
  },
  run(guest, dos) {
    const file = dos.handles.file(guest.bx);
    if (!dos.share.loaded || guest.al > 1) throw new DosError('invalidFunction');
    const { start, length } = region(guest);
    const process = dos.processes.current;
    if (guest.al === 0) dos.share.lock(file, process, start, length);
    else dos.share.unlock(file, process, start, length);
    return undefined;
  },
};

function region({ cx, dx, si, di }: Guest): { start: number; length: number } {
  return { start: cx * 0x10000 + dx, length: si * 0x10000 + di };
}

const internals: DosFunction = {
  number: 0x5d,
  name: 'internal',
  failure: 'carry',
  describe: (guest) => `subfunction ${hex(guest.al, 2)}h`,
  run(guest, dos) {
    const action = internalActions[guest.al];
    if (action === undefined) throw new DosError('invalidFunction');
    action(guest, dos);
    return undefined;
  },
};

/** In the swappable area: where DOS keeps the path it works on. */
const firstNameAt = 0x9e;

/** Function 5Dh by AL. Those before 6 are a file server's: DS:DX points to its list of registers. 0 is in interrupt-21.ts. */
const internalActions: Readonly<Record<number, (guest: Guest, dos: Dos) => void>> = {
  1: (_guest, dos) => {
    for (const file of dos.files.open()) dos.handles.commit(file);
  },
  2: closeByName,
  // There is one computer only.
  3: (_guest, dos) => closeWhere(dos, () => true),
  4: (guest, dos) => {
    const process = registerOf(guest, 0x14);
    closeWhere(dos, ({ owner }) => owner === process);
  },
  5: openFile,
  6: (guest) => {
    guest.ds = dosSegment;
    guest.si = at.swappableArea;
    guest.cx = sizes.swappableArea;
    guest.dx = 0x1a;
  },
  10: (guest, dos) => {
    const list = linear(guest.ds, guest.dx);
    dos.area.errorCode = guest.memory.read16(list);
    dos.area.errorAction = guest.memory.read8(list + 2);
    dos.area.errorClass = guest.memory.read8(list + 3);
    dos.area.errorLocus = guest.memory.read8(list + 5);
  },
};

/** A word of the list at DS:DX: AX, BX, CX, DX, SI, DI, DS, ES, a reserved one, the computer, the process. */
function registerOf(guest: Guest, offset: number): number {
  return guest.memory.read16(linear(guest.ds, guest.dx) + offset);
}

function closeByName(guest: Guest, dos: Dos): void {
  if (!dos.share.loaded) throw new DosError('invalidFunction');
  const path = dos.paths.resolve(readAsciz(guest.memory, registerOf(guest, 0x0c), registerOf(guest, 0x06)));
  const entry = path.device ? undefined : dos.drives.get(path.drive).lookup(path.names);
  if (entry === undefined) throw new DosError('fileNotFound');
  closeWhere(dos, ({ drive, id }) => drive === path.drive && id === entry.id);
}

/** Owned by this computer, which has no number in a network. */
function openFile(guest: Guest, dos: Dos): void {
  if (!dos.share.loaded) throw new DosError('invalidFunction');
  const found = dos.share.find(registerOf(guest, 0x02), registerOf(guest, 0x04));
  if (found === undefined) throw new DosError('noMoreFiles');
  const name = at.swappableArea + firstNameAt;
  writeAsciz(guest.memory, linear(dosSegment, name), found.path);
  guest.es = dosSegment;
  guest.di = name;
  guest.bx = 0;
  guest.cx = found.locks;
}

/** Closes files whoever has them open; their handles lead nowhere then. */
function closeWhere(dos: Dos, wanted: (file: SystemFile) => boolean): void {
  if (!dos.share.loaded) throw new DosError('invalidFunction');
  for (const file of dos.files.open()) {
    if (file.isDevice || !wanted(file)) continue;
    file.references = 1;
    dos.handles.release(file);
  }
}

const enableDrive = 7;
const disableDrive = 8;
/** Function 5Fh by AL. There is no network, so nothing is redirected. */
const redirections: Readonly<Record<number, string>> = {
  0: 'get mode',
  1: 'set mode',
  2: 'get entry',
  3: 'redirect',
  4: 'cancel',
  7: 'enable drive',
  8: 'disable drive',
};

const network: DosFunction = {
  number: 0x5e,
  name: 'network',
  failure: 'carry',
  describe: (guest) => `subfunction ${guest.al}`,
  run(guest) {
    if (guest.al !== 0) throw new DosError('invalidFunction');
    writeText(guest.memory, linear(guest.ds, guest.dx), ''.padEnd(15));
    guest.memory.write8(linear(guest.ds, guest.dx + 15), 0);
    guest.cx = 0;
    return undefined;
  },
};

const redirection: DosFunction = {
  number: 0x5f,
  name: 'network redirection',
  failure: 'carry',
  describe: (guest) => redirections[guest.al] ?? `subfunction ${guest.al}`,
  run(guest, dos) {
    if (guest.al === 2) throw new DosError('noMoreFiles');
    if (guest.al !== enableDrive && guest.al !== disableDrive) throw new DosError('invalidFunction');
    dos.directories.enable(guest.dl, guest.al === enableDrive);
    return undefined;
  },
};

const trueName: DosFunction = {
  number: 0x60,
  name: 'true name',
  failure: 'carry',
  describe: (guest) => quoted(readAsciz(guest.memory, guest.ds, guest.si)),
  run(guest, dos) {
    const path = dos.paths.resolve(readAsciz(guest.memory, guest.ds, guest.si), true);
    const text = path.device === undefined ? dos.paths.format(path) : `${driveLetter(path.drive)}/${path.device.name}`;
    writeAsciz(guest.memory, linear(guest.es, guest.di), text);
    return undefined;
  },
  result: (guest) => quoted(readAsciz(guest.memory, guest.es, guest.di)),
};

const commit: DosFunction = {
  number: 0x68,
  name: 'commit file',
  failure: 'carry',
  describe: handleText,
  run(guest, dos) {
    dos.handles.commit(dos.handles.file(guest.bx));
    return undefined;
  },
};

const commitOther: DosFunction = { ...commit, number: 0x6a };

const serialNumber: DosFunction = {
  number: 0x69,
  name: 'disk serial number',
  failure: 'carry',
  describe: (guest, dos) => driveLetter(driveNumber(guest.bl, dos)),
  run(guest, dos) {
    if (guest.al !== 0) throw new DosError('invalidFunction');
    const number = driveNumber(guest.bl, dos);
    if (!dos.directories.valid(number)) throw new DosError('invalidDrive');
    const drive = dos.realDrive(number);
    const target = linear(guest.ds, guest.dx);
    guest.memory.write16(target, 0);
    guest.memory.write32(target + 2, drive.serial);
    writeText(guest.memory, target + 6, (drive.label() || 'NO NAME').padEnd(11));
    writeText(guest.memory, target + 17, fatName(drive));
    return undefined;
  },
};

export const sharingFunctions = [
  lock,
  internals,
  network,
  redirection,
  trueName,
  commit,
  serialNumber,
  commitOther,
] as const;
