import { attributes } from './drive.ts';
import { shortNames } from './short-names.ts';
import { firstStamp } from './stamp.ts';
import type { SourceEntry, TreeSource } from './tree-source.ts';
import { ZipArchive, type ZipEntry, type ZipLimits } from './zip-archive.ts';

const defaultLimits: ZipLimits = { maxEntries: 20_000, maxBytes: 256 * 1024 * 1024 };
const maxDepth = 32;

/** The files of a zip archive as a tree. Names that try to leave it are left out. */
export class ZipSource implements TreeSource {
  readonly kind = 'zip';
  readonly rootKey = '';
  readonly #archive: ZipArchive;
  /** By folder, with a slash at the end: names in it, each with its file, or undefined for a folder. */
  readonly #folders = new Map<string, Map<string, ZipEntry | undefined>>([['', new Map()]]);

  constructor(bytes: Uint8Array, limits: ZipLimits = defaultLimits) {
    this.#archive = new ZipArchive(bytes, limits);
    for (const entry of this.#archive.entries()) this.#place(entry);
  }

  list(key: string): SourceEntry[] {
    const folder = [...(this.#folders.get(key) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
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
    return this.#archive.read(key);
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
