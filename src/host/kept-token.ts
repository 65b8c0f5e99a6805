import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * The token of this user's servers, the same at every start, so that a client needs to be told only once. Where it
 * cannot be kept, or others could read it, there is a new one each time.
 */
export async function keptToken(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const folder = join(stateHome(env), 'frontpanel');
  const path = join(folder, 'token');
  const fresh = randomBytes(24).toString('base64url');
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path, `${fresh}\n`, { mode: 0o600, flag: 'wx' });
    return fresh;
  } catch {
    return (await readPrivate(path)) ?? fresh;
  }
}

function stateHome({ XDG_STATE_HOME: named, HOME: home = homedir() }: Readonly<Record<string, string | undefined>>) {
  return named !== undefined && isAbsolute(named) ? named : join(home, '.local', 'state');
}

async function readPrivate(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > 1000) return undefined;
  if (process.getuid !== undefined && (found.uid !== process.getuid() || (found.mode & 0o077) !== 0)) return undefined;
  const token = (await readFile(path, 'utf8').catch(() => '')).trim();
  return /^[\x21-\x7e]{16,200}$/.test(token) ? token : undefined;
}
