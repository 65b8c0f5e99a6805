import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { MachineError } from '../../../../machine/errors.ts';
import { type ViceProgram, vicePrograms } from '../vice-models.ts';

/** Where one of VICE's programs is. */
export async function findProgram(program: ViceProgram, searchPath: string): Promise<string> {
  const found = await inPath(program, searchPath);
  if (found !== undefined) return found;
  const installed = await installedPrograms(searchPath);
  throw new MachineError(
    'UNAVAILABLE',
    `There is no ${program} on this computer.`,
    installed.length > 0
      ? `Installed: ${installed.join(', ')}. Use one of them as "program", or install all of VICE.`
      : 'Install VICE (Debian: apt-get install vice, from the contrib section); the built-in c64, vic20, plus4 and c16 need nothing.',
    { installed },
  );
}

export async function installedPrograms(searchPath: string): Promise<readonly ViceProgram[]> {
  const found = await Promise.all(vicePrograms.map((program) => inPath(program, searchPath)));
  return vicePrograms.filter((_, index) => found[index] !== undefined);
}

async function inPath(program: string, searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(delimiter).filter(isAbsolute)) {
    const path = join(folder, program);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
