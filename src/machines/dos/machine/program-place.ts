import { realpathSync } from 'node:fs';
import { basename, dirname, relative, sep } from 'node:path';
import { MachineError } from '../../../machine/errors.ts';
import type { Drive } from '../drives/drive.ts';
import { formatName } from '../drives/names.ts';
import { TreeDrive } from '../drives/tree-drive.ts';

/** A program named as DOS does, with its drive. */
export function isDosPath(program: string): boolean {
  return /^[a-z]:\\/i.test(program);
}

/** What to type for a program of the host that lies in or below the folder that is drive C:. */
export function dosPathOf(program: string, folder: string | undefined, drive: Drive | undefined): string {
  const names = namesBelow(program, folder ?? dirname(program));
  const path = drive instanceof TreeDrive && names ? drive.pathFrom(names) : undefined;
  if (path) return `C:\\${path.map(formatName).join('\\')}`;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${program} is not on drive C:, which is ${folder ?? dirname(program)}.`,
    'Give the folder it lies in, a folder above that, or none; a program in a zip file or image is named as DOS does: "C:\\\\GAMES\\\\KEEN1.EXE".',
  );
}

/** From the folder down; undefined where it lies elsewhere. */
function namesBelow(program: string, folder: string): readonly string[] | undefined {
  try {
    // The name itself is not resolved: a link in the folder is what the drive shows.
    const way = relative(realpathSync(folder), realpathSync(dirname(program)));
    if (way === '..' || way.startsWith(`..${sep}`)) return undefined;
    return [...way.split(sep).filter((name) => name !== ''), basename(program)];
  } catch {
    return undefined;
  }
}
