import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from './usage-error.ts';

/** What the user allows to read by naming a program on the command line: the folder it really lies in, which becomes drive C:. */
export async function exeFolder(exe: string): Promise<string> {
  const isFile = await stat(exe).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) throw new UsageError([`frontpanel: --exe ${exe}: there is no such file. Give a COM, EXE or BAT file.`]);
  return dirname(await realpath(exe));
}
