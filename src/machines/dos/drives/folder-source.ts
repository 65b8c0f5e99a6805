import { fromCodePage } from '../../../formats/code-page-437.ts';
import type { HostFolder } from '../../../machine/files.ts';
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

/**
 * Names of 11 characters that a program may give to files of the host: what DOS takes in a path. A program that fills in a
 * file control block can ask for any others.
 */
const fitsTheHost = /^[!#$%&'()\-0-9@A-Z^_`a-z{}~\x80-\xff][ !#$%&'()\-0-9@A-Z^_`a-z{}~\x80-\xff]{10}$/;

/** A folder of the host and what lies below it. Keys are paths inside it. */
export class FolderSource implements TreeSource {
  readonly kind = 'folder';
  readonly rootKey = '';
  readonly mirror?: TreeMirror;
  readonly #folder: HostFolder;

  constructor(folder: HostFolder, writeThrough = false) {
    this.#folder = folder;
    if (writeThrough) this.mirror = new FolderMirror(folder);
  }

  list(key: string): SourceEntry[] {
    const entries = hostCall(() => this.#folder.list(key, maxEntries), 'pathNotFound');
    const short = shortNames(entries.map(({ name }) => name));
    return entries.map(({ name, kind, size, modified, readOnly }, index) => ({
      key: below(key, name),
      name: short[index] ?? '',
      attributes: kind === 'folder' ? attributes.directory : attributes.archive | (readOnly ? attributes.readOnly : 0),
      stamp: hostStamp(modified),
      size: Math.min(size, 0xffff_ffff),
    }));
  }

  read(key: string): Uint8Array {
    return hostCall(() => this.#folder.read(key, maxFileBytes), 'accessDenied');
  }

  readPart(key: string, position: number, length: number): Uint8Array {
    return hostCall(() => this.#folder.readPart(key, position, length), 'readFault');
  }
}

class FolderMirror implements TreeMirror {
  readonly #folder: HostFolder;

  constructor(folder: HostFolder) {
    this.#folder = folder;
  }

  child(parentKey: string, name: string): string {
    if (!fitsTheHost.test(name)) throw new DosError('accessDenied');
    return below(parentKey, fromCodePage(formatName(name)));
  }

  write(key: string, bytes: Uint8Array): void {
    hostCall(() => this.#folder.write(key, bytes), 'accessDenied');
  }

  remove(key: string): void {
    hostCall(() => this.#folder.remove(key), 'accessDenied');
  }

  rename(from: string, to: string): void {
    hostCall(() => this.#folder.rename(from, to), 'accessDenied');
  }

  makeDirectory(key: string): void {
    hostCall(() => this.#folder.makeFolder(key), 'accessDenied');
  }

  removeDirectory(key: string): void {
    hostCall(() => this.#folder.removeFolder(key), 'accessDenied');
  }
}

function below(key: string, name: string): string {
  return key === '' ? name : `${key}/${name}`;
}

function hostCall<T>(call: () => T, error: 'accessDenied' | 'pathNotFound' | 'readFault'): T {
  try {
    return call();
  } catch (cause) {
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
