import { realpath } from 'node:fs/promises';
import type { Server } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { MachineError } from '../../machine/errors.ts';
import { takeLock } from '../shared-lock.ts';

/** Keeps other servers of this user from writing the same log, which neither could rotate then. */
export async function lockLog(path: string, directory: string): Promise<Server> {
  const folder = await realpath(dirname(resolve(path))).catch(() => dirname(resolve(path)));
  const lock = await takeLock(directory, 'log', join(folder, basename(path)));
  if (lock) return lock;
  const fix = 'Stop that server, or give each its own file.';
  throw new MachineError('BUSY', `Another server writes the log ${path}.`, fix, { path });
}
