import { constants } from 'node:fs';
import { closeStep, openStep, readlinkStep, type Steps, statStep } from './steps.ts';
import { childPath, leave, openedPath, type Place, parentOf, type Root, requireInside, walkTo } from './walk.ts';

const {
  O_RDONLY,
  O_RDWR,
  O_WRONLY,
  O_CREAT,
  O_EXCL,
  O_TRUNC,
  O_DIRECTORY = 0,
  O_NOFOLLOW = 0,
  O_NONBLOCK = 0,
} = constants;

export interface OpenedFile {
  readonly fd: number;
  readonly path: string;
  readonly size: number;
}

export type Wanted = 'file' | 'folder';

/** Opens what lies there, if it is what was wanted. */
export function* openExisting(
  roots: readonly Root[],
  path: string,
  use: 'read' | 'write',
  wanted: Wanted,
  makeFolders = false,
): Steps<OpenedFile> {
  const place = yield* walkTo(roots, path, { makeFolders });
  try {
    if (place.found === undefined) throw systemError('ENOENT');
    const stat = yield* statStep(place.found);
    if (wanted === 'folder' && !stat.isDirectory()) throw systemError('ENOTDIR');
    if (wanted === 'file' && stat.isDirectory()) throw systemError('EISDIR');
    if (wanted === 'file' && !stat.isFile()) throw systemError('ENOTREG');
    const flags = wanted === 'folder' ? O_RDONLY | O_DIRECTORY : use === 'write' ? O_RDWR : O_RDONLY;
    const fd = yield* openStep(openedPath(place.found, place.path), flags);
    return yield* checked(fd, place, stat.size);
  } finally {
    yield* leave(place);
  }
}

/** What is there stands in the way of `createNew`. */
export function* requireAbsent(roots: readonly Root[], path: string): Steps<void> {
  const place = yield* walkTo(roots, path, { keepLast: true });
  try {
    if (place.found !== undefined || (yield* isTaken(place))) throw systemError('EEXIST');
  } finally {
    yield* leave(place);
  }
}

function* isTaken(place: Place): Steps<boolean> {
  try {
    yield* readlinkStep(childPath(place.folder, parentOf(place), place.name));
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // Something else has taken the link's place.
    if (code === 'EINVAL') return true;
    if (code === 'ENOENT') return false;
    throw error;
  }
}

/** Makes a new file for this user alone. Never touches what is there, not even through a link. */
export function* createNew(roots: readonly Root[], path: string): Steps<OpenedFile> {
  const place = yield* walkTo(roots, path, { keepLast: true });
  try {
    if (place.found !== undefined) throw systemError('EEXIST');
    const fd = yield* openStep(
      childPath(place.folder, parentOf(place), place.name),
      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
    );
    return yield* checked(fd, place, 0);
  } finally {
    yield* leave(place);
  }
}

/** Opens a file for new contents, making it where there is none. */
export function* openEmptied(roots: readonly Root[], path: string): Steps<OpenedFile> {
  const place = yield* walkTo(roots, path);
  try {
    if (place.found !== undefined && !(yield* statStep(place.found)).isFile()) throw systemError('ENOTREG');
    // A pipe that took its place meanwhile keeps nobody waiting.
    const fd = yield* openStep(
      childPath(place.folder, parentOf(place), place.name),
      O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK,
    );
    return yield* checked(fd, place, 0);
  } finally {
    yield* leave(place);
  }
}

function* checked(fd: number, place: Place, size: number): Steps<OpenedFile> {
  try {
    yield* requireInside(fd, place);
    return { fd, path: place.path, size };
  } catch (error) {
    yield* closeStep(fd);
    throw error;
  }
}

/** A refusal of ours in the words of the file system, so that all are told in one place. */
function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
