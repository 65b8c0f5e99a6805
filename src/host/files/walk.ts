import { constants, existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { OperatorFiles } from './operator-files.ts';
import { closeStep, mkdirStep, openStep, readlinkStep, type Steps, statStep } from './steps.ts';

/** A directory below which files may be named: as it was written, and without links in it. */
export interface Root {
  readonly given: string;
  readonly real: string;
  /** What to open it by, where it is open already. */
  readonly by?: string;
  /** What nobody gets to, although it lies there. */
  readonly operators?: OperatorFiles;
}

/** Where a path leads. Whoever gets one closes it with `leave`. */
export interface Place {
  readonly root: Root;
  /** The open folder it lies in. */
  readonly folder: number;
  readonly name: string;
  /** Without links. */
  readonly path: string;
  /** The thing itself, opened for nothing but being pointed at; undefined where nothing has that name yet. */
  readonly found: number | undefined;
}

export class OutsideError extends Error {
  override readonly name = 'OutsideError';

  constructor() {
    super('access denied: it lies outside, or the way to it leads there');
  }
}

/** It is the operator's own. */
export class OperatorFileError extends OutsideError {}

const maxLinks = 40;
/** Linux can open relative to an open folder; elsewhere a folder that is swapped between two steps goes unseen. */
const hasDescriptorPaths = existsSync('/proc/self/fd');
/** Linux's O_PATH, which Node has no name for: neither a device nor a pipe notices being opened so. */
const pointAt = hasDescriptorPaths ? 0o10000000 : constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const { O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants;

export interface WalkOptions {
  /** A link that has the last name is what was meant. */
  readonly keepLast?: boolean;
  /** Folders that are missing on the way are made, the last one too. */
  readonly makeFolders?: boolean;
}

/** Goes to a path step by step from an open root. Links are followed as long as they stay below a root. */
export function* walkTo(roots: readonly Root[], wanted: string, options: WalkOptions = {}): Steps<Place> {
  let path = wanted;
  for (let links = 0; links <= maxLinks; links++) {
    const result = yield* walkToLink(roots, path, options);
    if (typeof result !== 'string') return result;
    path = result;
  }
  throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' });
}

/** The place, or where the first link on the way leads. */
function* walkToLink(
  roots: readonly Root[],
  path: string,
  { keepLast = false, makeFolders = false }: WalkOptions,
): Steps<Place | string> {
  const root = roots.find(({ given, real }) => isBelow(given, path) || isBelow(real, path));
  if (!root) throw new OutsideError();
  const way = relative(isBelow(root.given, path) ? root.given : root.real, path);
  const parts = way === '' ? ['.'] : way.split(sep);
  let folder = yield* openStep(root.by ?? root.real, pointAt | O_DIRECTORY);
  let here = root.real;
  try {
    for (const [index, name] of parts.entries()) {
      const isLast = index === parts.length - 1;
      if (root.operators?.includes(join(here, name))) throw new OperatorFileError();
      let next = yield* openChild(folder, here, name);
      if (next === 'nothing' && makeFolders) {
        yield* mkdirStep(childPath(folder, here, name));
        next = yield* openChild(folder, here, name);
      }
      if (next === 'link' && !(isLast && keepLast)) {
        const target = yield* linkTarget(childPath(folder, here, name));
        yield* closeStep(folder);
        return target === undefined ? path : resolve(here, target, ...parts.slice(index + 1));
      }
      const there = join(here, name);
      if (isLast) return { root, folder, name, path: there, found: typeof next === 'number' ? next : undefined };
      if (typeof next !== 'number') throw Object.assign(new Error(`${there} does not exist`), { code: 'ENOENT' });
      yield* closeStep(folder);
      folder = next;
      here = there;
    }
  } catch (error) {
    yield* closeStep(folder);
    throw error;
  }
  throw new Error('a path has at least one part');
}

function* openChild(folder: number, here: string, name: string): Steps<number | 'link' | 'nothing'> {
  let fd: number;
  try {
    fd = yield* openStep(childPath(folder, here, name), pointAt | O_NOFOLLOW);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return 'nothing';
    // Where a link cannot be pointed at, this is how one shows.
    if (!hasDescriptorPaths && (code === 'ELOOP' || code === 'EMLINK')) return 'link';
    throw error;
  }
  const isLink = (yield* statStep(fd)).isSymbolicLink();
  if (!isLink) return fd;
  yield* closeStep(fd);
  return 'link';
}

/** Undefined where something else has taken the link's place. */
function* linkTarget(link: string): Steps<string | undefined> {
  try {
    return yield* readlinkStep(link);
  } catch (error) {
    if (codeOf(error) === 'EINVAL') return undefined;
    throw error;
  }
}

export function* leave({ folder, found }: Place): Steps<void> {
  yield* closeStep(folder);
  if (found !== undefined) yield* closeStep(found);
}

/** A path for what lies in an open folder, wherever that folder is by now. */
export function childPath(folder: number, path: string, name: string): string {
  return hasDescriptorPaths ? `/proc/self/fd/${folder}/${name}` : join(path, name);
}

/** The path of the folder that a place lies in. */
export function parentOf({ path, name }: Place): string {
  return name === '.' ? path : path.slice(0, -name.length - 1) || '/';
}

/** A path for what is open, for this process. */
export function openedPath(fd: number, path: string): string {
  return hasDescriptorPaths ? `/proc/self/fd/${fd}` : path;
}

/** The same for other processes of this user. */
export function grantedPath(fd: number, path: string): string {
  return hasDescriptorPaths ? `/proc/${process.pid}/fd/${fd}` : path;
}

/** Refuses what was moved out of its root while we walked. */
export function* requireInside(fd: number, { root }: Place): Steps<void> {
  if (!hasDescriptorPaths) return;
  const now = yield* readlinkStep(`/proc/self/fd/${fd}`);
  if (!isBelow(root.real, now)) throw new OutsideError();
  if (root.operators?.includes(now)) throw new OperatorFileError();
}

export function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
