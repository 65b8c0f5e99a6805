import { DosError } from '../../../drives/dos-error.ts';
import { attributes } from '../../../drives/drive.ts';
import type { DosFunction } from '../dos-function.ts';
import { linear } from '../far-pointer.ts';
import { quoted, readAsciz, writeAsciz } from '../guest-text.ts';
import { driveLetter, driveNumber } from './drives.ts';
import { pathAt, pathText } from './files.ts';

const make: DosFunction = {
  number: 0x39,
  name: 'make directory',
  failure: 'carry',
  describe: pathText,
  run(guest, dos) {
    const path = dos.paths.resolve(pathAt(guest));
    if (path.device !== undefined) throw new DosError('accessDenied');
    dos.drives.get(path.drive).makeDirectory(path.names, dos.stamp());
    return undefined;
  },
};

const remove: DosFunction = {
  number: 0x3a,
  name: 'remove directory',
  failure: 'carry',
  describe: pathText,
  run(guest, dos) {
    const path = dos.paths.resolve(pathAt(guest));
    if (path.device !== undefined) throw new DosError('pathNotFound');
    if (dos.directories.isInUse(dos.paths.format(path))) throw new DosError('currentDirectory');
    dos.drives.get(path.drive).removeDirectory(path.names);
    return undefined;
  },
};

const change: DosFunction = {
  number: 0x3b,
  name: 'change directory',
  failure: 'carry',
  describe: pathText,
  run(guest, dos) {
    const path = dos.paths.resolve(pathAt(guest));
    const drive = dos.drives.get(path.drive);
    const entry = path.device ? undefined : drive.lookup(path.names);
    if (entry === undefined || !(entry.attributes & attributes.directory)) throw new DosError('pathNotFound');
    dos.directories.set(path.letter ?? path.drive, dos.paths.format(path));
    return undefined;
  },
};

const current: DosFunction = {
  number: 0x47,
  name: 'get current directory',
  failure: 'carry',
  describe: (guest, dos) => driveLetter(driveNumber(guest.dl, dos)),
  run(guest, dos) {
    const drive = driveNumber(guest.dl, dos);
    if (!dos.directories.valid(drive)) throw new DosError('invalidDrive');
    dos.realDrive(drive);
    writeAsciz(guest.memory, linear(guest.ds, guest.si), dos.directories.get(drive).slice(3));
    guest.ax = 0x100;
    return undefined;
  },
  result: (guest) => quoted(readAsciz(guest.memory, guest.ds, guest.si)),
};

export const directoryFunctions = [make, remove, change, current] as const;
