import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { assemble } from '../../src/machines/dos/assembler/assemble.ts';

const mostPrograms = 500;

export interface FolderProgram {
  /** From the folder on. */
  readonly name: string;
  readonly path: string;
  /** Why there is no such program. */
  readonly refusal?: string;
}

/**
 * Programs in a folder and below: COM, EXE and BAT files, and sources in assembler. What those become is written to a
 * place of their own, where those from one folder are together.
 */
export function programsIn(folder: string, place: string): readonly FolderProgram[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:com|exe|bat|asm)$/i.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  if (all.length > mostPrograms)
    throw new Error(`${all.length} programs are too many; run at most ${mostPrograms} at a time`);
  return all.map((path) => {
    const name = relative(folder, path);
    return /\.asm$/i.test(path) ? built(path, name, join(place, dirname(name))) : { name, path };
  });
}

function built(source: string, name: string, place: string): FolderProgram {
  const { bytes, errors } = assemble(readFileSync(source, 'utf8'));
  const [error] = errors;
  const isExe = bytes[0] === 0x4d && bytes[1] === 0x5a;
  const path = join(place, basename(source).replace(/\.asm$/i, isExe ? '.EXE' : '.COM'));
  if (error) return { name, path, refusal: `line ${error.line}: ${error.message}` };
  mkdirSync(place, { recursive: true });
  writeFileSync(path, bytes);
  return { name, path };
}
