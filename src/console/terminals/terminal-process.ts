import { type ChildProcess, spawn } from 'node:child_process';
import type { Terminal } from './terminal-table.ts';

const maxOutputChars = 2000;

/** A terminal's process, on its own from the start: own group, none of our files, not waited for at our end. */
export class TerminalProcess {
  readonly #child: ChildProcess;
  #output = '';
  #complaint = '';
  /** Resolves with a reason when it failed to start or ended with an error; never otherwise. */
  readonly failed: Promise<string>;
  readonly ended: Promise<void>;

  constructor(argv: readonly string[], env: NodeJS.ProcessEnv, kind: Terminal['process']) {
    const [program = '', ...args] = argv;
    // A window must not hold a pipe to us, or it would die of our end. What only makes a request may say how it went.
    const output = kind === 'request' ? 'pipe' : 'ignore';
    this.#child = spawn(program, args, { env, detached: true, stdio: ['ignore', output, output] });
    this.#child.unref();
    // What it says is for the reason of a failure only; the end of the process is what counts.
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('error', () => {});
    this.#child.stdout?.on('data', (data) => {
      this.#output = `${this.#output}${data}`.slice(0, maxOutputChars);
    });
    this.#child.stderr?.on('data', (data) => {
      this.#complaint = `${this.#complaint}${data}`.slice(0, maxOutputChars);
    });
    this.ended = new Promise((resolve) => {
      this.#child.on('error', () => resolve());
      this.#child.once('close', () => resolve());
    });
    this.failed = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(error.message));
      this.#child.once('close', (code, signal) => {
        if (code !== 0) resolve(this.#reason(code, signal));
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get running(): boolean {
    return this.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it printed, if it could. */
  get output(): string {
    return this.#output;
  }

  onExit(listener: () => void): void {
    this.#child.once('exit', listener);
  }

  /** Lets go of its pipes, if it had any. */
  release(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  kill(): void {
    if (!this.running || this.pid === undefined) return;
    try {
      process.kill(-this.pid, 'SIGTERM');
    } catch {
      // It ended in between.
    }
  }

  #reason(code: number | null, signal: string | null): string {
    const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
    const complaint = this.#complaint.trim().split('\n')[0];
    return complaint ? `${how}: ${complaint}` : how;
  }
}
