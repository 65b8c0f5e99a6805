import { DosError } from '../../../drives/dos-error.ts';
import { formatName } from '../../../drives/names.ts';
import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import { FileControlBlock } from '../file-control-block.ts';
import { quoted } from '../guest-text.ts';
import type { ResolvedPath } from '../paths.ts';

/** What one does with the block at DS:DX: the number given is AL afterwards, nothing means 0. */
type FcbAction = (block: FileControlBlock, dos: Dos, guest: Guest) => number | undefined;

/** A function that works on the file control block at DS:DX. */
export function fcbFunction(
  number: number,
  name: string,
  action: FcbAction,
  words: Pick<DosFunction, 'describe' | 'result'> = {},
): DosFunction {
  return {
    number,
    name: `FCB ${name}`,
    failure: 'al',
    describe: fcbText,
    run(guest, dos) {
      guest.al = action(fcbAt(guest), dos, guest) ?? 0;
      return undefined;
    },
    ...words,
  };
}

export function fcbAt(guest: Guest): FileControlBlock {
  return new FileControlBlock(guest.memory, guest.ds, guest.dx);
}

export function fcbText(guest: Guest): string {
  return quoted(formatName(fcbAt(guest).name));
}

/** The file a block names; devices are none. */
export function filePath(block: FileControlBlock, dos: Dos): ResolvedPath {
  const path = block.path(dos);
  if (path.device !== undefined) throw new DosError('accessDenied');
  return path;
}
