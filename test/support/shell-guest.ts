import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { Sandbox } from './sandbox.ts';

/** A shell on a pseudo terminal, which everybody who connects to a unix socket gets anew. */
export class ShellGuest implements AsyncDisposable {
  readonly path: string;
  readonly #socat: ChildProcess;

  static async start(sandbox: Sandbox, command = 'busybox sh'): Promise<ShellGuest> {
    const path = join(sandbox.dir, 'shell');
    const pty = `EXEC:${command},pty,setsid,ctty,stderr,sane`;
    const env = { PATH: process.env.PATH, HOME: sandbox.dir, PS1: 'guest$ ', TERM: 'vt100', LC_ALL: 'C.UTF-8' };
    // A group of its own, because it makes a process for each connection.
    const options = { stdio: 'ignore', detached: true, cwd: sandbox.dir, env } as const;
    const socat = spawn('socat', [`UNIX-LISTEN:${path},fork`, pty], options);
    await vi.waitFor(() => {
      if (!existsSync(path)) throw new Error('socat does not listen yet');
    }, 60_000);
    return new ShellGuest(path, socat);
  }

  private constructor(path: string, socat: ChildProcess) {
    this.path = path;
    this.#socat = socat;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#socat, 'exit');
    process.kill(-(this.#socat.pid ?? Number.NaN), 'SIGKILL');
    await exited;
  }
}
