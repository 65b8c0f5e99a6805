import { hex } from '../../../../../formats/hex.ts';
import { DosError } from '../../../drives/dos-error.ts';
import { attributes } from '../../../drives/drive.ts';
import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import { farText, linear } from '../far-pointer.ts';
import { quoted, readAsciz } from '../guest-text.ts';

const accessNames = ['read', 'write', 'read/write'];

const create: DosFunction = {
  number: 0x3c,
  name: 'create',
  failure: 'carry',
  describe: (guest) => `${pathText(guest)} attributes ${hex(guest.cx, 2)}h`,
  run(guest, dos) {
    const path = dos.paths.resolve(pathAt(guest));
    guest.ax = dos.handles.attach(dos.handles.createPath(path, guest.cl & ~attributes.archive));
    return undefined;
  },
  result: (guest) => `handle ${guest.ax}`,
};

const open: DosFunction = {
  number: 0x3d,
  name: 'open',
  failure: 'carry',
  describe: (guest) => `${pathText(guest)} for ${accessNames[guest.al & 7] ?? '?'}`,
  run(guest, dos) {
    const path = dos.paths.resolve(pathAt(guest));
    guest.ax = dos.handles.attach(dos.handles.openPath(path, guest.al));
    return undefined;
  },
  result: (guest) => `handle ${guest.ax}`,
};

const close: DosFunction = {
  number: 0x3e,
  name: 'close',
  failure: 'carry',
  describe: handleText,
  run(guest, dos) {
    dos.handles.close(guest.bx);
    return undefined;
  },
};

const read: DosFunction = {
  number: 0x3f,
  name: 'read',
  failure: 'carry',
  describe: (guest, dos) => `${handleText(guest, dos)}, ${guest.cx} bytes to ${farText(guest.ds, guest.dx)}`,
  run(guest, dos) {
    const { ds: segment, dx: offset } = guest;
    const bytes = dos.handles.read(dos.handles.file(guest.bx), guest.cx, { segment, offset });
    writeWrapping(guest, bytes);
    guest.ax = bytes.length;
    return undefined;
  },
  result: (guest) => `${guest.ax} bytes`,
};

const write: DosFunction = {
  number: 0x40,
  name: 'write',
  failure: 'carry',
  describe: (guest, dos) => `${handleText(guest, dos)}, ${guest.cx} bytes from ${farText(guest.ds, guest.dx)}`,
  run(guest, dos) {
    const bytes = readWrapping(guest, guest.cx);
    const { ds: segment, dx: offset } = guest;
    guest.ax = dos.handles.write(dos.handles.file(guest.bx), bytes, { segment, offset });
    return undefined;
  },
  result: (guest) => `${guest.ax} bytes`,
};

const remove: DosFunction = {
  number: 0x41,
  name: 'delete',
  failure: 'carry',
  describe: pathText,
  run(guest, dos) {
    const path = dos.paths.resolve(pathAt(guest));
    if (path.device !== undefined) throw new DosError('accessDenied');
    const drive = dos.drives.get(path.drive);
    const entry = drive.lookup(path.names);
    if (entry === undefined) throw new DosError('fileNotFound');
    if (dos.handles.isOpen(path.drive, entry.id)) throw new DosError('accessDenied');
    drive.delete(path.names);
    return undefined;
  },
};

const seek: DosFunction = {
  number: 0x42,
  name: 'seek',
  failure: 'carry',
  describe: (guest, dos) => {
    const distance = ((guest.cx << 16) | guest.dx) >> 0;
    return `${handleText(guest, dos)}, ${distance} from ${['start', 'here', 'end'][guest.al] ?? '?'}`;
  },
  run(guest, dos) {
    const file = dos.handles.file(guest.bx);
    const base = [0, file.position, dos.handles.size(file)][guest.al];
    if (base === undefined) throw new DosError('invalidFunction');
    const position = file.isDevice ? 0 : (base + ((guest.cx << 16) | guest.dx)) >>> 0;
    file.position = position;
    guest.dx = position >>> 16;
    guest.ax = position & 0xffff;
    return undefined;
  },
  result: (guest) => `at ${((guest.dx << 16) | guest.ax) >>> 0}`,
};

const duplicate: DosFunction = {
  number: 0x45,
  name: 'duplicate handle',
  failure: 'carry',
  describe: handleText,
  run(guest, dos) {
    guest.ax = dos.handles.duplicate(guest.bx);
    return undefined;
  },
  result: (guest) => `handle ${guest.ax}`,
};

const redirect: DosFunction = {
  number: 0x46,
  name: 'redirect handle',
  failure: 'carry',
  describe: (guest, dos) => `${guest.cx} to ${handleText(guest, dos)}`,
  run(guest, dos) {
    dos.handles.duplicate(guest.bx, guest.cx);
    return undefined;
  },
};

export const fileFunctions = [create, open, close, read, write, remove, seek, duplicate, redirect] as const;

export function pathAt(guest: Guest): string {
  return readAsciz(guest.memory, guest.ds, guest.dx);
}

export function pathText(guest: Guest): string {
  return quoted(pathAt(guest));
}

/** The handle with the name of what it refers to. */
export function handleText(guest: Guest, dos: Dos): string {
  try {
    const name = dos.handles.file(guest.bx).name;
    return `${guest.bx} (${quoted(`${name.slice(0, 8).trimEnd()}.${name.slice(8)}`.replace(/[. ]+$/, '')).slice(1, -1)})`;
  } catch (error) {
    if (error instanceof DosError) return String(guest.bx);
    throw error;
  }
}

/** DS:DX, going on at offset 0 after offset FFFFh. */
export function writeWrapping({ memory, ds, dx }: Guest, bytes: Uint8Array): void {
  const first = Math.min(bytes.length, 0x10000 - dx);
  memory.write(linear(ds, dx), bytes.subarray(0, first));
  if (first < bytes.length) memory.write(linear(ds, 0), bytes.subarray(first));
}

export function readWrapping({ memory, ds, dx }: Guest, length: number): Uint8Array {
  const first = Math.min(length, 0x10000 - dx);
  const bytes = new Uint8Array(length);
  bytes.set(memory.bytes(linear(ds, dx), first));
  if (first < length) bytes.set(memory.bytes(linear(ds, 0), length - first), first);
  return bytes;
}
