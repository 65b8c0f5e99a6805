import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkSocketPath } from '../../../links/serial/socket-path.ts';

/** The files of one machine while it lives. Names are short: a socket's path may have 107 bytes. */
export class RuntimePaths implements AsyncDisposable {
  readonly folder: string;
  /** For what may grow: overlays of disks, states, captures. */
  readonly workDir: string;
  #scratch = 0;

  static async create(runtimeDir: string, workDir: string | undefined): Promise<RuntimePaths> {
    const folder = await mkdtemp(join(runtimeDir, 'q-'));
    if (workDir !== undefined) await mkdir(workDir, { recursive: true });
    return new RuntimePaths(folder, workDir === undefined ? folder : await mkdtemp(join(workDir, 'qemu-')));
  }

  private constructor(folder: string, workDir: string) {
    this.folder = folder;
    this.workDir = workDir;
    checkSocketPath(this.channel(99));
  }

  get qmp(): string {
    return join(this.folder, 'm');
  }

  get gdb(): string {
    return join(this.folder, 'g');
  }

  serial(port: number): string {
    return join(this.folder, `s${port}`);
  }

  channel(index: number): string {
    return join(this.folder, `c${index}`);
  }

  /** A file name nobody has used. */
  scratch(ending: string): string {
    return join(this.workDir, `t${++this.#scratch}${ending}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const folder of new Set([this.folder, this.workDir])) await rm(folder, { recursive: true, force: true });
  }
}
