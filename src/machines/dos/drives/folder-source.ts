import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fromCodePage } from './code-page-437.ts';
import { DosError } from './dos-error.ts';
import { attributes } from './drive.ts';
import { formatName } from './names.ts';
import { shortNames } from './short-names.ts';
import { dosStamp } from './stamp.ts';
import type { SourceEntry, TreeMirror, TreeSource } from './tree-source.ts';

/** Larger ones are read in parts. */
const maxFileBytes = 8 * 1024 * 1024;
/** More than a directory of DOS could ever list; the rest is left out. */
const maxEntries = 2048;

/** A folder of the host and what lies below it. Links that lead out of it do not exist for the machine. */
export class FolderSource implements TreeSource {
  readonly kind = 'folder';
  readonly rootKey: string;
  readonly mirror?: TreeMirror;

  constructor(folder: string, writeThrough = false) {
    this.rootKey = realpathSync(folder);
    if (writeThrough) this.mirror = new FolderMirror((key) => this.#inside(key));
  }

  list(key: string): SourceEntry[] {
    if (!this.#inside(key)) throw new DosError('pathNotFound');
    const found = hostCall(() => readdirSync(key, { withFileTypes: true }), 'accessDenied')
      .sort(({ name: a }, { name: b }) => (a < b ? -1 : 1))
      .slice(0, maxEntries);
    const kept = found.flatMap((entry) => this.#stat(key, entry.name, entry.isSymbolicLink()) ?? []);
    const short = shortNames(kept.map(({ name }) => name));
    return kept.map(({ name, attribute, size, modified }, index) => ({
      key: join(key, name),
      name: short[index] ?? '',
      attributes: attribute,
      stamp: hostStamp(modified),
      size,
    }));
  }

  read(key: string): Uint8Array {
    if (!this.#inside(key)) throw new DosError('accessDenied');
    const file = hostCall(() => openSync(key, constants.O_RDONLY | constants.O_NONBLOCK), 'accessDenied');
    try {
      const { size } = fstatSync(file);
      if (size > maxFileBytes) throw new DosError('accessDenied', `${key} is larger than ${maxFileBytes} bytes`);
      return new Uint8Array(hostCall(() => readFileSync(file), 'readFault'));
    } finally {
      closeSync(file);
    }
  }

  readPart(key: string, position: number, length: number): Uint8Array {
    if (!this.#inside(key)) throw new DosError('accessDenied');
    const file = hostCall(() => openSync(key, constants.O_RDONLY | constants.O_NONBLOCK), 'accessDenied');
    try {
      const bytes = new Uint8Array(length);
      return bytes.subarray(
        0,
        hostCall(() => readSync(file, bytes, 0, length, position), 'readFault'),
      );
    } finally {
      closeSync(file);
    }
  }

  #stat(folder: string, name: string, isLink: boolean) {
    const path = join(folder, name);
    if (isLink && !this.#inside(path)) return undefined;
    try {
      const stat = statSync(path);
      if (!stat.isFile() && !stat.isDirectory()) return undefined;
      const readOnly = stat.mode & 0o222 ? 0 : attributes.readOnly;
      const attribute = stat.isDirectory() ? attributes.directory : attributes.archive | readOnly;
      return { name, attribute, size: stat.isDirectory() ? 0 : Math.min(stat.size, 0xffff_ffff), modified: stat.mtime };
    } catch {
      return undefined;
    }
  }

  #inside(path: string): boolean {
    try {
      const way = relative(this.rootKey, realpathSync(path));
      return way !== '..' && !way.startsWith(`..${sep}`);
    } catch {
      return false;
    }
  }
}

class FolderMirror implements TreeMirror {
  readonly #inside: (path: string) => boolean;

  constructor(inside: (path: string) => boolean) {
    this.#inside = inside;
  }

  child(parentKey: string, name: string): string {
    return join(parentKey, fromCodePage(formatName(name)));
  }

  write(key: string, bytes: Uint8Array): void {
    this.#check(key);
    hostCall(() => writeFileSync(key, bytes), 'accessDenied');
  }

  remove(key: string): void {
    this.#check(key);
    hostCall(() => unlinkSync(key), 'accessDenied');
  }

  rename(from: string, to: string): void {
    this.#check(from);
    this.#check(to);
    hostCall(() => renameSync(from, to), 'accessDenied');
  }

  makeDirectory(key: string): void {
    this.#check(key);
    hostCall(() => mkdirSync(key), 'accessDenied');
  }

  removeDirectory(key: string): void {
    this.#check(key);
    hostCall(() => rmdirSync(key), 'accessDenied');
  }

  /** The folder it lies in must be ours, and so must the file behind a link of that name. */
  #check(key: string): void {
    const exists = lstatSync(key, { throwIfNoEntry: false }) !== undefined;
    if (!this.#inside(join(key, '..')) || (exists && !this.#inside(key))) throw new DosError('accessDenied');
  }
}

function hostCall<T>(call: () => T, error: 'accessDenied' | 'readFault'): T {
  try {
    return call();
  } catch (cause) {
    if (cause instanceof DosError) throw cause;
    throw new DosError(error, cause instanceof Error ? cause.message : undefined);
  }
}

/** In UTC: the zone of the host must not change what a program in the machine reads. */
function hostStamp(date: Date): number {
  return dosStamp({
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  });
}
