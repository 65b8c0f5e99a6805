import { readlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Writable } from 'node:stream';
import { EscapeFilter } from '../console/escape-filter.ts';
import { Session } from './attach/session.ts';
import type { TerminalInput, TerminalOutput } from './attach/terminal-mode.ts';
import { ConsoleNotFound, consoleAtPath, consoleNamed } from './consoles.ts';
import { exitCodes } from './exit-codes.ts';

export interface AttachOptions {
  /** Path of the output socket; without it `target` is looked up in the runtime directory. */
  readonly socket?: string | undefined;
  readonly spy: boolean;
  readonly filtered: boolean;
  /** Leave when the connection is lost. */
  readonly once?: boolean;
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  readonly stderr: Writable;
  readonly env: NodeJS.ProcessEnv;
  /** After the end of a pipe on standard input: how long the console must be silent before we leave. */
  readonly quietMs?: number;
  /** How long we wait for that silence at most. */
  readonly drainLimitMs?: number;
}

/** Who sits here: the name of the user, and the terminal. A pipe is nobody. */
function personHere({ stdin, env }: AttachOptions): { name: string; place?: string } | undefined {
  if (!stdin.isTTY) return undefined;
  const name = env.SUDO_USER ?? env.USER ?? env.LOGNAME ?? userName();
  const terminal = terminalName(stdin.fd ?? 0);
  return { name, ...(terminal !== undefined && { place: terminal }) };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}

function terminalName(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).replace(/^\/dev\//, '');
  } catch {
    return undefined;
  }
}

/** Puts a person's terminal, or a pipe, on a console. Resolves with the exit code. */
export async function attach(target: string | undefined, options: AttachOptions): Promise<number> {
  const path = options.socket ?? (target?.endsWith('.out') && target.includes('/') ? target : undefined);
  const locate = () => (path === undefined ? consoleNamed(target, options.env) : consoleAtPath(path));
  let label: string;
  try {
    label = path ?? (await consoleNamed(target, options.env)).name;
    await locate();
  } catch (error) {
    if (!(error instanceof ConsoleNotFound)) throw error;
    options.stderr.write(`${error.message}\n`);
    return exitCodes.failed;
  }
  return new Session({
    spy: options.spy,
    once: options.once ?? false,
    stdin: options.stdin,
    stdout: options.stdout,
    stderr: options.stderr,
    label,
    who: personHere(options),
    // A server that comes back has another process id, but its console has the same name.
    locate: () => (path === undefined ? locate().catch(() => consoleNamed(label, options.env)) : locate()),
    filter: () => {
      if (!options.filtered) return (bytes) => bytes;
      const filter = new EscapeFilter();
      return (bytes) => filter.filter(bytes);
    },
    quietMs: options.quietMs ?? 1_000,
    drainLimitMs: options.drainLimitMs ?? 30_000,
  }).run();
}
