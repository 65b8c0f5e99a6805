import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { checkSocketPath } from '../../../links/serial/socket-path.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { OpenedPath } from '../opened-files.ts';

const longestName = 'c99';

/** The files of one machine while it lives. Names are short: a socket's path may have 107 bytes. */
export class RuntimePaths implements AsyncDisposable {
  readonly folder: string;
  /** For what may grow: overlays of disks, states, captures. */
  readonly workDir: string;
  #scratch = 0;

  static async create(runtimeDir: string, workDir: OpenedPath | undefined): Promise<RuntimePaths> {
    const folder = await mkdtemp(join(runtimeDir, 'q-'));
    try {
      requireShort(join(folder, longestName));
      if (workDir === undefined) return new RuntimePaths(folder, folder);
      const own = await makeWorkDir(workDir);
      // Whoever clears up after a server that died finds it there.
      await symlink(join(workDir.path, basename(own)), join(folder, 'work'));
      return new RuntimePaths(folder, own);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  private constructor(folder: string, workDir: string) {
    this.folder = folder;
    this.workDir = workDir;
  }

  get qmp(): string {
    return join(this.folder, 'm');
  }

  get gdb(): string {
    return join(this.folder, 'g');
  }

  get log(): string {
    return join(this.folder, 'l');
  }

  get debugConsole(): string {
    return join(this.folder, 'd');
  }

  get tpm(): string {
    return join(this.folder, 't');
  }

  get virtiofs(): string {
    return join(this.folder, 'v');
  }

  /** The plugin that counts, and where it counts. */
  get counter(): string {
    return join(this.folder, 'counter.so');
  }

  get counts(): string {
    return join(this.folder, 'counts');
  }

  get agent(): string {
    return join(this.folder, 'a');
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

  /** A name for a file that guests may get to see: its own, in letters that mean nothing to QEMU. */
  async plainLink({ path, grantedPath }: OpenedPath): Promise<string> {
    const folder = await mkdtemp(join(this.folder, 'l-'));
    const link = join(folder, basename(path).replaceAll(/[^\w.+-]/g, '_'));
    await symlink(grantedPath, link);
    return link;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const folder of new Set([this.folder, this.workDir])) await rm(folder, { recursive: true, force: true });
  }
}

function requireShort(path: string): void {
  try {
    checkSocketPath(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new MachineError(
      'UNAVAILABLE',
      `The runtime directory cannot be used: ${why}.`,
      'Set XDG_RUNTIME_DIR to a shorter path.',
    );
  }
}

async function makeWorkDir({ path: parent, grantedPath }: OpenedPath): Promise<string> {
  try {
    return await mkdtemp(join(grantedPath, 'qemu-'));
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new MachineError(
      'INVALID_ARGUMENT',
      `"work_dir" ${parent} cannot be used: ${why}.`,
      'Name a folder that can be written.',
    );
  }
}
