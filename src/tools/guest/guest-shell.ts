import type { ConsolePort } from '../../machine/console.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import { runCommand } from '../console/shell-run.ts';
import { waitForOutput } from '../console/wait-for-output.ts';

/** A command may always take this long, however little time is left: on a busy computer a prompt takes a second. */
const leastMs = 5_000;

/** A POSIX shell that waits at its prompt on a console, for tools that need several commands. */
export class GuestShell {
  /** `performance.now()` at which the tool must have its answer. */
  readonly until: number;
  readonly signal: AbortSignal;
  readonly #port: ConsolePort;
  readonly #starts: (() => number | undefined) | undefined;

  constructor(port: ConsolePort, until: number, signal: AbortSignal, starts?: () => number | undefined) {
    this.#port = port;
    this.#starts = starts;
    this.until = until;
    this.signal = signal;
  }

  get isLate(): boolean {
    return performance.now() >= this.until || this.signal.aborted;
  }

  /** The output of a command that must succeed. */
  async run(command: string, what: string, moreMs = 0): Promise<string> {
    const timeoutMs = Math.max(leastMs, this.until - performance.now() + moreMs);
    const done = await runCommand(this.#port, command, { timeoutMs, starts: this.#starts, signal: this.signal });
    if (done.exitCode === 0 && done.lostBytes === 0 && done.droppedChars === 0) return done.output;
    const said = done.output.slice(-300);
    if (done.exitCode !== undefined) {
      throw new MachineError(
        'UNAVAILABLE',
        `The guest failed while ${what} (exit code ${done.exitCode}): ${said}`,
        advice`Look at the path and the free space in the guest with ${call('console_send', { run: 'ls -l; df' })}.`,
      );
    }
    if (done.reason === 'link_ended') {
      const message = `The console ended while ${what}: ${said || 'no output'}`;
      throw new MachineError('LINK_DOWN', message, advice`See why with ${call('events_read')}.`);
    }
    if (done.reason === 'restarted') {
      const message = `The machine was reset or put back to a snapshot while ${what}.`;
      throw new MachineError('UNAVAILABLE', message, 'Log in again when it has booted, then start over.');
    }
    if (done.started) {
      await this.#interrupt();
      const message = `The guest took too long and was interrupted with ctrl-c while ${what}: ${said || 'no output'}`;
      throw new MachineError('UNAVAILABLE', message, 'Give it more time with "timeout_ms", up to 50000.');
    }
    throw new MachineError('UNAVAILABLE', `No answer from the shell while ${what}: ${said || 'no output'}`, [
      advice`Log in first, so that a POSIX shell waits at its prompt on this console.`,
      advice`${call('console_login')} does that.`,
    ]);
  }

  /**
   * Runs a command that reads lines, says `mark` and how many it has had before each, and ends at one that is a single
   * dot. Stops when time is up; the answer is how many lines were taken.
   */
  async feed(command: string, what: string, mark: string, lines: Iterable<string>): Promise<number> {
    let from = this.#port.output.end;
    let over = false;
    const running = this.run(command, what, leastMs).finally(() => {
      over = true;
    });
    running.catch(() => {});
    let taken = 0;
    const rest = lines[Symbol.iterator]();
    for (let isLast = false; !isLast; ) {
      const asked = { patterns: [{ literal: `${mark}${taken}` }], timeoutMs: 200, signal: this.signal };
      let wait = await waitForOutput(this.#port, { from, ...asked });
      while (wait.reason === 'timeout' && !over) wait = await waitForOutput(this.#port, { from, ...asked });
      if (wait.reason !== 'match') break;
      from = wait.nextOffset;
      const next = this.isLate ? undefined : rest.next();
      isLast = next?.done !== false;
      const line = new TextEncoder().encode(`${next?.done === false ? next.value : '.'}\r`);
      await this.#port.write(line, { mode: 'retry', timeoutMs: leastMs, signal: this.signal });
      if (!isLast) taken++;
    }
    await running;
    return taken;
  }

  async #interrupt(): Promise<void> {
    const from = this.#port.output.end;
    await this.#port.write(Uint8Array.of(3), { mode: 'retry', timeoutMs: 1000 }).catch(() => {});
    await waitForOutput(this.#port, { from, quietMs: 300, timeoutMs: 2000 });
  }
}

/** A word of the shell's. A path is never taken for an option. */
export function quoted(path: string): string {
  const safe = path.startsWith('-') ? `./${path}` : path;
  return `'${safe.replaceAll("'", "'\\''")}'`;
}
