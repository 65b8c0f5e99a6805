import { constants } from 'node:fs';
import { copyFile, readFile, realpath, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { advice, call, MachineError } from '../../machine/errors.ts';
import type { HostFile, HostFolder } from '../../machine/files.ts';
import type { Host } from '../../machine/host.ts';

/** A file or folder that somebody named. */
export interface OpenedPath {
  /** For people. */
  readonly path: string;
  /** For QEMU and ourselves: leads to this very file, wherever `path` leads by then. */
  readonly grantedPath: string;
}

/**
 * The files of this computer that a machine was given, open as long as it lives. Every path that an agent has named, or
 * that stands in a file an agent has named, comes through here before QEMU, another program or this kind opens it.
 */
export class OpenedFiles implements Disposable {
  readonly #host: Pick<Host, 'files' | 'runtimeDir'>;
  readonly #opened: (HostFile | HostFolder)[] = [];

  constructor(host: Pick<Host, 'files' | 'runtimeDir'>) {
    this.#host = host;
  }

  async file(path: string, use: 'read' | 'write'): Promise<OpenedPath> {
    return this.#keep(await this.#host.files.open(path, use));
  }

  /** Made empty, for this user alone, and nothing that was there before. */
  async newFile(path: string): Promise<OpenedPath> {
    return this.#keep(await this.#host.files.create(path));
  }

  /** Takes away again what `newFile` made. */
  async removeFile(path: string): Promise<void> {
    const folder = await this.#host.files.openFolder(dirname(path), 'write');
    try {
      folder.remove(basename(path));
    } finally {
      folder.close();
    }
  }

  /** For a guest, which opens there what it likes. */
  async sharedFolder(path: string, use: 'read' | 'write'): Promise<OpenedPath> {
    return this.#keep(await this.#host.files.shareFolder(path, use));
  }

  async madeFolder(path: string): Promise<OpenedPath> {
    return this.#keep(await this.#host.files.makeFolder(path));
  }

  /** A file of a folder that holds a snapshot: an allowed one, or one that this server made for a fork. */
  async fileIn(folder: string, name: string, maxBytes = Number.POSITIVE_INFINITY): Promise<string> {
    const path = join(folder, name);
    const real = await realpath(path).catch(() => undefined);
    const isOwn = real?.startsWith((await realpath(this.#host.runtimeDir)) + sep);
    const granted = real !== undefined && isOwn ? real : (await this.file(path, 'read')).grantedPath;
    const { size } = await stat(granted);
    if (size > maxBytes) throw unusable(path, `it has ${size} bytes, more than ${maxBytes}`);
    return granted;
  }

  async textIn(folder: string, name: string, maxBytes: number): Promise<string> {
    return readFile(await this.fileIn(folder, name, maxBytes), 'utf8');
  }

  /** Copies a file of a folder into one of ours, if there is room for all of it. */
  async copyIn(folder: string, name: string, to: string): Promise<void> {
    const from = await this.fileIn(folder, name);
    const { size } = await stat(from);
    const { bavail, bsize } = await statfs(dirname(to));
    if (size > bavail * bsize) {
      throw unusable(join(folder, name), `it has ${size} bytes, and there is no room for a copy`);
    }
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }

  /** A text of QEMU's with the names that people know. */
  readable(text: string): string {
    // Longer numbers first: one may begin with another.
    const opened = [...this.#opened].sort((a, b) => b.grantedPath.length - a.grantedPath.length);
    return opened.reduce((known, { path, grantedPath }) => known.replaceAll(grantedPath, path), text);
  }

  [Symbol.dispose](): void {
    for (const opened of this.#opened.splice(0)) opened.close();
  }

  #keep(opened: HostFile | HostFolder): OpenedPath {
    this.#opened.push(opened);
    return opened;
  }
}

function unusable(path: string, why: string): MachineError {
  return new MachineError(
    'INVALID_ARGUMENT',
    `${path} cannot be used: ${why}.`,
    advice`Give a folder that ${call('snapshot_save')} wrote.`,
  );
}
