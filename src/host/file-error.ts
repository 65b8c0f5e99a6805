import { type ErrorType, MachineError } from '../machine/errors.ts';

const meanings: Readonly<Record<string, readonly [type: ErrorType, what: string, fix: string]>> = {
  ENOENT: ['NOT_FOUND', 'does not exist', 'Give the path of something that exists, or create its directory first.'],
  ENOTDIR: ['NOT_FOUND', 'is not a directory, or leads through a file', 'Correct the path.'],
  EISDIR: ['INVALID_ARGUMENT', 'is a directory', 'Give the path of a file.'],
  ENOTREG: ['INVALID_ARGUMENT', 'is a device, a pipe or a socket', 'Give the path of a regular file.'],
  EEXIST: ['NAME_TAKEN', 'exists already and is not overwritten', 'Give another path, or move the file away first.'],
  ELOOP: ['INVALID_ARGUMENT', 'leads through symbolic links without end', 'Give a path without them.'],
  ENAMETOOLONG: ['INVALID_ARGUMENT', 'is too long', 'Give a shorter path.'],
  EACCES: ['UNAVAILABLE', 'may not be opened by this user', 'Change its permissions or give another path.'],
  EPERM: ['UNAVAILABLE', 'may not be opened by this user', 'Change its permissions or give another path.'],
  EROFS: ['UNAVAILABLE', 'is on a disk that cannot be written', 'Give another path.'],
  ENOSPC: ['UNAVAILABLE', 'is on a disk that is full', 'Make room or give another path.'],
  EDQUOT: ['UNAVAILABLE', 'is on a disk where this user has no room left', 'Make room or give another path.'],
  EFBIG: ['UNAVAILABLE', 'would be larger than its disk allows', 'Give a path on another disk.'],
  EIO: ['UNAVAILABLE', 'is on a disk that reports errors', 'Give a path on another disk.'],
  EMFILE: ['UNAVAILABLE', 'cannot be opened: this server has too many files open', 'Stop machines or raise ulimit -n.'],
  ENFILE: ['UNAVAILABLE', 'cannot be opened: this computer has too many files open', 'Close some.'],
};

/** A failure of the file system as one an agent can act on; what it cannot act on stays what it is. */
export function fileError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error;
  const meaning = meanings[error.code];
  if (!meaning) return error;
  const [type, what, fix] = meaning;
  return new MachineError(type, `The path ${path} ${what} (${error.code}).`, fix, { path }, { cause: error });
}
