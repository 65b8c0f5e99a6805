import { MachineError } from '../../machine/errors.ts';
import type { HostFile, HostFiles, HostFolder, PathUse, TeamFiles } from '../../machine/files.ts';
import { MemoryFile } from './memory-file.ts';

/** What stands before the name of a file that all hosts of a fleet have. */
const prefix = 'store:';
const namePattern = /^[A-Za-z0-9][\w.-]{0,99}$/;

/** The files of this computer, and beside them those that all hosts of the fleet have, as `store:NAME`. */
export class StoredFiles implements HostFiles {
  readonly #files: HostFiles;
  readonly #store: TeamFiles;

  constructor(files: HostFiles, store: TeamFiles) {
    this.#files = files;
    this.#store = store;
  }

  async read(path: string, maxBytes: number): Promise<Uint8Array> {
    const name = nameIn(path);
    if (name === undefined) return this.#files.read(path, maxBytes);
    const bytes = await this.#store.readStored(name);
    if (bytes.length <= maxBytes) return bytes;
    const message = `${path} has ${bytes.length} bytes, and ${maxBytes} is the limit.`;
    throw new MachineError('LIMIT_REACHED', message, 'Use a smaller file.');
  }

  async open(path: string, use: PathUse): Promise<HostFile> {
    const name = nameIn(path);
    return name === undefined ? this.#files.open(path, use) : new MemoryFile(path, await this.#store.readStored(name));
  }

  async create(path: string): Promise<HostFile> {
    if (nameIn(path) === undefined) return this.#files.create(path);
    const message = `${path} cannot be written piece by piece: the store of the fleet takes only whole files.`;
    throw new MachineError('PATH_NOT_ALLOWED', message, 'Name a file below an allowed path of the host.');
  }

  async writeNew(path: string, bytes: Uint8Array): Promise<void> {
    const name = nameIn(path);
    return name === undefined ? this.#files.writeNew(path, bytes) : this.#store.store(name, bytes);
  }

  /** The store tells when it takes the file. */
  async requireNew(path: string): Promise<void> {
    if (nameIn(path) === undefined) await this.#files.requireNew(path);
  }

  async openFolder(path: string, use: PathUse): Promise<HostFolder> {
    if (nameIn(path) === undefined) return this.#files.openFolder(path, use);
    throw noFolders(path);
  }

  async shareFolder(path: string, use: PathUse): Promise<HostFolder> {
    if (nameIn(path) === undefined) return this.#files.shareFolder(path, use);
    throw noFolders(path);
  }

  async makeFolder(path: string): Promise<HostFolder> {
    if (nameIn(path) === undefined) return this.#files.makeFolder(path);
    throw noFolders(path);
  }

  async resolve(path: string, use: PathUse): Promise<string> {
    return nameIn(path) === undefined ? this.#files.resolve(path, use) : path;
  }

  async kindOf(path: string): Promise<'file' | 'folder' | 'other'> {
    const name = nameIn(path);
    if (name === undefined) return this.#files.kindOf(path);
    await this.#store.readStored(name);
    return 'file';
  }
}

/** Undefined: it is a path of this computer. */
function nameIn(path: string): string | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const name = path.slice(prefix.length);
  if (namePattern.test(name)) return name;
  const message = `${JSON.stringify(path.slice(0, 120))} is not a valid name for a file in the store of the fleet.`;
  throw new MachineError(
    'INVALID_ARGUMENT',
    message,
    'Use store:NAME with up to 100 letters, digits, "_", "." or "-".',
  );
}

function noFolders(path: string): MachineError {
  const message = `${path.slice(0, 120)} is not a folder: the store of the fleet has none.`;
  return new MachineError('INVALID_ARGUMENT', message, 'Name a folder below an allowed path of the host.');
}
