import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { MachineError } from '../machine/errors.ts';
import { fileError } from './file-error.ts';

/** The directories below which agents may name files. */
export class PathRoots {
  readonly roots: readonly string[];

  constructor(roots: readonly string[]) {
    this.roots = roots.map((root) => resolve(root));
  }

  /** The path without any symbolic link in it, if it lies below a root; for `write` its last part may be new. */
  async allowed(path: string, use: 'read' | 'write'): Promise<string> {
    if (path === '' || path.includes('\0')) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        path === '' ? 'The path is empty.' : 'The path contains a NUL character.',
        'Give the path of a file.',
      );
    }
    const full = resolve(path);
    try {
      return await this.#inside(await realpath(full), path);
    } catch (error) {
      if (error instanceof MachineError) throw error;
      // Before it is said what is wrong with the path: whether the agent may know.
      await this.#inside(await existingPart(full), path);
      if (use === 'write' && isMissing(error)) return await this.#newFile(full, path);
      throw fileError(error, path);
    }
  }

  async #newFile(full: string, path: string): Promise<string> {
    if (await isLink(full)) {
      throw new MachineError(
        'PATH_NOT_ALLOWED',
        `The path ${path} is a symbolic link to something that does not exist.`,
        'Name the file itself.',
        { path },
      );
    }
    const parent = await realpath(dirname(full)).catch((error: unknown) => {
      throw fileError(error, dirname(full));
    });
    return this.#inside(join(parent, basename(full)), path);
  }

  async #inside(real: string, path: string): Promise<string> {
    for (const root of this.roots) {
      const realRoot = await realpath(root).catch(() => root);
      if (isBelow(realRoot, real)) return real;
    }
    throw new MachineError(
      'PATH_NOT_ALLOWED',
      `The path ${path} is outside of the directories this server may use: ${this.roots.join(', ') || 'none'}.`,
      'Use a path below one of them, or start the server with --allow-path DIRECTORY.',
      { path, roots: this.roots },
    );
  }
}

/** The real path of the longest beginning that exists. */
async function existingPart(full: string): Promise<string> {
  try {
    return await realpath(full);
  } catch {
    const parent = dirname(full);
    return parent === full ? full : existingPart(parent);
  }
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
