import { DosError } from '../../../drives/dos-error.ts';
import { attributes, type DirectoryEntry } from '../../../drives/drive.ts';
import { formatName, nameFromPattern } from '../../../drives/names.ts';
import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import { FileControlBlock } from '../file-control-block.ts';
import { quoted } from '../guest-text.ts';
import { openModes } from '../system-files.ts';
import { findEntry } from './find.ts';

const open: DosFunction = {
  number: 0x0f,
  name: 'FCB open',
  failure: 'al',
  describe: fcbText,
  run(guest, dos) {
    const block = fcbAt(guest);
    const path = block.path(dos);
    const entry = path.device ? undefined : dos.drives.get(path.drive).lookup(path.names);
    const readOnly = entry !== undefined && (entry.attributes & attributes.readOnly) !== 0;
    block.attach(dos, dos.handles.openPath(path, readOnly ? openModes.read : openModes.readWrite));
    guest.al = 0;
    return undefined;
  },
};

const close: DosFunction = {
  number: 0x10,
  name: 'FCB close',
  failure: 'al',
  describe: fcbText,
  run(guest, dos) {
    const block = fcbAt(guest);
    const file = block.openFile(dos);
    if (file !== undefined) dos.handles.release(file);
    else if (dos.drives.get(block.drive(dos)).lookup(block.path(dos).names) === undefined) {
      throw new DosError('fileNotFound');
    }
    guest.al = 0;
    return undefined;
  },
};

const create: DosFunction = {
  number: 0x16,
  name: 'FCB create',
  failure: 'al',
  describe: fcbText,
  run(guest, dos) {
    const block = fcbAt(guest);
    if (block.name.includes('?')) throw new DosError('fileNotFound');
    if (block.attribute & attributes.label) dos.drives.get(block.drive(dos)).setLabel(block.name, dos.stamp());
    else block.attach(dos, dos.handles.createPath(block.path(dos), block.attribute));
    guest.al = 0;
    return undefined;
  },
};

const remove: DosFunction = {
  number: 0x13,
  name: 'FCB delete',
  failure: 'al',
  describe: fcbText,
  run(guest, dos) {
    const block = fcbAt(guest);
    const path = block.path(dos);
    if (path.device !== undefined) throw new DosError('accessDenied');
    const drive = dos.drives.get(path.drive);
    if (block.attribute & attributes.label) {
      if (drive.label() === '') throw new DosError('fileNotFound');
      drive.setLabel('', dos.stamp());
    } else {
      const parents = path.names.slice(0, -1);
      const found = matches(dos, block);
      if (found.some(({ id }) => dos.handles.isOpen(path.drive, id))) throw new DosError('accessDenied');
      for (const { name } of found) drive.delete([...parents, name]);
    }
    guest.al = 0;
    return undefined;
  },
};

const rename: DosFunction = {
  number: 0x17,
  name: 'FCB rename',
  failure: 'al',
  describe: (guest) => `${fcbText(guest)} to ${quoted(formatName(fcbAt(guest).newName))}`,
  run(guest, dos) {
    const block = fcbAt(guest);
    const path = block.path(dos);
    if (path.device !== undefined) throw new DosError('accessDenied');
    const parents = path.names.slice(0, -1);
    const drive = dos.drives.get(path.drive);
    const pattern = block.newName;
    // Open files too: programs give the file they have read another name and never close it.
    for (const { name } of matches(dos, block)) {
      drive.rename([...parents, name], [...parents, nameFromPattern(pattern, name)]);
    }
    guest.al = 0;
    return undefined;
  },
};

const size: DosFunction = {
  number: 0x23,
  name: 'FCB file size',
  failure: 'al',
  describe: fcbText,
  run(guest, dos) {
    const block = fcbAt(guest);
    const path = block.path(dos);
    const entry = path.device ? undefined : dos.drives.get(path.drive).lookup(path.names);
    if (entry === undefined) throw new DosError('fileNotFound');
    block.random = Math.ceil(entry.size / block.recordSize);
    guest.al = 0;
    return undefined;
  },
  result: (guest) => `${fcbAt(guest).random} records`,
};

export const fcbFileFunctions = [open, close, remove, create, rename, size] as const;

export function fcbAt(guest: Guest): FileControlBlock {
  return new FileControlBlock(guest.memory, guest.ds, guest.dx);
}

export function fcbText(guest: Guest): string {
  return quoted(formatName(fcbAt(guest).name));
}

function matches(dos: Dos, block: FileControlBlock): DirectoryEntry[] {
  const drive = block.drive(dos);
  const path = block.path(dos);
  const directory = dos.drives.get(drive).directory(path.names.slice(0, -1));
  const wanted = block.attribute & ~(attributes.directory | attributes.label);
  const found: DirectoryEntry[] = [];
  for (let slot = 0; ; ) {
    const entry = findEntry(dos, drive, directory, slot, block.name, wanted);
    if (entry === undefined) break;
    found.push(entry);
    slot = entry.slot + 1;
  }
  if (found.length === 0) throw new DosError('fileNotFound');
  return found;
}
