import { readFileSync } from 'node:fs';

/** A process as something that no later process with the same pid can be taken for. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks between the start of the system and that of the process; absent where there is no /proc. */
  readonly startTicks?: number;
  /** Which run of the system the ticks count from. */
  readonly bootId?: string;
}

export function identify(pid: number): ProcessIdentity {
  const startTicks = readStat(pid)?.startTicks;
  const bootId = readBootId();
  return { pid, ...(startTicks !== undefined && { startTicks }), ...(bootId !== undefined && { bootId }) };
}

/** Whether the very process still runs; where starts cannot be compared, whether one with its pid does. */
export function isRunning(process: ProcessIdentity): boolean {
  if (process.startTicks === undefined) return isAlive(process.pid);
  return isSameProcess(process);
}

/** Whether the very process is known to still run. */
export function isSameProcess(process: ProcessIdentity): boolean {
  const stat = readStat(process.pid);
  if (!stat || hasEnded(stat)) return false;
  return stat.startTicks === process.startTicks && process.bootId === readBootId();
}

/** Whether a process has this pid; one that has ended and that nobody has waited for does not count. */
export function isAlive(pid: number): boolean {
  const stat = readStat(pid);
  if (stat) return !hasEnded(stat);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function hasEnded({ state }: { readonly state: string }): boolean {
  return state === 'Z' || state === 'X';
}

/** Fields 3 and 22 of /proc/PID/stat; field 2, the name, is in parentheses and may contain anything. */
function readStat(pid: number): { readonly state: string; readonly startTicks: number } | undefined {
  const text = readProc(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const startTicks = Number(fields[19]);
  return fields[0] && Number.isSafeInteger(startTicks) ? { state: fields[0], startTicks } : undefined;
}

function readBootId(): string | undefined {
  return readProc('/proc/sys/kernel/random/boot_id')?.trim();
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
