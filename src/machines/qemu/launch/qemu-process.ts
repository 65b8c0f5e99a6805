import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { signalGroup } from '../../../links/serial/process-group.ts';

const keptBytes = 16 * 1024;

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** `ended with code 1`, `was killed by SIGKILL`. */
  readonly text: string;
}

export interface ProcessOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Called with the process group; the answer is called when it has ended. */
  guard(pid: number): () => void;
}

/** A running QEMU, the leader of its own process group, that does not outlive this process. */
export class QemuProcess {
  readonly pid: number;
  /** Resolves when it is gone. */
  readonly ended: Promise<ProcessEnd>;
  #end: ProcessEnd | undefined;
  #complaints = '';

  static async start(options: ProcessOptions): Promise<QemuProcess> {
    const { program, args, env } = options;
    // The kernel kills it with us, also when nothing of us is left to do it.
    const [command, ...words] =
      process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'KILL', '--', program, ...args] : [program, ...args];
    const child = await launch(command ?? program, words, env).catch((error: unknown) => {
      if (command === program) throw error;
      return launch(program, args, env);
    });
    return new QemuProcess(child, options.guard);
  }

  private constructor(child: ChildProcess, guard: (pid: number) => () => void) {
    this.pid = child.pid ?? 0;
    const forget = guard(this.pid);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-keptBytes);
    });
    this.ended = new Promise((resolve) => {
      // Not `exit`: what it wrote before must have been read.
      child.once('close', (code, signal) => {
        forget();
        this.#end = { code, signal, text: signal ? `was killed by ${signal}` : `ended with code ${code}` };
        resolve(this.#end);
      });
    });
  }

  get end(): ProcessEnd | undefined {
    return this.#end;
  }

  /** What it said on its standard error, the last of it. */
  get complaints(): string {
    return this.#complaints.trim();
  }

  async kill(): Promise<void> {
    if (this.#end === undefined) signalGroup(this.pid, 'SIGKILL');
    await this.ended;
  }

  /** Whether it ended by itself within the time. */
  async endsWithin(timeoutMs: number): Promise<boolean> {
    if (this.#end) return true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), timeoutMs);
    });
    const inTime = await Promise.race([this.ended.then(() => true), late]);
    clearTimeout(timer);
    return inTime;
  }
}

async function launch(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const child = spawn(program, args, { env: { ...env }, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  if (child.pid === undefined) throw (await once(child, 'error'))[0];
  return child;
}
