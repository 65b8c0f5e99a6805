import { lstat, mkdir } from 'node:fs/promises';
import { MachineError } from '../machine/errors.ts';
import { fileError } from './file-error.ts';

/** Makes the directory, or makes sure that the one that is there is this user's and nobody else's. */
export async function makePrivateDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw fileError(error, path);
  }
  const fault = await directoryFault(path);
  if (fault === undefined) return;
  throw new MachineError(
    'UNAVAILABLE',
    `The directory ${path} ${fault}, so it cannot hold this server's sockets.`,
    `Remove it or correct it (chmod 700 ${path}), or set XDG_RUNTIME_DIR to a directory of your own.`,
    { path },
  );
}

/** Why the directory is not one that only this user can use; nothing if it is. */
export async function directoryFault(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return 'does not exist';
  if (found.isSymbolicLink()) return 'is a symbolic link';
  if (!found.isDirectory()) return 'is not a directory';
  // Windows has neither owners nor modes in this sense.
  if (process.getuid === undefined) return undefined;
  if (found.uid !== process.getuid()) return 'belongs to another user';
  if ((found.mode & 0o077) !== 0) return 'is open to other users';
  return undefined;
}
