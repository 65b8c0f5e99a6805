import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Reads `+ GROUP` and `- GROUP`, and kills the groups that are left when its input ends, which it does when the
 * server dies in whatever way, with those that children of their leaders lead, such as a command on a terminal of its own.
 * Signals meant for the server must not end it first.
 */
const script = `
trap '' HUP INT QUIT TERM
groups=
while read -r sign group; do
  rest=
  for each in $groups; do [ "$each" = "$group" ] || rest="$rest $each"; done
  groups=$rest
  [ "$sign" = + ] && groups="$groups $group"
done
for each in $groups; do
  below=
  read -r below <"/proc/$each/task/$each/children"
  for group in $below "$each"; do kill -s KILL -- "-$group"; done
done 2>/dev/null
`;

/** How often a guard that somebody killed is replaced. */
const maxReplacements = 5;

/** Kills process groups when this process dies, even by SIGKILL: by one small shell that outlives it for a moment. */
export class ProcessGuard {
  readonly #groups = new Set<number>();
  #shell: ChildProcess | undefined;
  #started = 0;
  #closed = false;

  /** Guards the group from now on; the answer forgets it, which must happen once its leader has ended. */
  guard(pgid: number): () => void {
    if (!Number.isSafeInteger(pgid) || pgid <= 1) throw new RangeError(`${pgid} is not a process group to guard`);
    if (this.#closed) {
      // It was started while everything ended, and nobody else will end it.
      killGroup(pgid);
      throw new Error('the process guard is closed');
    }
    this.#groups.add(pgid);
    if (this.#shell) this.#tell('+', pgid);
    else this.#start();
    return () => {
      if (this.#groups.delete(pgid)) this.#tell('-', pgid);
    };
  }

  /** The pid of the shell, while there is one. */
  get pid(): number | undefined {
    return this.#shell?.pid;
  }

  /** Kills the groups that are still guarded and waits for the shell to end. */
  async close(): Promise<void> {
    this.#closed = true;
    const shell = this.#shell;
    if (!shell || shell.exitCode !== null || shell.signalCode !== null) return;
    shell.ref();
    const exited = once(shell, 'exit');
    shell.stdin?.end();
    await exited;
  }

  #start(): void {
    this.#started++;
    // A directory that can always be left alone: the guard must not keep a disk from being unmounted.
    const shell = spawn('/bin/sh', ['-c', script], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    this.#shell = shell;
    shell.stdin.on('error', () => {});
    shell.on('error', () => this.#ended(shell));
    shell.on('exit', () => this.#ended(shell));
    shell.unref();
    if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref();
    for (const pgid of this.#groups) this.#tell('+', pgid);
  }

  #ended(shell: ChildProcess): void {
    if (this.#shell !== shell) return;
    this.#shell = undefined;
    if (!this.#closed && this.#groups.size > 0 && this.#started <= maxReplacements) this.#start();
  }

  #tell(sign: '+' | '-', pgid: number): void {
    this.#shell?.stdin?.write(`${sign} ${pgid}\n`);
  }
}

function killGroup(pgid: number): void {
  try {
    process.kill(-pgid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
