import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second on every architecture that Node runs on. */
const ticksPerSecond = 100;

/** Seconds of processor time that a process has used so far, with all its threads. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in parentheses and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = '', system = ''] = fields.slice(11, 13);
  return (Number(user) + Number(system)) / ticksPerSecond;
}

/** Milliseconds that the threads of a process have used so far, to the nanosecond; those that have ended are not counted. */
export function threadsMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const used = (thread: string) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  return threads.reduce((sum, thread) => sum + used(thread), 0) / 1e6;
}

/** How often the threads of a process have gone to sleep and been woken. */
export function wakeUps(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce(
    (sum, thread) => sum + statusNumber(`/proc/${pid}/task/${thread}`, 'voluntary_ctxt_switches'),
    0,
  );
}

export function residentMb(pid: number): number {
  return (statusNumber(`/proc/${pid}`, 'VmRSS') * 1024) / 1e6;
}

/** The most that it ever was. */
export function mostResidentMb(pid: number): number {
  return (statusNumber(`/proc/${pid}`, 'VmHWM') * 1024) / 1e6;
}

function statusNumber(path: string, field: string): number {
  const status = readFileSync(`${path}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
}
