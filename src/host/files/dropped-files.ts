import { MachineError } from '../../machine/errors.ts';
import type { HostFile, HostFiles, HostFolder, PathUse } from '../../machine/files.ts';
import { MemoryFile } from './memory-file.ts';

/** What stands before the name of a file that a person has dropped onto the page. */
const prefix = 'dropped:';
const mostFiles = 8;
const mostBytes = 32 * 1024 * 1024;

/** The files of this computer, and beside them those that people have dropped onto the page: in memory, the newest few. */
export class DroppedFiles implements HostFiles {
  readonly #files: HostFiles;
  readonly #dropped = new Map<string, Uint8Array>();
  readonly #elsewhere: ((path: string) => Promise<Uint8Array>) | undefined;

  /** `elsewhere` has what is not here, or rejects. */
  constructor(files: HostFiles, elsewhere?: (path: string) => Promise<Uint8Array>) {
    this.#files = files;
    this.#elsewhere = elsewhere;
  }

  /** Answers the path under which tools find it. */
  drop(name: string, bytes: Uint8Array): string {
    if (bytes.length > mostBytes) {
      const message = `${bytes.length} bytes are too many to drop; the limit is ${mostBytes}.`;
      throw new MachineError('LIMIT_REACHED', message, 'Put the file below an allowed path and name that.');
    }
    const path = prefix + name.replace(/[^\w.() -]/g, '_').slice(-64);
    this.#dropped.delete(path);
    // Whoever reads it gets a copy, which slice() of a Buffer is not.
    this.#dropped.set(path, new Uint8Array(bytes));
    const size = () => [...this.#dropped.values()].reduce((sum, { length }) => sum + length, 0);
    while (this.#dropped.size > mostFiles || size() > mostBytes) {
      this.#dropped.delete(this.#dropped.keys().next().value ?? '');
    }
    return path;
  }

  async read(path: string, maxBytes: number): Promise<Uint8Array> {
    const bytes = await this.#find(path);
    if (!bytes) return this.#files.read(path, maxBytes);
    if (bytes.length <= maxBytes) return bytes.slice();
    const message = `${path} has ${bytes.length} bytes, and ${maxBytes} is the limit.`;
    throw new MachineError('LIMIT_REACHED', message, 'Use a smaller file.');
  }

  async open(path: string, use: PathUse): Promise<HostFile> {
    const bytes = await this.#find(path);
    return bytes ? new MemoryFile(path, bytes) : this.#files.open(path, use);
  }

  async create(path: string): Promise<HostFile> {
    requireOnDisk(path);
    return this.#files.create(path);
  }

  async writeNew(path: string, bytes: Uint8Array): Promise<void> {
    requireOnDisk(path);
    return this.#files.writeNew(path, bytes);
  }

  async requireNew(path: string): Promise<void> {
    requireOnDisk(path);
    return this.#files.requireNew(path);
  }

  openFolder(path: string, use: PathUse): Promise<HostFolder> {
    return this.#files.openFolder(path, use);
  }

  shareFolder(path: string, use: PathUse): Promise<HostFolder> {
    return this.#files.shareFolder(path, use);
  }

  async makeFolder(path: string): Promise<HostFolder> {
    requireOnDisk(path);
    return this.#files.makeFolder(path);
  }

  async resolve(path: string, use: PathUse): Promise<string> {
    return (await this.#find(path)) ? path : this.#files.resolve(path, use);
  }

  async kindOf(path: string): Promise<'file' | 'folder' | 'other'> {
    return (await this.#find(path)) ? 'file' : this.#files.kindOf(path);
  }

  async #find(path: string): Promise<Uint8Array | undefined> {
    if (!path.startsWith(prefix)) return undefined;
    const found = this.#dropped.get(path) ?? (await this.#elsewhere?.(path));
    if (found) return found;
    const message = `No file ${JSON.stringify(path.slice(0, 80))}: it was never dropped, or newer files have replaced it.`;
    throw new MachineError(
      'NOT_FOUND',
      message,
      'Ask the person to drop it again, or name a file below an allowed path.',
    );
  }
}

/** What is written under such a name could not be read again. */
function requireOnDisk(path: string): void {
  if (!path.startsWith(prefix)) return;
  const message = `${JSON.stringify(path.slice(0, 80))} cannot be written: names that begin with "${prefix}" are of files dropped onto the page.`;
  throw new MachineError('INVALID_ARGUMENT', message, 'Name a file below an allowed path.');
}
