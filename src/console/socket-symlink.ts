import { readdirSync, readlinkSync, statSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, lstatOrNothing } from './private-socket.ts';

/** Where programs look for `serial_NAME.in` and `serial_NAME.out`. */
export const serialLinkDir = '/tmp';

/** What our links lead to: a socket in the directory of one server. */
const ownTarget = /\/frontpanel(-\d+)?\/\d+\/[^/]+\.(in|out)$/;

/** A symbolic link for programs that look for a socket at its traditional place. */
export class SocketSymlink {
  readonly path: string;
  readonly #target: string;

  private constructor(path: string, target: string) {
    this.path = path;
    this.#target = target;
  }

  /** Undefined when something lies at that place which is not ours, or is in use. */
  static async create(path: string, target: string): Promise<SocketSymlink | undefined> {
    try {
      if (await isLeftover(path, target)) unlinkSync(path);
      symlinkSync(target, path);
    } catch {
      return undefined;
    }
    return new SocketSymlink(path, target);
  }

  /** A link that somebody else has removed or replaced is theirs. */
  remove(): void {
    try {
      if (pointsTo(this.path, this.#target)) unlinkSync(this.path);
    } catch {
      // Gone, or in a directory that cannot be written any more: doctor finds it.
    }
  }
}

/** Links of this user's, made by servers of ours, to sockets that nobody serves any more. */
export async function leftoverSerialLinks(folder: string): Promise<string[]> {
  const left: string[] = [];
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (/^serial_.+\.(in|out)$/.test(name) && leadsToOurs(path) && !(await isServed(path))) left.push(path);
  }
  return left;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function leadsToOurs(path: string): boolean {
  try {
    return isOwnLink(path) && ownTarget.test(readlinkSync(path));
  } catch {
    return false;
  }
}

async function isServed(path: string): Promise<boolean> {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (!found.isSocket() || (await isAlive(path)));
}

/** A link of this user's that leads to nothing, to a socket nobody serves any more, or where it should. */
async function isLeftover(path: string, target: string): Promise<boolean> {
  if (!isOwnLink(path)) return false;
  return pointsTo(path, target) || !(await isServed(path));
}

function pointsTo(path: string, target: string): boolean {
  return isOwnLink(path) && readlinkSync(path) === target;
}

function isOwnLink(path: string): boolean {
  const found = lstatOrNothing(path);
  return found?.isSymbolicLink() === true && found.uid === process.getuid?.();
}
