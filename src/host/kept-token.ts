import { createHash, randomBytes } from 'node:crypto';
import { link, lstat, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Nobody takes so long to replace a file: who began it is gone. */
const abandonedMs = 10_000;
const lookEveryMs = 20;
const mostAttempts = 1000;

/**
 * The token of this user's servers, the same at every start, so that a client needs to be told only once. One that others
 * could read, or that is none, is replaced. Of servers that start at the same time one makes it, and all have it.
 * Gateways of another team have another: who has the token of one is nobody to the machines of the other.
 * Where it cannot be kept, which `warn` is told, there is a new one each time.
 */
export async function keptToken(
  env: Readonly<Record<string, string | undefined>>,
  warn: (text: string) => void,
  team?: string,
): Promise<string> {
  const path = team === undefined ? keptTokenPath(env) : join(teamTokensPath(env), fileNameOf(team));
  const folder = dirname(path);
  const fresh = randomBytes(24).toString('base64url');
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    const kept = await readPrivate(path);
    if (kept !== undefined) return kept;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(draft, `${fresh}\n`, { mode: 0o600, flag: 'wx' });
    return await settled(path, draft);
  } catch (error) {
    warn(`the token cannot be kept for the next start: ${error instanceof Error ? error.message : String(error)}`);
    return fresh;
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}

export function keptTokenPath(env: Readonly<Record<string, string | undefined>>): string {
  return join(stateHome(env), 'frontpanel', 'token');
}

export function teamTokensPath(env: Readonly<Record<string, string | undefined>>): string {
  return join(stateHome(env), 'frontpanel', 'team-tokens');
}

function fileNameOf(team: string): string {
  return createHash('sha256').update(team).digest('hex').slice(0, 32);
}

/** The token that lies there in the end: that of the draft, if nobody was quicker. */
async function settled(path: string, draft: string): Promise<string> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    // A link is made or it is not: two can never both believe that theirs is there.
    await link(draft, path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    const kept = await readPrivate(path);
    if (kept !== undefined) return kept;
    await removeUseless(path);
  }
  throw new Error(`${path} does not stay as it is written`);
}

/** One that cannot be used goes; only one server at a time may do that, or it could take away what another has just made. */
async function removeUseless(path: string): Promise<void> {
  const mark = `${path}.replaced`;
  try {
    await (await open(mark, 'wx', 0o600)).close();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const since = await stat(mark).catch(() => undefined);
    if (since && Date.now() - since.mtimeMs > abandonedMs) await rm(mark, { force: true });
    return setTimeout(lookEveryMs);
  }
  try {
    if ((await readPrivate(path)) === undefined) await rm(path, { force: true });
  } finally {
    await rm(mark, { force: true });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
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
