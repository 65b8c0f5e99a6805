import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * The token of this user's servers, the same at every start, so that a client needs to be told only once. One that others
 * could read, or that is none, is replaced. Where it cannot be kept, which `warn` is told, there is a new one each time.
 */
export async function keptToken(
  env: Readonly<Record<string, string | undefined>>,
  warn: (text: string) => void,
): Promise<string> {
  const folder = join(stateHome(env), 'frontpanel');
  const path = join(folder, 'token');
  const kept = await readPrivate(path);
  if (kept !== undefined) return kept;
  const fresh = randomBytes(24).toString('base64url');
  const draft = `${path}.${process.pid}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(draft, `${fresh}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, path);
  } catch (error) {
    warn(`the token cannot be kept for the next start: ${error instanceof Error ? error.message : String(error)}`);
    await rm(draft, { force: true }).catch(() => {});
  }
  return fresh;
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
