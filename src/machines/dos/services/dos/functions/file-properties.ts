import { hex } from '../../../../../formats/hex.ts';
import { DosError } from '../../../drives/dos-error.ts';
import { attributes, type DirectoryEntry, type Drive } from '../../../drives/drive.ts';
import { stampText } from '../../../drives/stamp.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import { quoted, readAsciz } from '../guest-text.ts';
import { handleText, pathAt, pathText } from './files.ts';

const setting = 1;

const attribute: DosFunction = {
  number: 0x43,
  name: 'file attributes',
  failure: 'carry',
  describe: (guest) => `${guest.al === setting ? `set ${hex(guest.cx, 2)}h of` : 'get'} ${pathText(guest)}`,
  run(guest, dos) {
    if (guest.al > setting) throw new DosError('invalidFunction');
    const path = dos.paths.resolve(pathAt(guest));
    if (path.device !== undefined) throw new DosError('fileNotFound');
    const { drive, entry } = existing(dos, path.drive, path.names);
    if (guest.al === 0) {
      guest.cx = entry.attributes;
      guest.ax = entry.attributes;
      return undefined;
    }
    if (guest.cx & (attributes.label | 0xc0)) throw new DosError('accessDenied');
    if (guest.cx & attributes.directory && !(entry.attributes & attributes.directory))
      throw new DosError('accessDenied');
    drive.update(entry.id, { attributes: guest.cl & ~attributes.directory });
    return undefined;
  },
  result: (guest) => `${hex(guest.cx, 2)}h`,
};

const rename: DosFunction = {
  number: 0x56,
  name: 'rename',
  failure: 'carry',
  describe: (guest) => `${pathText(guest)} to ${quoted(readAsciz(guest.memory, guest.es, guest.di))}`,
  run(guest, dos) {
    const from = dos.paths.resolve(pathAt(guest));
    const to = dos.paths.resolve(readAsciz(guest.memory, guest.es, guest.di));
    if (from.device !== undefined || to.device !== undefined) throw new DosError('accessDenied');
    if (from.drive !== to.drive) throw new DosError('notSameDevice');
    existing(dos, from.drive, from.names);
    dos.drives.get(from.drive).rename(from.names, to.names);
    return undefined;
  },
};

const times: DosFunction = {
  number: 0x57,
  name: 'file time',
  failure: 'carry',
  describe: (guest, dos) => {
    const stamp = ((guest.dx << 16) | guest.cx) >>> 0;
    return `${guest.al === setting ? `set ${stampText(stamp)} of` : 'get'} ${handleText(guest, dos)}`;
  },
  run(guest, dos) {
    const file = dos.handles.file(guest.bx);
    if (guest.al === 0) {
      const stamp = file.isDevice ? dos.stamp() : dos.drives.get(file.drive).entry(file.id).stamp;
      guest.cx = stamp & 0xffff;
      guest.dx = stamp >>> 16;
      return undefined;
    }
    if (guest.al !== setting) throw new DosError('invalidFunction');
    const stamp = ((guest.dx << 16) | guest.cx) >>> 0;
    file.stamp = stamp;
    if (!file.isDevice) dos.drives.get(file.drive).update(file.id, { stamp });
    return undefined;
  },
  result: (guest) => stampText(((guest.dx << 16) | guest.cx) >>> 0),
};

export const filePropertyFunctions = [attribute, rename, times] as const;

function existing(dos: Dos, drive: number, names: readonly string[]): { drive: Drive; entry: DirectoryEntry } {
  const found = dos.drives.get(drive);
  const entry = found.lookup(names);
  if (entry === undefined) throw new DosError('fileNotFound');
  return { drive: found, entry };
}
