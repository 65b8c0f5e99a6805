import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { MachineError } from '../machine/errors.ts';
import { fileError } from './file-error.ts';

/** Creates a file that only this user can read. Never touches what is there already, not even through a link. */
export async function openNewPrivateFile(path: string): Promise<FileHandle> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    return await open(path, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new MachineError(
        'NAME_TAKEN',
        `The file ${path} exists already and is not overwritten.`,
        'Give another path, or move the file away first.',
        { path },
        { cause: error },
      );
    }
    throw fileError(error, path);
  }
}
