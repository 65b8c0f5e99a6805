import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { MachineError } from '../machine/errors.ts';
import { exitCodes } from './exit-codes.ts';

interface GymSurroundings {
  readonly read: readonly string[];
  readonly stdout: NodeJS.WritableStream;
  /** Ends the program, as the end of the client that started it does. */
  readonly stdin: Readable;
}

/** Serves environments at a socket until a signal or the end of standard input. */
export async function serveGym(path: string, { read, stdout, stdin }: GymSurroundings): Promise<number> {
  const { GymServer } = await import('../gym/gym-server.ts');
  const server = await GymServer.listen(path, read).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new MachineError('UNAVAILABLE', `Cannot listen at ${path}: ${why}.`, 'Use a path that does not exist yet.');
  });
  const stop = new AbortController();
  const { signal } = stop;
  stdin.resume();
  const ended = Promise.race([
    once(process, 'SIGINT', { signal }),
    once(process, 'SIGTERM', { signal }),
    once(stdin, 'end', { signal }),
  ]);
  stdout.write(`environments at ${path}\n`);
  await ended;
  stop.abort();
  // What is still being read would keep the program alive.
  stdin.destroy();
  await server.close();
  return exitCodes.ok;
}
