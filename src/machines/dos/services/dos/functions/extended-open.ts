import { hex } from '../../../../../formats/hex.ts';
import { DosError } from '../../../drives/dos-error.ts';
import { attributes } from '../../../drives/drive.ts';
import { parseName } from '../../../drives/names.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import { linear } from '../far-pointer.ts';
import { quoted, readAsciz, writeAsciz } from '../guest-text.ts';
import type { ResolvedPath } from '../paths.ts';
import { pathAt, pathText } from './files.ts';

const opened = 1;
const created = 2;
const replaced = 3;

const createTemporary: DosFunction = {
  number: 0x5a,
  name: 'create temporary file',
  failure: 'carry',
  describe: (guest) => `in ${pathText(guest)}`,
  run(guest, dos) {
    const folder = pathAt(guest);
    const start = folder === '' || /[\\/:]$/.test(folder) ? folder : `${folder}\\`;
    const directory = dos.paths.resolve(`${start}X`);
    const drive = dos.drives.get(directory.drive);
    const parents = directory.names.slice(0, -1);
    // The clock of the machine makes the name, as in DOS, and so the same run makes the same name.
    for (let number = Math.trunc(guest.instructions) % 0x1000_0000; ; number++) {
      const name = hex(number % 0x1_0000_0000, 8);
      const names = [...parents, parseName(name) ?? ''];
      if (drive.lookup(names) !== undefined) continue;
      const file = dos.handles.createPath({ drive: directory.drive, names }, guest.cl);
      guest.ax = dos.handles.attach(file);
      writeAsciz(guest.memory, linear(guest.ds, guest.dx), start + name);
      return undefined;
    }
  },
  result: (guest) => `handle ${guest.ax} ${pathText(guest)}`,
};

const createNew: DosFunction = {
  number: 0x5b,
  name: 'create new file',
  failure: 'carry',
  describe: pathText,
  run(guest, dos) {
    const path = dos.paths.resolve(pathAt(guest));
    if (exists(dos, path)) throw new DosError('fileExists');
    guest.ax = dos.handles.attach(dos.handles.createPath(path, guest.cl));
    return undefined;
  },
  result: (guest) => `handle ${guest.ax}`,
};

const openOrCreate: DosFunction = {
  number: 0x6c,
  name: 'open or create',
  failure: 'carry',
  describe: (guest) => `${quoted(readAsciz(guest.memory, guest.ds, guest.si))} action ${hex(guest.dx, 2)}h`,
  run(guest, dos) {
    if (guest.al !== 0) throw new DosError('invalidFunction');
    const path = dos.paths.resolve(readAsciz(guest.memory, guest.ds, guest.si));
    const there = exists(dos, path);
    const action = there ? guest.dl & 0x0f : guest.dl >> 4;
    if (action === 0) throw new DosError(there ? 'fileExists' : 'fileNotFound');
    if (there && action === opened) {
      guest.ax = dos.handles.attach(dos.handles.openPath(path, guest.bx & 0x7fff));
      guest.cx = opened;
      return undefined;
    }
    if (there ? action !== 2 : action !== 1) throw new DosError('invalidFunction');
    const attribute = guest.cl & ~(attributes.directory | attributes.label);
    guest.ax = dos.handles.attach(dos.handles.createPath(path, attribute, guest.bx & 0x7fff));
    guest.cx = there ? replaced : created;
    return undefined;
  },
  result: (guest) => `handle ${guest.ax}, ${['', 'opened', 'created', 'replaced'][guest.cx] ?? ''}`,
};

export const extendedOpenFunctions = [createTemporary, createNew, openOrCreate] as const;

function exists(dos: Dos, path: ResolvedPath): boolean {
  return path.device !== undefined || dos.drives.get(path.drive).lookup(path.names) !== undefined;
}
