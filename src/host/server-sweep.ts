import { readdir, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { directoryFault } from './private-directory.ts';
import { isRunning, isSameProcess } from './process-identity.ts';
import { recordPath } from './runtime-dir.ts';
import { readServerRecord, type ServerRecord } from './server-record.ts';

/** A server that runs, or what is left of one. */
export interface FoundServer {
  readonly pid: number;
  readonly dir: string;
  readonly alive: boolean;
  /** Absent when the server died, or was still starting, before it wrote one. */
  readonly record?: ServerRecord;
}

export interface SweptServer {
  readonly pid: number;
  readonly dir: string;
  /** Process groups that outlived the server. */
  readonly survivors: readonly number[];
  /** Those of them that were killed. */
  readonly killed: readonly number[];
  readonly removed: boolean;
}

/** The servers of this user below the root, in the order of their pids. */
export async function findServers(root: string): Promise<FoundServer[]> {
  if ((await directoryFault(root)) !== undefined) return [];
  const names = (await readdir(root)).filter((name) => /^[1-9]\d{0,9}$/.test(name));
  const servers: FoundServer[] = [];
  for (const pid of names.map(Number).sort((a, b) => a - b)) {
    const dir = join(root, String(pid));
    if ((await directoryFault(dir)) !== undefined) continue;
    const record = await readServerRecord(recordPath(dir));
    const own = record?.pid === pid ? record : undefined;
    servers.push({ pid, dir, alive: isRunning(own ?? { pid }), ...(own && { record: own }) });
  }
  return servers;
}

/**
 * Clears up after servers that are dead. With `kill`, process groups that outlived them are killed; without, the
 * directories that name such groups stay, so that they are not forgotten.
 */
export async function sweepDeadServers(root: string, options: { readonly kill: boolean }): Promise<SweptServer[]> {
  const swept: SweptServer[] = [];
  for (const { pid, dir, alive, record } of await findServers(root)) {
    if (alive) continue;
    const survivors = (record?.processGroups ?? []).filter(isSameProcess).map((group) => group.pid);
    const killed = options.kill ? survivors.filter(killGroup) : [];
    const removed = killed.length === survivors.length;
    if (removed) await removeWithWork(dir);
    swept.push({ pid, dir, survivors, killed, removed });
  }
  return swept;
}

/** Machines that keep large files elsewhere have a link `work` to their folder there. */
async function removeWithWork(dir: string): Promise<void> {
  for (const machine of await readdir(dir)) {
    const work = await readlink(join(dir, machine, 'work')).catch(() => undefined);
    // Nothing that a machine did not make itself, by its name.
    if (work !== undefined && /^qemu-\w{6}$/.test(basename(work))) await rm(work, { recursive: true, force: true });
  }
  await rm(dir, { recursive: true, force: true });
}

function killGroup(pgid: number): boolean {
  try {
    process.kill(-pgid, 'SIGKILL');
    return true;
  } catch (error) {
    // It ended on its own in the meantime.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
