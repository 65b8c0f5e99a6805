import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../../../machine/host.ts';

const mostFiles = 32;
const mostBytes = 8 * 1024 * 1024;

/** Signatures that the user has made, in the state folder: `frontpanel/signatures/*.sig`. */
export async function ownSignatures(host: Pick<Host, 'settings' | 'log'>): Promise<readonly string[]> {
  const { HOME: home, XDG_STATE_HOME: own } = host.settings.environment;
  const state = own ?? (home === undefined ? undefined : join(home, '.local', 'state'));
  if (state === undefined) return [];
  const folder = join(state, 'frontpanel', 'signatures');
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') host.log('error', `signatures: ${error.message}`);
    return [];
  });
  const texts: string[] = [];
  for (const name of names.filter((each) => each.endsWith('.sig')).slice(0, mostFiles)) {
    const path = join(folder, name);
    const about = await stat(path).catch(() => undefined);
    if (about?.isFile() && about.size <= mostBytes) texts.push(await readFile(path, 'latin1'));
    else host.log('error', `signatures: ${name} is not a file of up to ${mostBytes} bytes`);
  }
  return texts;
}
