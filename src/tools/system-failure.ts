import { MachineError } from '../machine/errors.ts';

const limit = 'Stop machines that are not needed; the user can start the server with a higher limit (ulimit -n).';
const full = 'Make room on that disk, or ask the user to; then call again.';
const failing = 'Ask the user to look at that disk.';
const broken = 'Ask the user to look at that disk or device.';

/** Failures that are neither the caller's nor ours, whoever met them. */
const failures: Readonly<Record<string, readonly [what: string, fix: string]>> = {
  EMFILE: ['the server has too many files open', limit],
  ENFILE: ['this computer has too many files open', limit],
  ENOSPC: ['a disk of this computer is full', full],
  EDQUOT: ['the user of this server has no room left on a disk', full],
  EFBIG: ['a file would be larger than its disk allows', full],
  EROFS: ['a disk of this computer cannot be written', failing],
  EIO: ['a disk or device of this computer reports errors', broken],
};

/** What an agent is told of a failure of the computer's; undefined of any other. */
export function systemFailure(tool: string, error: unknown): MachineError | undefined {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined;
  const failure = Object.hasOwn(failures, error.code) ? failures[error.code] : undefined;
  if (!failure) return undefined;
  const [what, fix] = failure;
  return new MachineError('UNAVAILABLE', `${tool} failed: ${what} (${error.message}).`, fix, {}, { cause: error });
}
