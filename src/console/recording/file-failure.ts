import { errorCode, outOfDescriptorsFix } from '../../links/serial/reasons.ts';
import { MachineError } from '../../machine/errors.ts';

/** What a failed call of the file system means for the one who named the path. */
export function fileError(error: unknown, path: string): MachineError {
  if (error instanceof MachineError) return error;
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

export function describeFileError(failure: unknown): string {
  const error = failure instanceof MachineError ? (failure.cause ?? failure) : failure;
  if (errorCode(error) === 'ENOSPC') return 'no space left on the disk (ENOSPC)';
  return error instanceof Error ? error.message : String(error);
}
