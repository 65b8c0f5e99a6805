import { createHash } from 'node:crypto';
import { closeSync, constants, opendirSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RomFile, RomOrigin, RomSpec } from './rom-spec.ts';

/** Enough for any collection; what lies beyond is not looked at. */
const mostEntries = 2000;
const mostHashed = 64;
const openRomsSign = 'OPEN ROMS';

/** What a name stands for, held until `close`; undefined when it may not be read. */
export type MayRead = (path: string) => Promise<{ readonly path: string; close(): void } | undefined>;

/**
 * The images in one folder. Each start asks some hundred questions about files, mostly of folders that are not there: answered at once
 * they take a microsecond or two, and sixty by way of another thread.
 */
export class RomFolder {
  readonly path: string;
  readonly #entries: readonly string[];
  readonly #mayRead: MayRead;
  /** Of those that were looked at, in bytes. */
  readonly #lengths = new Map<string, number>();

  /** Undefined when there is no such folder, or none that may be read. Fails when it cannot be listed. */
  static async open(path: string, mayRead: MayRead): Promise<RomFolder | undefined> {
    const granted = await mayRead(path);
    if (granted === undefined) return undefined;
    try {
      const entries = entriesOf(granted.path);
      return entries && new RomFolder(path, entries, mayRead);
    } finally {
      granted.close();
    }
  }

  private constructor(path: string, entries: readonly string[], mayRead: MayRead) {
    this.path = path;
    this.#entries = entries;
    this.#mayRead = mayRead;
  }

  /** The subfolder of this name, however it is written. */
  async below(name: string): Promise<RomFolder | undefined> {
    const entry = this.#named(name);
    return entry === undefined ? undefined : RomFolder.open(join(this.path, entry), this.#mayRead);
  }

  /** By its name; failing that, a known revision under any name. */
  async find(spec: RomSpec): Promise<RomFile | undefined> {
    for (const name of spec.names) {
      const entry = this.#named(name);
      const file = entry === undefined ? undefined : await this.#read(entry, spec.bytes);
      if (file) return { ...file, origin: originOf(file.bytes, spec) };
    }
    const revisions = Object.values(spec.revisions);
    const known = (await this.#ofLength(spec.bytes))
      .map((file) => ({ ...file, origin: originOf(file.bytes, spec) }))
      .filter(({ origin }) => origin.revision !== undefined);
    const rank = ({ origin }: RomFile) => revisions.indexOf(origin.revision ?? '');
    return known.sort((a, b) => rank(a) - rank(b))[0];
  }

  /** Known revisions of several images in one file, one after the other. */
  async findInOne(specs: readonly RomSpec[]): Promise<readonly RomFile[] | undefined> {
    const total = specs.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { path, bytes } of await this.#ofLength(total)) {
      let at = 0;
      const parts = specs.map((spec) => {
        const part = bytes.slice(at, at + spec.bytes);
        at += spec.bytes;
        return { path, bytes: part, origin: originOf(part, spec) };
      });
      if (parts.every(({ origin }) => origin.revision !== undefined)) return parts;
    }
    return undefined;
  }

  async #ofLength(length: number): Promise<readonly Omit<RomFile, 'origin'>[]> {
    const found: Omit<RomFile, 'origin'>[] = [];
    for (const entry of this.#entries) {
      if (found.length >= mostHashed) break;
      const file = await this.#read(entry, length);
      if (file) found.push(file);
    }
    return found;
  }

  /** A file of exactly this length; its size is looked at before anything is read. */
  async #read(entry: string, length: number): Promise<Omit<RomFile, 'origin'> | undefined> {
    // Each image is looked for among all of them: a folder of VICE's is asked for the size of a file once, not once an image.
    if ((this.#lengths.get(entry) ?? length) !== length) return undefined;
    const shown = join(this.path, entry);
    const granted = await this.#mayRead(shown);
    if (granted === undefined) return undefined;
    try {
      const found = lengthOf(granted.path);
      this.#lengths.set(entry, found);
      if (found !== length) return undefined;
      const bytes = firstBytes(granted.path, length);
      return bytes.length === length ? { path: shown, bytes } : undefined;
    } finally {
      granted.close();
    }
  }

  #named(name: string): string | undefined {
    if (this.#entries.includes(name)) return name;
    const wanted = name.toLowerCase();
    return this.#entries.find((entry) => entry.toLowerCase() === wanted);
  }
}

function originOf(bytes: Uint8Array, { revisions, sign }: RomSpec): RomOrigin {
  const revision = revisions[createHash('sha1').update(bytes).digest('hex')];
  if (revision !== undefined) return { maker: 'original', revision };
  const text = Buffer.from(bytes).toString('latin1');
  if (text.includes(openRomsSign)) return { maker: 'open-roms' };
  return { maker: sign !== undefined && text.includes(sign) ? 'original' : 'unknown' };
}

function firstBytes(path: string, length: number): Uint8Array {
  // Should it have become a pipe meanwhile, nobody waits for its other end.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

/** Undefined when there is no such folder. */
function entriesOf(path: string): readonly string[] | undefined {
  return unlessAbsent(() => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined;
    const folder = opendirSync(path);
    try {
      const names: string[] = [];
      for (let entry = folder.readSync(); entry && names.length < mostEntries; entry = folder.readSync()) {
        names.push(entry.name);
      }
      return names.sort();
    } finally {
      folder.closeSync();
    }
  });
}

/** Nothing has a length that is not a file. */
function lengthOf(path: string): number {
  const found = unlessAbsent(() => statSync(path, { throwIfNoEntry: false }));
  return found?.isFile() ? found.size : Number.NaN;
}

function unlessAbsent<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(error.code));
}
