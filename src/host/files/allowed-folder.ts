import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { HostEntry, HostFolder } from '../../machine/files.ts';
import { openEmptied, openExisting } from './open-steps.ts';
import { OperatorFiles } from './operator-files.ts';
import { runNow } from './steps.ts';
import {
  childPath,
  grantedPath,
  leave,
  OperatorFileError,
  OutsideError,
  openedPath,
  type Place,
  parentOf,
  type Root,
  walkTo,
} from './walk.ts';

/** A folder that stays open, and what lies below it. */
export class AllowedFolder implements HostFolder {
  readonly path: string;
  readonly #fd: number;
  readonly #operators: OperatorFiles;

  constructor(fd: number, path: string, operators = OperatorFiles.none) {
    this.#fd = fd;
    this.path = path;
    this.#operators = operators;
  }

  /** A folder that nobody has to be kept out of: for tests and suites. */
  static at(path: string): AllowedFolder {
    return new AllowedFolder(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY), realpathSync(path));
  }

  get grantedPath(): string {
    return grantedPath(this.#fd, this.path);
  }

  list(path: string, maxEntries: number): readonly HostEntry[] {
    const roots = this.#roots();
    const { fd, path: real } = runNow(openExisting(roots, this.#whole(path, roots), 'read', 'folder'));
    try {
      const names = readdirSync(openedPath(fd, real)).sort().slice(0, maxEntries);
      return names.flatMap((name) => {
        const stat = this.#operators.includes(join(real, name)) ? undefined : statInside(roots, fd, real, name);
        return stat ? entryOf(name, stat) : [];
      });
    } finally {
      closeSync(fd);
    }
  }

  read(path: string, maxBytes: number): Uint8Array {
    const roots = this.#roots();
    const { fd, size } = runNow(openExisting(roots, this.#whole(path, roots), 'read', 'file'));
    try {
      if (size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
      return readFrom(fd, 0, size);
    } finally {
      closeSync(fd);
    }
  }

  readPart(path: string, at: number, length: number): Uint8Array {
    const roots = this.#roots();
    const { fd } = runNow(openExisting(roots, this.#whole(path, roots), 'read', 'file'));
    try {
      return readFrom(fd, at, length);
    } finally {
      closeSync(fd);
    }
  }

  write(path: string, bytes: Uint8Array): void {
    const roots = this.#roots();
    const { fd } = runNow(openEmptied(roots, this.#whole(path, roots)));
    try {
      let done = 0;
      while (done < bytes.length) done += writeSync(fd, bytes, done);
    } finally {
      closeSync(fd);
    }
  }

  remove(path: string): void {
    this.#at(path, (there) => unlinkSync(there));
  }

  rename(from: string, to: string): void {
    const move = (old: string) => this.#at(to, (fresh) => renameSync(old, fresh), 'moved');
    this.#at(from, move, 'moved');
  }

  makeFolder(path: string): void {
    this.#at(path, (there) => mkdirSync(there));
  }

  removeFolder(path: string): void {
    this.#at(path, (there) => rmdirSync(there));
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Calls that take a name rather than something open; none of them follows a link of that name. */
  #at(path: string, call: (there: string) => void, what?: 'moved'): void {
    const roots = this.#roots();
    const place = runNow(walkTo(roots, this.#whole(path, roots), { keepLast: true }));
    try {
      // A folder takes along what lies in it.
      if (what === 'moved' && this.#operators.below(place.path).length > 0) throw new OperatorFileError();
      call(childPath(place.folder, parentOf(place), place.name));
    } finally {
      runNow(leave(place));
    }
  }

  #roots(): readonly [Root] {
    const by = openedPath(this.#fd, this.path);
    const real = by === this.path ? this.path : readlinkSync(by);
    return [{ given: real, real, by, operators: this.#operators }];
  }

  #whole(path: string, [{ real }]: readonly [Root]): string {
    return path === '' ? real : join(real, path);
  }
}

function readFrom(fd: number, at: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, bytes, done, length - done, at + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

/** Of a link, what it leads to; nothing where that is outside. */
function statInside(roots: readonly Root[], folder: number, path: string, name: string): Stats | undefined {
  const stat = lstatSync(childPath(folder, path, name), { throwIfNoEntry: false });
  if (!stat?.isSymbolicLink()) return stat;
  let place: Place | undefined;
  try {
    place = runNow(walkTo(roots, join(path, name)));
    return place.found === undefined ? undefined : fstatSync(place.found);
  } catch (error) {
    if (error instanceof OutsideError || (error instanceof Error && 'code' in error)) return undefined;
    throw error;
  } finally {
    if (place) runNow(leave(place));
  }
}

function entryOf(name: string, stat: Stats): HostEntry[] {
  if (!stat.isFile() && !stat.isDirectory()) return [];
  const kind = stat.isDirectory() ? 'folder' : 'file';
  return [
    { name, kind, size: kind === 'folder' ? 0 : stat.size, modified: stat.mtime, readOnly: (stat.mode & 0o222) === 0 },
  ];
}
