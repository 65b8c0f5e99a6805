import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The variable by which all that a part starts is known. */
export const partVariable = 'TESTED_PART';

/** So long a process may take to end when those who started it have ended. */
const patience = 20_000;

/** Ends what a part has started and not ended, and says what that was. Only Linux tells. */
export async function endWhatIsLeft(part: string): Promise<readonly string[]> {
  const end = Date.now() + patience;
  let left = startedBy(part);
  while (left.length > 0 && Date.now() < end) {
    await sleep(200);
    left = startedBy(part);
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
  return left.map(({ pid, command }) => `${pid} ${command}`);
}

function startedBy(part: string): { readonly pid: number; readonly command: string }[] {
  const mark = `${partVariable}=${part}`;
  return processes().flatMap((pid) => {
    const own = read(`/proc/${pid}/environ`).split('\0').includes(mark);
    const command = own ? read(`/proc/${pid}/cmdline`).split('\0').join(' ').trim() : '';
    // Those that have ended and wait for somebody to ask have no command.
    return command === '' ? [] : [{ pid, command }];
  });
}

function processes(): readonly number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid);
  } catch {
    return [];
  }
}

/** Nothing of one that has ended or belongs to somebody else. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
