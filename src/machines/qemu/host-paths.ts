import { constants } from 'node:fs';
import { copyFile, lstat, open, readFile, realpath, statfs } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { MachineError } from '../../machine/errors.ts';
import type { Host } from '../../machine/host.ts';

/**
 * Every path that an agent has named, or that stands in a file an agent has named, goes through one of these functions
 * before QEMU, another program or this kind opens it.
 */
export type PathHost = Pick<Host, 'allowedPath'>;

export function pathToRead(path: string, host: PathHost): Promise<string> {
  return host.allowedPath(path, 'read');
}

export function pathToWrite(path: string, host: PathHost): Promise<string> {
  return host.allowedPath(path, 'write');
}

/** Made empty, for this user alone, and nothing that was there before. */
export async function newFile(path: string, host: PathHost): Promise<string> {
  const allowed = await pathToWrite(path, host);
  await makePrivate(allowed, path);
  return allowed;
}

/** The same for a name of our own. */
export async function makePrivate(path: string, named = path): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600).catch((error: unknown) => {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (isThere) throw new MachineError('NAME_TAKEN', `${named} is there already.`, 'Give the name of a new file.');
    const why = error instanceof Error ? error.message : String(error);
    throw new MachineError('INVALID_ARGUMENT', `${named} cannot be written: ${why}.`, 'Give another path.');
  });
  await file.close();
}

/** A folder that holds a snapshot: an allowed one, or one that this server made for a fork. */
export async function folderToRead(path: string, host: Pick<Host, 'allowedPath' | 'runtimeDir'>): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real?.startsWith((await realpath(host.runtimeDir)) + sep)) return real;
  return pathToRead(path, host);
}

/** A file of such a folder, which must lie there itself: a link would lead anywhere. */
export async function fileIn(folder: string, name: string, maxBytes = Number.POSITIVE_INFINITY): Promise<string> {
  const path = join(folder, name);
  const found = await lstat(path).catch(() => undefined);
  if (!found) throw unusable(path, 'there is no such file');
  if (!found.isFile()) throw unusable(path, 'it is not a plain file');
  if (found.size > maxBytes) throw unusable(path, `it has ${found.size} bytes, more than ${maxBytes}`);
  return path;
}

export async function textIn(folder: string, name: string, maxBytes: number): Promise<string> {
  return readFile(await fileIn(folder, name, maxBytes), 'utf8');
}

/** Copies a file of a folder into one of ours, if there is room for all of it. */
export async function copyIn(folder: string, name: string, to: string): Promise<void> {
  const from = await fileIn(folder, name);
  const { size } = await lstat(from);
  const { bavail, bsize } = await statfs(dirname(to));
  if (size > bavail * bsize) throw unusable(from, `it has ${size} bytes, and there is no room for a copy`);
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}

function unusable(path: string, why: string): MachineError {
  return new MachineError(
    'INVALID_ARGUMENT',
    `${path} cannot be used: ${why}.`,
    'Give a folder that snapshot_save wrote.',
  );
}
