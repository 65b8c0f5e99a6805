import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { cpuSeconds, mostResidentMb } from './harness/process-usage.ts';

type Child = ChildProcessByStdio<Writable, Readable, null>;

const root = fileURLToPath(new URL('..', import.meta.url));

/** Environments that are stepped in processes of their own, one of which is measured. */
export class GymClient implements AsyncDisposable {
  readonly #folder: string;
  /** Ended in this order: the first one steps. */
  readonly #children: readonly Child[];
  readonly #stepping: Child;
  readonly #pid: number;
  readonly #answers: Interface;

  /** At the socket of `frontpanel gym`, which is measured, by a Python program. */
  static async atSocket(spec: Readonly<Record<string, unknown>>): Promise<GymClient> {
    const folder = newFolder();
    const socket = join(folder, 'gym.sock');
    const server = start(process.execPath, [join(root, 'dist/cli.js'), 'gym', socket]);
    await once(createInterface(server.stdout), 'line');
    const python = start('/usr/bin/python3', [join(root, 'bench/gym-steps.py'), socket, JSON.stringify(spec)]);
    return new GymClient(folder, python, server).#ready();
  }

  /** Within the process that steps them, which is measured. */
  static inside(spec: Readonly<Record<string, unknown>>): Promise<GymClient> {
    const node = start(process.execPath, [join(root, 'bench/gym-inside.js'), JSON.stringify(spec)]);
    return new GymClient(newFolder(), node).#ready();
  }

  private constructor(folder: string, stepping: Child, server = stepping) {
    this.#folder = folder;
    this.#children = [...new Set([stepping, server])];
    this.#stepping = stepping;
    this.#pid = server.pid ?? 0;
    this.#answers = createInterface(stepping.stdout);
  }

  /** Seconds of processor time for so many steps of all environments. */
  async seconds(steps: number): Promise<number> {
    const before = cpuSeconds(this.#pid);
    const answered = this.#answer();
    this.#stepping.stdin.write(`${steps}\n`);
    await answered;
    return cpuSeconds(this.#pid) - before;
  }

  /** At its peak. */
  get megabytes(): number {
    return mostResidentMb(this.#pid);
  }

  async #ready(): Promise<this> {
    await this.#answer();
    return this;
  }

  async #answer(): Promise<void> {
    const ended = once(this.#stepping, 'exit').then(() => 'ended');
    if ((await Promise.race([once(this.#answers, 'line'), ended])) === 'ended') throw new Error('the client has ended');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) {
      const ended = once(child, 'exit');
      child.stdin.end();
      if (child.exitCode === null) await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'fp-bench-'));
}

function start(command: string, args: readonly string[]): Child {
  const env = { ...process.env, PYTHONPATH: join(root, 'python'), PYTHONDONTWRITEBYTECODE: '1' };
  return spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
}
