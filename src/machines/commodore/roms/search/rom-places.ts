import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { MachineError } from '../../../../machine/errors.ts';
import type { Host } from '../../../../machine/host.ts';
import type { MayRead } from './rom-folder.ts';

/** A folder with ROMs: images in it, or in subfolders as emulators have them (`C64`, `DRIVES` …). */
export interface RomPlace {
  readonly path: string;
  /** Somebody named it, so that whatever is in it is wanted; else only originals are. */
  readonly isNamed: boolean;
  readonly mayRead: MayRead;
}

type RomHost = {
  readonly files: Pick<Host['files'], 'kindOf' | 'open' | 'openFolder'>;
  readonly settings: Pick<Host['settings'], 'romFolders' | 'environment'>;
};

/** In the list of folders: the ROMs that come with this program, and no search beyond. */
const ownRoms = 'own';

/** Where a machine's ROMs are looked for, in this order: the folder it asks for, those of the user, the usual ones. */
export async function romPlaces(asked: string | undefined, host: RomHost): Promise<readonly RomPlace[]> {
  const { romFolders, environment } = host.settings;
  const end = romFolders.indexOf(ownRoms);
  const named = end < 0 ? romFolders : romFolders.slice(0, end);
  const usual = end < 0 ? usualFolders(environment) : [];
  const trusted = [
    ...named.map((path) => ({ path, isNamed: true, mayRead: anything })),
    ...usual.map((path) => ({ path, isNamed: false, mayRead: anything })),
  ];
  if (asked === undefined) return trusted;
  return [await askedPlace(asked, [...named, ...usual, openRoms], host), ...trusted];
}

/** Packages that hold nothing but other ROMs: never taken unasked, but everybody may ask. */
const openRoms = '/usr/share/open-roms';

/** Where VICE looks, as its own installation and packages have it. */
function usualFolders({ HOME: home, XDG_DATA_HOME: data }: Host['settings']['environment']): readonly string[] {
  const own = data ?? (home === undefined ? undefined : join(home, '.local/share'));
  return [
    ...(own === undefined ? [] : [join(own, 'vice')]),
    '/usr/local/share/vice',
    '/usr/share/vice',
    '/usr/local/lib/vice',
    '/usr/lib/vice',
    '/opt/homebrew/share/vice',
  ];
}

/** Agents may name folders for ROMs, and else those below which they may read; there every single file is asked for. */
async function askedPlace(path: string, known: readonly string[], host: RomHost): Promise<RomPlace> {
  const real = await realpath(path).catch(() => undefined);
  const isKnown = real !== undefined && known.some((folder) => isBelow(resolve(folder), real));
  // Without links: where they lead may have changed by the time it is opened.
  if (isKnown) return { path: real, isNamed: true, mayRead: anything };
  (await host.files.openFolder(path, 'read')).close();
  const mayRead: MayRead = async (name) => {
    try {
      const kind = await host.files.kindOf(name);
      if (kind === 'other') return undefined;
      const opened =
        kind === 'folder' ? await host.files.openFolder(name, 'read') : await host.files.open(name, 'read');
      return { path: opened.grantedPath, close: () => opened.close() };
    } catch (error) {
      if (error instanceof MachineError) return undefined;
      throw error;
    }
  };
  return { path, isNamed: true, mayRead };
}

const anything: MayRead = async (path) => ({ path, close: () => {} });

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
