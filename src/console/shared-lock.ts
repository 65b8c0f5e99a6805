import { createHash } from 'node:crypto';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { MachineError } from '../machine/errors.ts';
import { listenPrivately } from './private-socket.ts';

/**
 * Keeps something for this server among all of this user: a socket in the directory that they share, which is there as long as we are.
 * That of a server that has died is taken over. Undefined if another one has it.
 */
export async function takeLock(directory: string, kind: string, what: string): Promise<Server | undefined> {
  const name = createHash('sha256').update(what).digest('hex').slice(0, 16);
  try {
    const server = await listenPrivately(join(directory, `${kind}-${name}`), (socket) => socket.destroy());
    return server.unref();
  } catch (error) {
    if (error instanceof MachineError && error.type === 'NAME_TAKEN') return undefined;
    throw error;
  }
}
