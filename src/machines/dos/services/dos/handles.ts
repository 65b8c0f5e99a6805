import { DosError } from '../../drives/dos-error.ts';
import { attributes, type DirectoryEntry, type Drive } from '../../drives/drive.ts';
import type { DeviceFiles } from './device-files.ts';
import type { DeviceHeader } from './devices.ts';
import type { DriveTable } from './drive-table.ts';
import { type FarPointer, packFar } from './far-pointer.ts';
import { at, dosSegment, sizes } from './layout.ts';
import type { Paths, ResolvedPath } from './paths.ts';
import type { Processes } from './processes.ts';
import type { Share } from './share.ts';
import { deviceInfo, openModes, type SystemFile, type SystemFiles } from './system-files.ts';

export const noHandle = 0xff;

export interface HandleParts {
  readonly files: SystemFiles;
  readonly drives: DriveTable;
  readonly paths: Paths;
  readonly processes: Processes;
  readonly devices: DeviceFiles;
  readonly share: Share;
  stamp(): number;
}

/** Files by handle: numbers in a process's table that refer to entries of the system's table. */
export class Handles {
  readonly #parts: HandleParts;

  constructor(parts: HandleParts) {
    this.#parts = parts;
  }

  /** The open file behind a handle of the current process. */
  file(handle: number): SystemFile {
    const { processes, files } = this.#parts;
    const index = processes.handle(processes.current, handle);
    if (index === noHandle) throw new DosError('invalidHandle');
    const file = files.get(index);
    if (file.references === 0) throw new DosError('invalidHandle');
    return file;
  }

  isValid(handle: number): boolean {
    try {
      this.file(handle);
      return true;
    } catch (error) {
      if (error instanceof DosError) return false;
      throw error;
    }
  }

  /** A handle for an entry that was just opened; gives the entry back where the process has none left. */
  attach(file: SystemFile): number {
    const { processes } = this.#parts;
    const handle = processes.freeHandle(processes.current);
    if (handle < 0) {
      file.references = 0;
      throw new DosError('tooManyOpenFiles');
    }
    processes.setHandle(processes.current, handle, file.index);
    return handle;
  }

  openPath(path: ResolvedPath, mode: number): SystemFile {
    const access = mode & 7;
    if (access > 2) throw new DosError('invalidAccess');
    if (path.device !== undefined) return this.openDevice(path.device, mode);
    const entry = this.#drive(path).lookup(path.names);
    if (entry === undefined || entry.attributes & attributes.label) throw new DosError('fileNotFound');
    if (entry.attributes & attributes.directory) throw new DosError('accessDenied');
    if (entry.attributes & attributes.readOnly && access !== openModes.read) throw new DosError('accessDenied');
    this.#parts.share.checkOpen(path.drive, entry.id, mode, (entry.attributes & attributes.readOnly) !== 0);
    return this.#openEntry(path, entry, mode);
  }

  /** A new file, or an old one emptied. */
  createPath(path: ResolvedPath, attribute: number, mode: number = openModes.readWrite): SystemFile {
    if (path.device !== undefined) return this.openDevice(path.device, mode);
    if (attribute & (attributes.directory | attributes.label)) throw new DosError('accessDenied');
    const drive = this.#drive(path);
    const old = drive.lookup(path.names);
    if (old !== undefined) this.#parts.share.checkOpen(path.drive, old.id, mode, false);
    if (old !== undefined && this.isOpen(path.drive, old.id)) this.#emptyOpenFiles(path.drive, old.id);
    const entry = drive.create(path.names, attribute, this.#parts.stamp());
    return this.#openEntry(path, entry, mode);
  }

  openDevice(device: DeviceHeader, mode: number): SystemFile {
    const file = this.#parts.files.allocate();
    const end = device.attributes & deviceInfo.nul ? 0 : deviceInfo.notAtEnd;
    file.info = (device.attributes & 0xff1f) | deviceInfo.device | end;
    file.driver = packFar(device.at);
    this.#parts.devices.opened(device);
    return this.#finish(file, mode, device.name.padEnd(11));
  }

  close(handle: number): void {
    const file = this.file(handle);
    this.#parts.processes.setHandle(this.#parts.processes.current, handle, noHandle);
    this.release(file);
  }

  /** One reference less; the last one commits. */
  release(file: SystemFile): void {
    if (file.references > 1) {
      file.references--;
      return;
    }
    try {
      this.commit(file);
    } finally {
      if (file.isDevice) this.#parts.devices.closed(file);
      file.references = 0;
      this.#parts.share.closed(file);
    }
  }

  commit(file: SystemFile): void {
    if (!file.isDevice) this.#parts.drives.find(file.drive)?.commit(file.id);
  }

  /** Marks a second use of the same open file. */
  duplicate(handle: number, to?: number): number {
    const { processes } = this.#parts;
    const file = this.file(handle);
    const target = to ?? processes.freeHandle(processes.current);
    if (target < 0) throw new DosError('tooManyOpenFiles');
    if (target === handle) return target;
    const old = processes.handle(processes.current, target);
    if (to !== undefined && old !== noHandle) this.close(target);
    processes.setHandle(processes.current, target, file.index);
    file.references++;
    return target;
  }

  read(file: SystemFile, count: number, buffer?: FarPointer): Uint8Array {
    if ((file.mode & 7) === openModes.write) throw new DosError('accessDenied');
    if (file.isDevice) return this.#parts.devices.read(file, count, buffer);
    this.#checkLocks(file, count);
    const bytes = this.#parts.drives.get(file.drive).read(file.id, file.position, count);
    file.position += bytes.length;
    return bytes;
  }

  /** How many bytes found room. Nothing at all cuts the file off, or makes it longer, where it stands. */
  write(file: SystemFile, bytes: Uint8Array, buffer?: FarPointer): number {
    if ((file.mode & 7) === openModes.read) throw new DosError('accessDenied');
    if (file.isDevice) return this.#parts.devices.write(file, bytes, buffer);
    this.#checkLocks(file, bytes.length === 0 ? Number.MAX_SAFE_INTEGER / 2 : bytes.length);
    const drive = this.#parts.drives.get(file.drive);
    const stamp = this.#parts.stamp();
    let written = 0;
    if (bytes.length === 0) drive.truncate(file.id, file.position, stamp);
    else written = drive.write(file.id, file.position, bytes, stamp);
    file.position += written;
    file.size = drive.entry(file.id).size;
    file.stamp = stamp;
    file.info &= ~deviceInfo.notWritten;
    return written;
  }

  size(file: SystemFile): number {
    return file.isDevice ? 0 : this.#parts.drives.get(file.drive).entry(file.id).size;
  }

  isOpen(drive: number, id: number): boolean {
    for (const file of this.#parts.files.open()) {
      if (!file.isDevice && file.drive === drive && file.id === id) return true;
    }
    return false;
  }

  #checkLocks(file: SystemFile, length: number): void {
    this.#parts.share.checkAccess(file, this.#parts.processes.current, file.position, length);
  }

  #emptyOpenFiles(drive: number, id: number): void {
    for (const file of this.#parts.files.open()) {
      if (!file.isDevice && file.drive === drive && file.id === id) file.size = 0;
    }
  }

  #drive(path: ResolvedPath): Drive {
    return this.#parts.drives.get(path.drive);
  }

  #openEntry(path: ResolvedPath, entry: DirectoryEntry, mode: number): SystemFile {
    const { drive } = path;
    const file = this.#parts.files.allocate();
    file.info = drive | deviceInfo.notWritten;
    file.driver = ((dosSegment << 16) | (at.drives + drive * sizes.drive)) >>> 0;
    file.attributes = entry.attributes;
    file.stamp = entry.stamp;
    file.size = entry.size;
    file.id = entry.id;
    this.#parts.share.opened(file, this.#parts.paths.format(path));
    return this.#finish(file, mode, entry.name);
  }

  #finish(file: SystemFile, mode: number, name: string): SystemFile {
    file.mode = mode;
    file.name = name;
    file.owner = this.#parts.processes.current;
    return file;
  }
}
