import {
  mostAtOnce,
  ZipArchive,
  type ZipEntry,
  ZipError,
  type ZipFault,
  type ZipLimits,
} from '../../../formats/zip-archive.ts';
import { DosError, type DosErrorName } from './dos-error.ts';
import { attributes } from './drive.ts';
import { shortNames } from './short-names.ts';
import { firstStamp } from './stamp.ts';
import type { SourceEntry, TreeSource } from './tree-source.ts';

const defaultLimits: ZipLimits = { maxEntries: 8192, maxBytes: 128 * 1024 * 1024 };
const maxDepth = 32;
/** More than a directory of DOS could ever list; the rest is left out. */
const maxInFolder = 2048;

const errors: Readonly<Record<ZipFault, DosErrorName>> = {
  missing: 'fileNotFound',
  encrypted: 'accessDenied',
  damaged: 'readFault',
  unusable: 'invalidFormat',
};

/** The files of a zip archive as a tree. Names that try to leave it are left out. */
export class ZipSource implements TreeSource {
  readonly kind = 'zip';
  readonly rootKey = '';
  readonly #archive: ZipArchive;
  /** By folder, with a slash at the end: names in it, each with its file, or undefined for a folder. */
  readonly #folders = new Map<string, Map<string, ZipEntry | undefined>>([['', new Map()]]);

  static async open(bytes: Uint8Array, limits: ZipLimits = defaultLimits): Promise<ZipSource> {
    const source = new ZipSource(told(() => new ZipArchive(bytes, limits)));
    await source.#unpackLarge();
    return source;
  }

  private constructor(archive: ZipArchive) {
    this.#archive = archive;
    for (const entry of archive.entries()) this.#place(entry);
  }

  list(key: string): SourceEntry[] {
    const folder = [...(this.#folders.get(key) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, maxInFolder);
    const short = shortNames(folder.map(([name]) => name));
    return folder.map(([name, file], index) => ({
      key: file === undefined ? `${key}${name}/` : file.path,
      name: short[index] ?? '',
      attributes: file === undefined ? attributes.directory : attributes.archive,
      stamp: file?.stamp || firstStamp,
      size: file?.size ?? 0,
    }));
  }

  read(key: string): Uint8Array {
    return told(() => this.#archive.read(key));
  }

  /** A program that opens a large file must not have to wait for it, and nobody else either. */
  async #unpackLarge(): Promise<void> {
    for (const { path, size } of this.#archive.entries()) {
      if (size <= mostAtOnce) continue;
      await this.#archive.unpack(path).catch((error: unknown) => {
        // What is wrong with it is told when it is read.
        if (!(error instanceof ZipError)) throw error;
      });
    }
  }

  #place(entry: ZipEntry): void {
    const parts = entry.path.replaceAll('\\', '/').split('/');
    const file = parts.pop() ?? '';
    if (
      parts.length > maxDepth ||
      [...parts, file || 'x'].some((part) => part === '..' || part === '.' || part === '')
    ) {
      return;
    }
    let at = '';
    for (const part of parts) {
      const inside = this.#folders.get(at);
      if (inside?.get(part) !== undefined) return;
      inside?.set(part, undefined);
      at += `${part}/`;
      if (!this.#folders.has(at)) this.#folders.set(at, new Map());
    }
    const folder = this.#folders.get(at);
    if (file !== '' && folder !== undefined && !folder.has(file)) folder.set(file, entry);
  }
}

/** What is wrong with an archive, as DOS tells it. */
function told<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ZipError) throw new DosError(errors[error.fault], error.message);
    throw error;
  }
}
