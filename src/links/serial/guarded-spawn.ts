import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';

/** A command waits here until it is guarded, and ends when whoever started it has died before: it would outlive everybody. */
const gate = 'read -r go <&3 && exec 3<&- && exec "$@"';

export interface HowToSpawn {
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: readonly [Socket, Socket, Socket];
}

export interface Spawned {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly forget: (() => void) | undefined;
}

/** Starts a program with these three streams, as the leader of its own process group, which is guarded before it begins. */
export async function spawnGuarded(
  command: readonly string[],
  how: HowToSpawn,
  guard: (pid: number) => () => void,
): Promise<Spawned> {
  const child = spawn('/bin/sh', ['-c', gate, 'sh', ...command], {
    ...how,
    detached: true,
    stdio: [...how.stdio, 'pipe'],
  });
  if (child.pid === undefined) throw (await once(child, 'error'))[0];
  // Such as a signal that it may not be sent; its end is what counts, and that comes by another way.
  child.on('error', () => {});
  const { pid } = child;
  const go = child.stdio[3];
  go?.on('error', () => {});
  const forget = guard(pid);
  if (go && 'end' in go) go.end('\n');
  return { child, pid, forget };
}
