import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LockOptions } from './acquire-lock.ts';
import { type LockHolder, parseHolder } from './socket-lock.ts';

const attempts = 50;
/** Clearing a dead lock away takes a moment; who has not done it in this time has died over it. */
const clearingMs = 10_000;

/** A file with the process that owns it, for systems without abstract sockets. */
export class FileLock implements AsyncDisposable {
  readonly name: string;
  readonly #path: string;

  static async take(
    name: string,
    { folder, owner }: LockOptions,
  ): Promise<FileLock | { readonly holder: LockHolder | undefined }> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${name}.lock`);
    const draft = `${path}.${process.pid}`;
    await writeHolder(draft, { pid: process.pid, owner, since: new Date().toISOString() });
    try {
      for (let attempt = 0; attempt < attempts; attempt++) {
        // A link appears with its content, or not at all because there is one.
        if (await succeeds(link(draft, path))) return new FileLock(name, path);
        const holder = parseHolder(await readFile(path, 'utf8').catch(() => ''));
        if (holder && isAlive(holder.pid)) return { holder };
        await clearAway(path, holder?.pid);
      }
      return { holder: undefined };
    } finally {
      await rm(draft, { force: true });
    }
  }

  private constructor(name: string, path: string) {
    this.name = name;
    this.#path = path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

/** One process at a time clears, and looks again before it does: it may be somebody's new lock by now. */
async function clearAway(path: string, deadPid: number | undefined): Promise<void> {
  const clearing = `${path}.clearing`;
  const begun = await open(clearing, 'wx').catch(() => undefined);
  if (!begun) {
    const { mtimeMs } = await stat(clearing).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > clearingMs) await rename(clearing, `${clearing}.${process.pid}`).catch(() => {});
    await rm(`${clearing}.${process.pid}`, { force: true });
    return;
  }
  try {
    const now = parseHolder(await readFile(path, 'utf8').catch(() => ''));
    if (now?.pid === deadPid) await rm(path, { force: true });
  } finally {
    await begun.close();
    await rm(clearing, { force: true });
  }
}

async function writeHolder(path: string, holder: LockHolder): Promise<void> {
  const file = await open(path, 'w', 0o600);
  await file.writeFile(JSON.stringify(holder));
  await file.close();
}

function succeeds(action: Promise<unknown>): Promise<boolean> {
  return action.then(
    () => true,
    () => false,
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
