import { createHash, randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../../machine/host.ts';
import type { NamedProgram, NameStore } from '../../machine/names.ts';

/** Larger files are none of ours. */
const maxBytes = 32 * 1024 * 1024;

/** Names of programs as files in a directory, one for each program. */
export class NameFiles implements NameStore {
  readonly #directory: () => string;

  constructor(directory: string | (() => string)) {
    this.#directory = typeof directory === 'string' ? () => directory : directory;
  }

  /** In the user's state folder; without one they last as long as the server. */
  static of(host: Pick<Host, 'settings' | 'runtimeDir'>): NameFiles {
    return new NameFiles(() => {
      const { HOME: home, XDG_STATE_HOME: own } = host.settings.environment;
      const state = own ?? (home === undefined ? host.runtimeDir : join(home, '.local', 'state'));
      return join(state, 'frontpanel', 'names');
    });
  }

  async load(hash: string): Promise<string | undefined> {
    const bytes = await readFile(this.#path(hash)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    return bytes === undefined || bytes.length > maxBytes ? undefined : bytes.toString('utf8');
  }

  loadStart(hash: string, mostBytes: number): string | undefined {
    const bytes = Buffer.alloc(mostBytes);
    let file: number | undefined;
    try {
      file = openSync(this.#path(hash), 'r');
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, mostBytes, 0));
    } catch (error) {
      // Whatever else is wrong is said when all of it is read.
      if (error instanceof RangeError) throw error;
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  /** Either all of it is there afterwards, or what was there before. */
  async save(hash: string, text: string): Promise<void> {
    const path = this.#path(hash);
    const draft = `${path}.${randomBytes(6).toString('hex')}`;
    await mkdir(this.#directory(), { recursive: true, mode: 0o700 });
    try {
      await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  #path(hash: string): string {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new RangeError('not the hash of a program');
    return join(this.#directory(), `${hash}.names`);
  }
}

/** A program as names are kept with it. */
export function namedProgram(
  name: string,
  bytes: Uint8Array,
  first: number,
  last: number,
  image = first,
  imageLast = last,
): NamedProgram {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const [start, end] = [BigInt(first), BigInt(last)];
  return { name, hash, first: start, last: end, image: BigInt(image), imageLast: BigInt(imageLast) };
}
