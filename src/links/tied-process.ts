import { type ChildProcess, type SpawnOptions, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { signalGroup } from './serial/process-group.ts';

const keptBytes = 16 * 1024;
/** The kernel tells of our death only whoever has asked for it before; whoever has another parent by then is not begun. */
const ifStillOurs = 'test "$PPID" = "$1" && shift && exec "$@"';

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
  /** Where names without a folder are looked for; this process's own unless told. */
  readonly cwd?: string | undefined;
  /** Called with the process group; the answer is called when it has ended. */
  guard(pid: number): () => void;
}

/** A running emulator, the leader of its own process group, that does not outlive this process. */
export class TiedProcess {
  readonly pid: number;
  /** Resolves when it is gone. */
  readonly ended: Promise<ProcessEnd>;
  #end: ProcessEnd | undefined;
  #complaints = '';
  readonly #listeners = new Set<(text: string) => void>();

  static async start(options: ProcessOptions): Promise<TiedProcess> {
    return new TiedProcess(await startTied(options, ['ignore', 'ignore', 'pipe']), options.guard);
  }

  private constructor(child: ChildProcess, guard: (pid: number) => () => void) {
    this.pid = child.pid ?? 0;
    const forget = guard(this.pid);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-keptBytes);
      for (const listener of this.#listeners) listener(text);
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

  /** Calls back with each piece of what it says on its standard error. */
  onComplaint(listener: (text: string) => void): void {
    this.#listeners.add(listener);
  }

  async kill(): Promise<void> {
    if (this.#end === undefined) signalGroup(this.pid, 'SIGKILL');
    await this.ended;
  }

  /** Whether it ended on its own within the time. */
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

/** Starts a program as the leader of its own process group; the kernel kills it with us, also when nothing of us is left to do it. */
export async function startTied(
  { program, args, env, cwd }: Omit<ProcessOptions, 'guard'>,
  stdio: StdioOptions,
): Promise<ChildProcess> {
  const how: SpawnOptions = { env: { ...env }, detached: true, stdio, ...(cwd !== undefined && { cwd }) };
  if (process.platform !== 'linux') return spawned(program, args, how);
  const tied = ['--pdeathsig', 'KILL', '--', '/bin/sh', '-c', ifStillOurs, 'sh', String(process.pid), program, ...args];
  return spawned('setpriv', tied, how).catch(() => spawned(program, args, how));
}

async function spawned(program: string, args: readonly string[], how: SpawnOptions): Promise<ChildProcess> {
  const child = spawn(program, args, how);
  if (child.pid === undefined) throw (await once(child, 'error'))[0];
  // What fails after that is no reason to end with it: `close` tells its end, and its last words are not worth more.
  child.on('error', () => {});
  for (const stream of [child.stdout, child.stderr]) stream?.on('error', () => {});
  return child;
}
