import { resolve } from 'node:path';
import { MachineError } from '../../machine/errors.ts';
import type { HostFiles } from '../../machine/files.ts';
import type { SymbolsCapability } from '../../machine/symbols.ts';

/** What assemblers and compilers call the files with the names of a program; the ones that tell most come first. */
export const labelEndings = ['dbg', 'dbj', 'elf', 'vs', 'labels', 'lbl', 'sym', 'rep', 'lst', 'list'] as const;

export function withEnding(path: string, ending: string): string {
  return `${path.replace(/\.[^./\\]*$/, '')}.${ending}`;
}

/** The files with names that lie beside a program, unless the machine knows those of one already. */
export async function namesBeside(
  path: string,
  symbols: SymbolsCapability | undefined,
  files: Pick<HostFiles, 'open'>,
): Promise<readonly string[]> {
  if (!symbols?.sources) return [];
  const found: string[] = [];
  for (const file of labelEndings.map((ending) => withEnding(path, ending))) {
    if (file !== path && (await isThere(file, files))) found.push(file);
  }
  const places = new Set(found.map((file) => resolve(file)));
  return symbols.sources.some(({ name }) => places.has(resolve(name))) ? [] : found;
}

async function isThere(file: string, files: Pick<HostFiles, 'open'>): Promise<boolean> {
  try {
    (await files.open(file, 'read')).close();
    return true;
  } catch (problem) {
    if (problem instanceof MachineError) return false;
    throw problem;
  }
}
