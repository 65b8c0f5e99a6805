import { DosError } from '../../../drives/dos-error.ts';
import type { DosFunction } from '../dos-function.ts';
import { hex, linear } from '../far-pointer.ts';
import { quoted, readAsciz, writeAsciz, writeText } from '../guest-text.ts';
import { at, dosSegment, sizes } from '../layout.ts';
import { driveLetter, driveNumber } from './drives.ts';
import { handleText } from './files.ts';

const lock: DosFunction = {
  number: 0x5c,
  name: 'lock file',
  failure: 'carry',
  describe: (guest, dos) => `${guest.al === 0 ? 'lock' : 'unlock'} ${handleText(guest, dos)}`,
  run(guest, dos) {
    dos.handles.file(guest.bx);
    // Without SHARE, which is not loaded, DOS knows no locks.
    throw new DosError('invalidFunction');
  },
};

const internals: DosFunction = {
  number: 0x5d,
  name: 'internal',
  failure: 'carry',
  describe: (guest) => `subfunction ${hex(guest.al, 2)}h`,
  run(guest, dos) {
    if (guest.al === 6) {
      guest.ds = dosSegment;
      guest.si = at.swappableArea;
      guest.cx = sizes.swappableArea;
      guest.dx = 0x1a;
    } else if (guest.al === 0x0a) {
      const list = linear(guest.ds, guest.dx);
      dos.area.errorCode = guest.memory.read16(list);
      dos.area.errorAction = guest.memory.read8(list + 2);
      dos.area.errorClass = guest.memory.read8(list + 3);
      dos.area.errorLocus = guest.memory.read8(list + 5);
    } else throw new DosError('invalidFunction');
    return undefined;
  },
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
  describe: (guest) => `subfunction ${guest.al}`,
  run(guest) {
    throw new DosError(guest.al === 2 ? 'noMoreFiles' : 'invalidFunction');
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
    const drive = dos.drives.get(number);
    const target = linear(guest.ds, guest.dx);
    guest.memory.write16(target, 0);
    guest.memory.write32(target + 2, drive.serial);
    writeText(guest.memory, target + 6, (drive.label() || 'NO NAME').padEnd(11));
    writeText(guest.memory, target + 17, drive.media === 0xf8 ? 'FAT16   ' : 'FAT12   ');
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
