import type { HostFiles } from '../../machine/files.ts';
import type { ProgramSource } from '../../machine/program.ts';
import { fileLimits } from '../file-limits.ts';

/** A program in a file, its format told by the end of its name. */
export async function programFile(path: string, files: Pick<HostFiles, 'read'>): Promise<ProgramSource> {
  const format = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? 'prg';
  return { format, bytes: await files.read(path, fileLimits.program), name: path };
}
