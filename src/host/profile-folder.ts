import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MachineError } from '../machine/errors.ts';
import type { ProfileShelf, SavedProfile } from '../machine/profiles.ts';

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
    const names = (await this.#names()).slice(0, mostProfiles);
    const all = await Promise.all(names.map((name) => this.#read(name)));
    return all.flatMap((saved) => (saved ? [saved] : []));
  }

  async save(name: string, profile: Readonly<Record<string, unknown>>): Promise<void> {
    const text = `${JSON.stringify(profile, null, 2)}\n`;
    const names = await this.#names();
    if (text.length > mostBytes || (names.length >= mostProfiles && !names.includes(name))) {
      const message = `A profile has at most ${mostBytes} characters, and ${mostProfiles} are kept.`;
      throw new MachineError('LIMIT_REACHED', message, 'Save a shorter one, or delete others.');
    }
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const written = join(this.#folder, `.${name}.${process.pid}.new`);
    const file = await open(written, 'w', 0o600);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    await rename(written, this.#path(name));
  }

  async delete(name: string): Promise<boolean> {
    if (!(await this.#names()).includes(name)) return false;
    await rm(this.#path(name));
    return true;
  }

  async #names(): Promise<readonly string[]> {
    const entries = await readdir(this.#folder).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    });
    return entries.flatMap((entry) => fileName.exec(entry)?.[1] ?? []).sort();
  }

  /** A file that is no profile is none. */
  async #read(name: string): Promise<SavedProfile | undefined> {
    try {
      if ((await stat(this.#path(name))).size > mostBytes) return undefined;
      const profile: unknown = JSON.parse(await readFile(this.#path(name), 'utf8'));
      return typeof profile === 'object' && profile !== null && !Array.isArray(profile)
        ? { name, profile: { ...profile } }
        : undefined;
    } catch {
      return undefined;
    }
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
}
