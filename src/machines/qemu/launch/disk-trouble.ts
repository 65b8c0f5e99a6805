import { MachineError } from '../../../machine/errors.ts';

const troubles: Readonly<Record<string, string>> = {
  ENOSPC: 'is on a disk that is full',
  EDQUOT: 'is on a disk where this user has no room left',
  EROFS: 'is on a disk that cannot be written',
  EIO: 'is on a disk that reports errors',
};

const namedElsewhere = 'name another folder in "work_dir"';

/** Why a machine's own files could not be written; what is no trouble of its disk stays what it is. */
export function explainedDisk(error: unknown, folder: string, otherwise = namedElsewhere): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  const trouble = troubles[code];
  if (trouble === undefined) return error;
  return new MachineError(
    'UNAVAILABLE',
    `The folder ${folder}, for the files of the machine, ${trouble} (${code}).`,
    `Make room there, or ${otherwise}.`,
    { folder },
    { cause: error },
  );
}
