import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MachineError } from '../machine/errors.ts';
import type { ProfileShelf, SavedProfile } from '../machine/profiles.ts';
import { fileError } from './file-error.ts';

const mostProfiles = 500;
const mostBytes = 65_536;
const fileName = /^([A-Za-z0-9][A-Za-z0-9_-]{0,63})\.json$/;

/** Profiles as files in a folder that only the user can read; it is made when the first is saved. */
export class ProfileFolder implements ProfileShelf {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Beside the configuration of other programs; undefined where nobody says where the user is at home. */
  static ofUser(env: Readonly<Record<string, string | undefined>>): ProfileFolder | undefined {
    const { XDG_CONFIG_HOME: config, HOME: home } = env;
    const base = config?.startsWith('/') ? config : home && join(home, '.config');
    return base ? new ProfileFolder(join(base, 'frontpanel', 'profiles')) : undefined;
  }

  async list(): Promise<readonly SavedProfile[]> {
    const all: SavedProfile[] = [];
    for (const name of (await this.#names()).slice(0, mostProfiles)) all.push(await this.#read(name));
    return all;
  }

  async save(name: string, profile: Readonly<Record<string, unknown>>): Promise<void> {
    const text = `${JSON.stringify(profile, null, 2)}\n`;
    const names = await this.#names();
    if (text.length > mostBytes || (names.length >= mostProfiles && !names.includes(name))) {
      const message = `A profile has at most ${mostBytes} characters, and ${mostProfiles} are kept.`;
      throw new MachineError('LIMIT_REACHED', message, 'Save a shorter one, or delete others.');
    }
    const written = join(this.#folder, `.${name}.${process.pid}.new`);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const file = await open(written, 'w', 0o600);
      try {
        await file.writeFile(text);
      } finally {
        await file.close();
      }
      await rename(written, this.#path(name));
    } catch (error) {
      await rm(written, { force: true }).catch(() => {});
      throw fileError(error, this.#path(name));
    }
  }

  async delete(name: string): Promise<boolean> {
    if (!(await this.#names()).includes(name)) return false;
    await rm(this.#path(name)).catch((error: unknown) => {
      throw fileError(error, this.#path(name));
    });
    return true;
  }

  async #names(): Promise<readonly string[]> {
    const entries = await readdir(this.#folder).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw fileError(error, this.#folder);
    });
    return entries.flatMap((entry) => fileName.exec(entry)?.[1] ?? []).sort();
  }

  async #read(name: string): Promise<SavedProfile> {
    try {
      const profile: unknown = JSON.parse(await readText(this.#path(name)));
      if (typeof profile === 'object' && profile !== null && !Array.isArray(profile)) {
        return { name, profile: { ...profile } };
      }
      return { name, problem: 'it holds no object' };
    } catch (error) {
      return { name, problem: error instanceof Error ? error.message : String(error) };
    }
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
}

/** Neither through a link nor from anything that could keep us waiting. */
async function readText(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Error('it is not a file');
    if (found.size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
