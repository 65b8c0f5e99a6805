import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { MachineError } from '../../machine/errors.ts';
import type { HostFile, HostFiles, HostFolder, PathUse } from '../../machine/files.ts';
import { fileError } from '../file-error.ts';
import { AllowedFolder } from './allowed-folder.ts';
import { createNew, openExisting, requireAbsent } from './open-steps.ts';
import { OpenedHostFile } from './opened-host-file.ts';
import { OperatorFiles } from './operator-files.ts';
import { runLater, type Steps, statStep } from './steps.ts';
import { leave, OperatorFileError, OutsideError, type Root, walkTo } from './walk.ts';

/** The folders that agents may name files in, by what they may do there. */
export interface AllowedRoots {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** The only way from a path that an agent named to a file. */
export class AllowedFiles implements HostFiles {
  readonly roots: AllowedRoots;
  readonly #operators: OperatorFiles;

  /** `operators` may lie below the roots; no agent gets to them. */
  constructor({ read, write }: AllowedRoots, operators = OperatorFiles.none) {
    this.#operators = operators;
    const whole = (paths: readonly string[]) => [...new Set(paths.map((path) => resolve(path)))];
    this.roots = { read: whole([...write, ...read]), write: whole(write) };
  }

  async read(path: string, maxBytes: number): Promise<Uint8Array> {
    const file = await this.open(path, 'read');
    try {
      if (file.size > maxBytes) throw tooLarge(path, `${file.size.toLocaleString('en-US')} bytes`, maxBytes);
      // A file that grows meanwhile is read as far as it went when it was opened.
      return await file.read(0, file.size);
    } finally {
      file.close();
    }
  }

  async open(path: string, use: PathUse): Promise<HostFile> {
    const opened = await this.#at(path, use, (roots, full) => openExisting(roots, full, use, 'file'));
    return new OpenedHostFile(opened);
  }

  async create(path: string): Promise<HostFile> {
    return new OpenedHostFile(await this.#at(path, 'write', createNew));
  }

  async writeNew(path: string, bytes: Uint8Array): Promise<void> {
    const file = await this.create(path);
    try {
      await file.write(bytes);
    } catch (error) {
      // On a full disk half a file takes up what room there is, and keeps its name from the next attempt.
      await this.#takeBack(file.path);
      throw error;
    } finally {
      file.close();
    }
  }

  async requireNew(path: string): Promise<void> {
    await this.#at(path, 'write', requireAbsent);
  }

  async openFolder(path: string, use: PathUse): Promise<HostFolder> {
    const opened = await this.#at(path, use, (roots, full) => openExisting(roots, full, use, 'folder'));
    return new AllowedFolder(opened.fd, opened.path, this.#operators);
  }

  async shareFolder(path: string, use: PathUse): Promise<HostFolder> {
    const folder = await this.openFolder(path, use);
    // A program that may write there could also make those that are not there yet.
    const own = this.#operators.below(folder.path).filter((file) => use === 'write' || existsSync(file));
    if (own.length === 0) return folder;
    folder.close();
    throw new MachineError(
      'PATH_NOT_ALLOWED',
      `${path} cannot be shared: it contains files of this server's operator (${own.slice(0, 3).join(', ')}).`,
      'Share a folder below it that contains none of them.',
      { path },
    );
  }

  async makeFolder(path: string): Promise<HostFolder> {
    const opened = await this.#at(path, 'write', (roots, full) => openExisting(roots, full, 'write', 'folder', true));
    return new AllowedFolder(opened.fd, opened.path, this.#operators);
  }

  async resolve(path: string, use: PathUse): Promise<string> {
    return this.#at(path, use, function* (roots, full) {
      const place = yield* walkTo(roots, full);
      yield* leave(place);
      if (use === 'read' && place.found === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
      return place.path;
    });
  }

  async kindOf(path: string): Promise<'file' | 'folder' | 'other'> {
    return this.#at(path, 'read', function* (roots, full) {
      const place = yield* walkTo(roots, full);
      try {
        if (place.found === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
        const stat = yield* statStep(place.found);
        return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other';
      } finally {
        yield* leave(place);
      }
    });
  }

  async #takeBack(path: string): Promise<void> {
    const folder = await this.openFolder(dirname(path), 'write').catch(() => undefined);
    try {
      folder?.remove(basename(path));
    } catch {
      // It stays, incomplete: why it could not be written is what the agent is told of.
    } finally {
      folder?.close();
    }
  }

  async #at<T>(path: string, use: PathUse, steps: (roots: readonly Root[], full: string) => Steps<T>): Promise<T> {
    if (path === '' || path.includes('\0')) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        path === '' ? 'The path is empty.' : 'The path contains a NUL character.',
        'Give the path of a file.',
      );
    }
    try {
      return await runLater(steps(await this.#existing(use), resolve(path)));
    } catch (error) {
      if (!(error instanceof OutsideError)) throw fileError(error, path);
      if (error instanceof OperatorFileError) {
        throw new MachineError(
          'PATH_NOT_ALLOWED',
          `The path ${path} belongs to this server's operator: agents may not use its configuration, tokens, keys and logs.`,
          'Use another path.',
          { path },
        );
      }
      const roots = this.roots[use];
      throw new MachineError(
        'PATH_NOT_ALLOWED',
        `The path ${path} is outside the directories this server may ${use}: ${roots.join(', ') || 'none'}.`,
        `Use a path below one of them, or start the server with --allow-path DIRECTORY${use === 'read' ? ' (or --allow-read)' : ''}.`,
        { path, roots, operator_option: '--allow-path' },
      );
    }
  }

  /** A root that is a link, or that is made later, is where it leads by then. */
  async #existing(use: PathUse): Promise<readonly Root[]> {
    const found = await Promise.all(
      this.roots[use].map(async (given) => ({
        given,
        real: await realpath(given).catch(() => given),
        operators: this.#operators,
      })),
    );
    return found;
  }
}

function tooLarge(path: string, size: string, maxBytes: number): MachineError {
  return new MachineError(
    'LIMIT_REACHED',
    `The file ${path} has ${size}; at most ${maxBytes.toLocaleString('en-US')} are read.`,
    'Give a smaller file.',
    { path, max_bytes: maxBytes },
  );
}
