import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program as people get it. */
export const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A working directory, a runtime directory and an environment that no other test and no user shares. */
export class Sandbox implements AsyncDisposable {
  readonly dir: string;
  readonly env: Record<string, string>;
  readonly #children: ChildProcessWithoutNullStreams[] = [];

  static async open(): Promise<Sandbox> {
    if (!existsSync(program)) throw new Error('dist/cli.js is missing: run `npm run build` first, as `npm test` does');
    // Short: paths of unix sockets have room for about a hundred characters.
    const dir = await mkdtemp(join(tmpdir(), 'fp-'));
    await mkdir(join(dir, 'run'), { mode: 0o700 });
    return new Sandbox(dir);
  }

  private constructor(dir: string) {
    this.dir = dir;
    const nobodysTmux = { TMUX_TMPDIR: dir };
    const nobodysRoms = { FRONTPANEL_ROMS: 'own' };
    const nobodys = { HOME: dir, XDG_RUNTIME_DIR: join(dir, 'run'), ...nobodysTmux, ...nobodysRoms };
    // The whole can be run with machines in threads: FRONTPANEL_THREADS=2 npm test.
    const { FRONTPANEL_THREADS: threads } = process.env;
    this.env = { PATH: process.env.PATH ?? '', ...nobodys, ...(threads && { FRONTPANEL_THREADS: threads }) };
  }

  /** A configuration file that each program of this sandbox is told to use. */
  async configure(config: object): Promise<void> {
    const name = 'frontpanel.config.json';
    await writeFile(join(this.dir, name), JSON.stringify(config));
    this.env.FRONTPANEL_CONFIG = name;
  }

  /** Directories of servers, dead or alive. */
  get servers(): string[] {
    const root = join(this.dir, 'run', 'frontpanel');
    return existsSync(root) ? readdirSync(root) : [];
  }

  spawn(args: readonly string[], options: SpawnOptions = {}): ChildProcessWithoutNullStreams {
    return this.spawnNode([program, ...args], options);
  }

  spawnNode(args: readonly string[], options: SpawnOptions = {}): ChildProcessWithoutNullStreams {
    const child = spawn(process.execPath, args, {
      cwd: this.dir,
      env: { ...this.env, ...options.env },
      stdio: options.stdio ?? 'pipe',
    }) as ChildProcessWithoutNullStreams;
    child.stdin.on('error', () => {});
    this.#children.push(child);
    return child;
  }

  /** Runs the program to its end. */
  async run(args: readonly string[], options: { env?: Record<string, string>; input?: string } = {}): Promise<Ended> {
    const child = this.spawn(args, options.env ? { env: options.env } : {});
    const ended = endOf(child);
    child.stdin.end(options.input ?? '');
    return ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Gathers what a process says until it has ended and its streams are empty. */
export async function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said.stderr += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, ...said };
}
