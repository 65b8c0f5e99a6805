import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';

/**
 * A command waits here until it is guarded, and ends when whoever started it has died before: it would outlive everybody. The
 * line comes by its own input, of which a shell takes no byte more: one stream more would be left open where Node has no
 * descriptor for the next.
 */
const gate = 'read -r go && exec "$@"';

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

/** What a program that is to be guarded needs. */
export interface Guarding {
  guard(pid: number): () => void;
  /** Sends these bytes to the input of the program. */
  send(bytes: Uint8Array): void;
}

/** Starts a program with these three streams, as the leader of its own process group, which is guarded before it begins. */
export async function spawnGuarded(
  command: readonly string[],
  how: HowToSpawn,
  { guard, send }: Guarding,
): Promise<Spawned> {
  const child = spawn('/bin/sh', ['-c', gate, 'sh', ...whole(command, how.env)], {
    ...how,
    detached: true,
    stdio: [...how.stdio],
  });
  if (child.pid === undefined) throw (await once(child, 'error'))[0];
  // Such as a signal that it may not be sent; its end is what counts, and that comes by another way.
  child.on('error', () => {});
  const { pid } = child;
  const forget = guard(pid);
  send(Buffer.from('\n'));
  return { child, pid, forget };
}

/** Shells drop variables whose names they cannot say, such as the functions that a bash has exported; those are given back. */
function whole(command: readonly string[], env: NodeJS.ProcessEnv): readonly string[] {
  const dropped = Object.entries(env).filter(([name, value]) => value !== undefined && !/^[a-z_]\w*$/i.test(name));
  // Of a program with such a name, env would make a variable.
  if (dropped.length === 0 || command[0]?.includes('=')) return command;
  return ['/usr/bin/env', ...dropped.map(([name, value]) => `${name}=${value}`), ...command];
}
