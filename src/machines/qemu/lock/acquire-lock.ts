import { MachineError } from '../../../machine/errors.ts';
import { FileLock } from './file-lock.ts';
import { type LockHolder, SocketLock } from './socket-lock.ts';

export interface HeldLock extends AsyncDisposable {
  readonly name: string;
}

export interface LockOptions {
  /** How the holder is named to others: its command line. */
  readonly owner: string;
  /** Where lock files lie on systems other than Linux. */
  readonly folder: string;
}

const form = /^[\w.-]{1,60}$/;

/**
 * One owner at a time among all processes of this user. The operating system frees it when the owner dies, however it
 * dies. A refusal names the holder.
 */
export async function acquireLock(name: string, options: LockOptions): Promise<HeldLock> {
  if (!form.test(name)) {
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${JSON.stringify(name.slice(0, 80))} is not a valid lock name.`,
      'Use letters, digits, "_", ".", "-".',
    );
  }
  const lock =
    process.platform === 'linux' ? await SocketLock.take(name, options.owner) : await FileLock.take(name, options);
  if (!('holder' in lock)) return lock;
  const { holder } = lock;
  throw new MachineError('BUSY', `The lock ${name} is held by ${describe(holder)}.`, 'Wait until it ends, or end it.', {
    lock: name,
    ...(holder && { holder_pid: holder.pid, holder: holder.owner, since: holder.since }),
  });
}

function describe(holder: LockHolder | undefined): string {
  if (!holder) return 'another process that does not say who it is';
  return `process ${holder.pid} (${holder.owner}) since ${holder.since}`;
}
