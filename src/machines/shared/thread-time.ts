import { readFileSync, readlinkSync } from 'node:fs';

/** Linux counts the time of processors in hundredths of a second, whatever the computer. */
const tickMs = 10;

/** Where the system keeps the account of the thread that asks; undefined where it keeps none that we can read. */
export function ownThread(): string | undefined {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/stat`;
  } catch {
    return undefined;
  }
}

/** Processor time that a thread of this process has had. */
export function threadTimeMs(thread: string): number | undefined {
  try {
    const account = readFileSync(thread, 'latin1');
    // After the name of the program, which may have blanks and parentheses in it.
    const fields = account.slice(account.lastIndexOf(')') + 2).split(' ');
    const [user, system] = [fields[11], fields[12]].map(Number);
    return ((user ?? 0) + (system ?? 0)) * tickMs;
  } catch {
    return undefined;
  }
}
