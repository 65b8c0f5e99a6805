import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode, outOfDescriptorsFix } from '../../links/serial/reasons.ts';
import { MachineError } from '../../machine/errors.ts';

/** Creates a file for this user alone; never opens what is already there, not even through a link. */
export async function newFile(path: string): Promise<FileHandle> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  try {
    return await open(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
  } catch (error) {
    throw fileError(error, path);
  }
}

/** What a failed call of the file system means for the one who named the path. */
export function fileError(error: unknown, path: string): MachineError {
  const code = errorCode(error);
  const data = { path };
  const options = { cause: error };
  if (code === 'EEXIST') {
    const fix = 'Give a path that does not exist yet, or remove that file first.';
    return new MachineError('NAME_TAKEN', `${path} exists and is never overwritten.`, fix, data, options);
  }
  if (code === 'ENOENT') {
    const fix = 'Give a path whose directory exists.';
    return new MachineError('NOT_FOUND', `${path}: no such file or directory.`, fix, data, options);
  }
  const fix = outOfDescriptorsFix(error) ?? 'Give a path on a disk that can be written and has room.';
  return new MachineError('UNAVAILABLE', `${path}: ${describeFileError(error)}.`, fix, data, options);
}

export function describeFileError(error: unknown): string {
  if (errorCode(error) === 'ENOSPC') return 'no space left on the disk (ENOSPC)';
  return error instanceof Error ? error.message : String(error);
}
