import { DosError } from '../../../drives/dos-error.ts';
import { attributes, type DirectoryEntry } from '../../../drives/drive.ts';
import { formatName, nameFromPattern } from '../../../drives/names.ts';
import type { Dos } from '../dos.ts';
import type { FileControlBlock } from '../file-control-block.ts';
import { quoted } from '../guest-text.ts';
import { openModes } from '../system-files.ts';
import { fcbAt, fcbFunction, fcbText, filePath } from './fcb-function.ts';
import { findEntry } from './find.ts';

const open = fcbFunction(0x0f, 'open', (block, dos) => {
  const path = block.path(dos);
  const entry = path.device ? undefined : dos.drives.get(path.drive).lookup(path.names);
  const readOnly = entry !== undefined && (entry.attributes & attributes.readOnly) !== 0;
  block.attach(dos, dos.handles.openPath(path, readOnly ? openModes.read : openModes.readWrite));
  return undefined;
});

const close = fcbFunction(0x10, 'close', (block, dos) => {
  const file = block.openFile(dos);
  if (file !== undefined) dos.handles.release(file);
  else {
    const path = block.path(dos);
    if (dos.drives.get(path.drive).lookup(path.names) === undefined) throw new DosError('fileNotFound');
  }
  return undefined;
});

const create = fcbFunction(0x16, 'create', (block, dos) => {
  if (block.name.includes('?')) throw new DosError('fileNotFound');
  if (block.attribute & attributes.label) dos.realDrive(block.drive(dos)).setLabel(block.name, dos.stamp());
  else block.attach(dos, dos.handles.createPath(block.path(dos), block.attribute));
  return undefined;
});

const remove = fcbFunction(0x13, 'delete', (block, dos) => {
  const path = filePath(block, dos);
  const drive = dos.drives.get(path.drive);
  if (block.attribute & attributes.label) {
    if (drive.label() === '') throw new DosError('fileNotFound');
    drive.setLabel('', dos.stamp());
    return undefined;
  }
  const found = matches(dos, block);
  if (found.some(({ id }) => dos.handles.isOpen(path.drive, id))) throw new DosError('accessDenied');
  for (const { name } of found) drive.delete([...path.names.slice(0, -1), name]);
  return undefined;
});

const rename = fcbFunction(
  0x17,
  'rename',
  (block, dos) => {
    const path = filePath(block, dos);
    const parents = path.names.slice(0, -1);
    const drive = dos.drives.get(path.drive);
    const pattern = block.newName;
    // Open files too: programs give the file they have read another name and never close it.
    for (const { name } of matches(dos, block)) {
      drive.rename([...parents, name], [...parents, nameFromPattern(pattern, name)]);
    }
    return undefined;
  },
  { describe: (guest) => `${fcbText(guest)} to ${quoted(formatName(fcbAt(guest).newName))}` },
);

const size = fcbFunction(
  0x23,
  'file size',
  (block, dos) => {
    const path = block.path(dos);
    const entry = path.device ? undefined : dos.drives.get(path.drive).lookup(path.names);
    if (entry === undefined) throw new DosError('fileNotFound');
    block.random = Math.ceil(entry.size / block.recordSize);
    return undefined;
  },
  { result: (guest) => `${fcbAt(guest).random} records` },
);

export const fcbFileFunctions = [open, close, remove, create, rename, size] as const;

function matches(dos: Dos, block: FileControlBlock): DirectoryEntry[] {
  const { drive, names } = block.path(dos);
  const directory = dos.drives.get(drive).directory(names.slice(0, -1));
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
