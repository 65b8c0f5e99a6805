import { readlinkSync, statSync, symlinkSync, unlinkSync } from 'node:fs';
import { isAlive, lstatOrNothing } from './private-socket.ts';

/** A symbolic link for programs that look for a socket at its traditional place. */
export class SerialLink {
  readonly path: string;
  readonly #target: string;

  private constructor(path: string, target: string) {
    this.path = path;
    this.#target = target;
  }

  /** Undefined when something lies at that place which is not ours, or is in use. */
  static async create(path: string, target: string): Promise<SerialLink | undefined> {
    if (await isLeftover(path, target)) unlinkSync(path);
    try {
      symlinkSync(target, path);
    } catch {
      return undefined;
    }
    return new SerialLink(path, target);
  }

  remove(): void {
    if (pointsTo(this.path, this.#target)) unlinkSync(this.path);
  }
}

/** A link of this user's that leads to nothing, to a socket nobody serves any more, or where it should. */
async function isLeftover(path: string, target: string): Promise<boolean> {
  if (!isOwnLink(path)) return false;
  const found = statSync(path, { throwIfNoEntry: false });
  return !found || pointsTo(path, target) || (found.isSocket() && !(await isAlive(path)));
}

function pointsTo(path: string, target: string): boolean {
  return isOwnLink(path) && readlinkSync(path) === target;
}

function isOwnLink(path: string): boolean {
  const found = lstatOrNothing(path);
  return found?.isSymbolicLink() === true && found.uid === process.getuid?.();
}
