import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { delimiter, resolve } from 'node:path';
import type { ByteLink } from '../byte-link.ts';
import { CommandConnection } from './command-connection.ts';
import { type Guarding, type HowToSpawn, type Spawned, spawnGuarded } from './guarded-spawn.ts';
import { describeError, errorCode } from './reasons.ts';
import { socketPair } from './socket-pair.ts';

export interface CommandLinkOptions {
  /** The program and its arguments; no shell ever sees them. */
  readonly command: readonly string[];
  readonly cwd?: string;
  /** The whole environment of the program; this process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What to call it, where it is run by another program. */
  readonly name?: readonly string[];
  /** Run it again when it has ended; a console ends with its command otherwise. */
  readonly comesBack?: boolean;
  /** Called with the pid of the new process group; the answer is called when the group has ended. */
  readonly guard?: (pid: number) => () => void;
}

/**
 * A program whose standard input and output is the line. Output and errors come through one socket, so that they
 * stay in the order in which the program wrote them.
 */
export function commandLink(options: CommandLinkOptions): ByteLink {
  const { command, name = command, cwd, env = process.env, guard, comesBack = false } = options;
  const [program, ...args] = command;
  if (!program) throw new RangeError('the command is empty');
  if (command.some((word) => word.includes('\0'))) throw new RangeError('the command contains a NUL character');
  return {
    target: `command ${name.map(quoted).join(' ')}`,
    async open(signal) {
      if (cwd !== undefined) await checkDirectory(cwd);
      const { ours, theirs } = await socketPair(signal, 'a command has no line on which to send a BREAK');
      try {
        const how = { ...(cwd !== undefined && { cwd }), env: { ...env }, stdio: [theirs, theirs, theirs] as const };
        const { child, pid, forget } = await launch(
          program,
          args,
          how,
          guard && { guard, send: (bytes) => ours.write(bytes) },
        );
        const connection = new CommandConnection(child, pid, ours, forget, !comesBack);
        if (!signal.aborted) return connection;
        connection.destroy();
        throw new Error('the start of the command was cancelled');
      } catch (error) {
        ours.destroy();
        throw error;
      } finally {
        release(theirs);
      }
    },
  };
}

/** Closes our copy only; the child's stays open. */
function release(theirs: Socket): void {
  theirs.on('error', () => {});
  theirs.destroy();
}

async function launch(
  program: string,
  args: readonly string[],
  how: HowToSpawn,
  guarding: Guarding | undefined,
): Promise<Spawned> {
  try {
    if (guarding) {
      await requireProgram(program, how);
      return await spawnGuarded([program, ...args], how, guarding);
    }
    const child = spawn(program, args, { ...how, detached: true, stdio: [...how.stdio] });
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    // Such as a signal that it may not be sent; its end is what counts, and that comes by another way.
    child.on('error', () => {});
    return { child, pid: child.pid, forget: undefined };
  } catch (error) {
    throw new Error(startFailure(error, program), { cause: error });
  }
}

/** Looks for a program as the system does; a shell that cannot find it would only say so on the line. */
async function requireProgram(program: string, { cwd = '.', env }: HowToSpawn): Promise<void> {
  const folders = program.includes('/') ? ['.'] : (env.PATH ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter);
  let failure: unknown;
  for (const folder of folders) {
    const problem = await whyNotRun(resolve(cwd, folder || '.', program));
    if (problem === undefined) return;
    if (failure === undefined || errorCode(problem) === 'EACCES') failure = problem;
  }
  throw failure;
}

async function whyNotRun(path: string): Promise<unknown> {
  try {
    if (!(await stat(path)).isFile()) return Object.assign(new Error(`${path} is not a file`), { code: 'EACCES' });
    await access(path, constants.X_OK);
  } catch (error) {
    return error;
  }
  const interpreter = await interpreterOf(path);
  if (interpreter === undefined) return undefined;
  return await access(interpreter, constants.X_OK).then(
    () => undefined,
    () => new Error(`${quoted(path)} is to be run by ${quoted(interpreter)}, which is not there`),
  );
}

/** Of a script; of what cannot be read nobody knows. */
async function interpreterOf(path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
    return /^#![ \t]*([^\s\0]+)/.exec(buffer.toString('latin1', 0, bytesRead))?.[1];
  } finally {
    await file.close();
  }
}

function startFailure(error: unknown, program: string): string {
  switch (errorCode(error)) {
    case 'ENOENT':
      return `there is no program ${quoted(program)} (ENOENT); give its full path or install it`;
    case 'EACCES':
      return `${quoted(program)} may not be executed (EACCES)`;
    default:
      return `${quoted(program)} cannot be started: ${describeError(error)}`;
  }
}

async function checkDirectory(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new Error(`the working directory does not exist: ${path}`);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}
