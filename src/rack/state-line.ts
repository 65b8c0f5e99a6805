import type { Status } from '../machine/state.ts';

/** The first line of every answer. */
export function stateLine(handle: string, status: Status): string {
  const head = `${handle} ${status.state}${status.where ? ` at ${status.where}` : ''}`;
  const stop = status.stop && `stop ${status.stop.seq}: ${status.stop.reason}`;
  return [head, stop, status.time, ...(status.notes ?? [])].filter(Boolean).join(' · ');
}
