import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import type { Server } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { MachineError } from '../../machine/errors.ts';
import { listenPrivately } from '../private-socket.ts';

/**
 * Keeps other servers of this user from writing the same log, which neither could rotate then: a socket that is there
 * as long as we are. `directory` is one that all of them share.
 */
export async function lockLog(path: string, directory: string): Promise<Server> {
  const folder = await realpath(dirname(resolve(path))).catch(() => dirname(resolve(path)));
  const name = createHash('sha256')
    .update(join(folder, basename(path)))
    .digest('hex')
    .slice(0, 16);
  try {
    return await listenPrivately(join(directory, `log-${name}`), (socket) => socket.destroy());
  } catch (error) {
    if (!(error instanceof MachineError) || error.type !== 'NAME_TAKEN') throw error;
    const fix = 'Stop that server, or give each its own file.';
    throw new MachineError('BUSY', `Another server writes the log ${path}.`, fix, { path }, { cause: error });
  }
}
